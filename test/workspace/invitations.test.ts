import { systemActor } from "../../core/access/access.ts";
import { Invitation } from "../../services/workspace/problem-sets/invitations/invitations.ts";
import { Member } from "../../services/workspace/problem-sets/members/members.ts";
import { actor, itInside, world, type TestWorld } from "../mesh.ts";
import { admit, as, openSet, person, persons, type Person } from "./people.ts";

let at: TestWorld;
let ann: Person, bob: Person, eve: Person;
let id: string;
beforeAll(async () => {
  at = await world();
  [ann, bob, eve] = await persons(at, "ann", "bob", "eve");
});
beforeEach(async () => {
  id = await openSet(at, ann, { name: "Flood" });
});
afterAll(() => at.stop());

const issue = async (body: object = {}, who = ann) =>
  (await as(at, who)("POST", `/api/problem-sets/${id}/invite`, body)).body.data;
const acceptCode = (who: Person, code: string) =>
  as(at, who)("POST", "/api/problem-sets/invite/accept-by-code", { code });
const lookUp = async (code: string) =>
  (await at.http("GET", `/api/problem-sets/invite/code/${code}`, { as: null })).body.data;
const pending = async () => (await as(at, ann)("GET", `/api/problem-sets/${id}/invites`)).body.data;
const approve = (inviteId: string, body: object = {}, who = ann) =>
  as(at, who)("POST", `/api/problem-sets/${id}/invites/${inviteId}/approve`, body);

it("lets one in by a code that is shown once and stored as a hash", async () => {
  const made = await issue({ role: "analyst" });
  expect(Buffer.from(made.code, "base64url").length * 8).toBeGreaterThanOrEqual(128);
  expect(made).toMatchObject({ role: "analyst", status: "open", uses: 1, used: 0, waiting: [] });
  expect(await lookUp(made.code)).toEqual({
    status: "open",
    name: "Flood",
    training: false,
    role: "analyst",
    approval: false,
    expiresAt: made.expiresAt,
  });
  expect(JSON.stringify(await (await at.mesh.world.documents.collection("invitations")).find({}))).not.toContain(
    made.code,
  );
  expect((await as(at, ann)("GET", `/api/problem-sets/${id}/invites`)).text).not.toContain(made.code);
  expect((await acceptCode(bob, made.code)).body.data).toEqual({
    status: "member",
    problemSetId: id,
    name: "Flood",
    role: "analyst",
    training: false,
  });
  expect((await as(at, bob)("GET", `/api/problem-sets/${id}`)).status).toBe(200);
  expect((await acceptCode(bob, made.code)).body.data).toMatchObject({ status: "member", role: "analyst" });
  expect(await lookUp(made.code)).toEqual({ status: "used-up" });
  expect(await acceptCode(eve, made.code)).toMatchObject({
    status: 409,
    body: { error: { code: "INVITATION_EXHAUSTED" } },
  });
  expect(await pending()).toEqual([]);
});

it("is not approved once it is used up, or over, with nobody waiting by it", async () => {
  const { id: used, code } = await issue({ role: "analyst" });
  await acceptCode(bob, code);
  expect(await approve(used)).toMatchObject({ status: 409, body: { error: { code: "INVITATION_EXHAUSTED" } } });
  const { id: over } = await issue({ role: "analyst", expiresAt: new Date(at.clock.now() + 60_000).toISOString() });
  at.clock.advance(120_000);
  expect(await approve(over)).toMatchObject({ status: 409, body: { error: { code: "INVITATION_EXPIRED" } } });
});

it("knows no code that it did not give", async () => {
  expect((await at.http("GET", "/api/problem-sets/invite/code/guess", { as: null })).status).toBe(404);
  expect((await acceptCode(bob, "guess")).status).toBe(404);
});

it("says of a withdrawn or expired one that it is, and nothing else", async () => {
  const [withdrawn, old] = [
    await issue(),
    await issue({ expiresAt: new Date(at.clock.now() + 3_600_000).toISOString() }),
  ];
  for (const _ of [1, 2])
    expect((await as(at, ann)("DELETE", `/api/problem-sets/${id}/invites/${withdrawn.id}`)).body.data.status).toBe(
      "withdrawn",
    );
  expect(await lookUp(withdrawn.code)).toEqual({ status: "withdrawn" });
  expect(await acceptCode(bob, withdrawn.code)).toMatchObject({
    status: 409,
    body: { error: { code: "INVITATION_WITHDRAWN" } },
  });
  at.clock.advance(3_700_000);
  expect(await lookUp(old.code)).toEqual({ status: "expired" });
  expect(await acceptCode(bob, old.code)).toMatchObject({
    status: 409,
    body: { error: { code: "INVITATION_EXPIRED" } },
  });
  expect(await pending()).toEqual([]);
});

it("counts uses exactly, however many come at once, and takes one a person", async () => {
  const people = await Promise.all(Array.from({ length: 8 }, (_, n) => person(at, `crowd${n}`)));
  const { code, id: inviteId } = await issue({ uses: 5 });
  const replies = await Promise.all(people.flatMap((who) => [acceptCode(who, code), acceptCode(who, code)]));
  const inside = new Set(replies.flatMap(({ status }, n) => (status === 200 ? [Math.floor(n / 2)] : [])));
  expect(inside.size).toBe(5);
  expect(new Set(replies.map(({ status, body }) => (status === 200 ? body.data.status : body.error.code)))).toEqual(
    new Set(["member", "INVITATION_EXHAUSTED"]),
  );
  expect((await as(at, ann)("GET", `/api/problem-sets/${id}/members`)).body.meta.total).toBe(6);
  const kept = await (await at.mesh.world.documents.collection("invitations")).findById(inviteId);
  expect(kept).toMatchObject({ left: 0, waiting: [] });
  expect(kept!["admitted"]).toHaveLength(5);
});

itInside("answers one whose other call got through meanwhile as a member", async () => {
  const { code } = await issue({ uses: 2 });
  const members = at.service("problem-sets").store(Member).collection;
  const looked = jest.spyOn(members, "findOne").mockImplementationOnce(async () => {
    expect((await acceptCode(bob, code)).status).toBe(200);
    return null;
  });
  expect(await acceptCode(bob, code)).toMatchObject({ status: 200, body: { data: { status: "member" } } });
  expect(looked).toHaveBeenCalled();
  looked.mockRestore();
});

it("does not let a removed member back in by the same code, nor a suspended one", async () => {
  const { code } = await issue({ uses: 3 });
  await acceptCode(bob, code);
  await as(at, ann)("POST", `/api/problem-sets/${id}/members/${bob.did}/suspend`, {});
  expect((await acceptCode(bob, code)).status).toBe(403);
  await as(at, ann)("DELETE", `/api/problem-sets/${id}/members/${bob.did}`);
  expect(await acceptCode(bob, code)).toMatchObject({
    status: 409,
    body: { error: { code: "INVITATION_ALREADY_USED" } },
  });
  expect((await acceptCode(eve, code)).status).toBe(200);
});

it("goes on where a kill left it: the use was taken, the member not made", async () => {
  const { code, id: inviteId } = await issue({ uses: 2 });
  const invitations = await at.mesh.world.documents.collection("invitations");
  await invitations.updateById(inviteId, {
    $inc: { left: -1 },
    $push: { waiting: { userId: bob.userId, did: bob.did, since: new Date().toISOString() } },
  });
  expect((await acceptCode(bob, code)).body.data.status).toBe("member");
  expect(await invitations.findById(inviteId)).toMatchObject({ left: 1, waiting: [], admitted: [bob.userId] });
});

it("lets those who accept wait for an approval where it was asked for", async () => {
  const { code, id: inviteId } = await issue({ uses: 3, approval: true });
  expect((await acceptCode(bob, code)).body.data.status).toBe("waiting");
  expect((await acceptCode(bob, code)).body.data.status).toBe("waiting");
  expect((await as(at, bob)("GET", `/api/problem-sets/${id}`)).status).toBe(404);
  expect(await pending()).toMatchObject([{ id: inviteId, used: 1, waiting: [{ did: bob.did }] }]);
  await acceptCode(eve, code);
  expect((await approve(inviteId, { did: bob.did })).body.data).toMatchObject({ used: 2, waiting: [{ did: eve.did }] });
  expect((await as(at, bob)("GET", `/api/problem-sets/${id}`)).status).toBe(200);
  expect((await as(at, eve)("GET", `/api/problem-sets/${id}`)).status).toBe(404);
  expect((await approve(inviteId)).body.data).toMatchObject({ waiting: [], approvedBy: ann.userId });
  expect((await approve(inviteId)).status).toBe(200);
  expect((await as(at, eve)("GET", `/api/problem-sets/${id}`)).status).toBe(200);
  expect((await acceptCode(await person(at, "late"), code)).body.data.status).toBe("member");
});

it("turns away those who wait when it is withdrawn", async () => {
  const { code, id: inviteId } = await issue({ approval: true });
  await acceptCode(bob, code);
  await as(at, ann)("DELETE", `/api/problem-sets/${id}/invites/${inviteId}`);
  expect(await acceptCode(bob, code)).toMatchObject({ body: { error: { code: "INVITATION_WITHDRAWN" } } });
  expect((await approve(inviteId)).status).toBe(409);
});

describe("who asked to join", () => {
  const asked = async (who: Person) => (await as(at, who)("GET", "/api/problem-sets/me/join-requests")).body;
  const gathered = (who: Person) =>
    at.call(
      "problem-sets.personal:gather",
      { userId: who.userId },
      actor("analyst", { userId: who.userId, memberships: {} }),
    );
  const HEADING = "Requests to join problem sets";

  it("finds it among their own, and what became of it", async () => {
    const [dan, kim] = await persons(at, "dan", "kim");
    const { code, id: inviteId } = await issue({ uses: 3, approval: true, role: "analyst" });
    for (const _ of [1, 2]) await acceptCode(dan, code);
    await acceptCode(kim, code);
    const waiting = { problemSetId: id, name: "Flood", role: "analyst", training: false, status: "waiting" };
    expect(await asked(dan)).toMatchObject({ data: [{ ...waiting, askedAt: expect.any(String) }], meta: { total: 1 } });
    // They see nothing of the set before they are let in, nor what it is called by then.
    await as(at, ann)("PATCH", `/api/problem-sets/${id}`, { name: "Secret" });
    expect((await asked(dan)).data[0]).toEqual({ ...waiting, id: expect.any(String), askedAt: expect.any(String) });
    expect((await gathered(dan))[HEADING]).toEqual((await asked(dan)).data);
    await as(at, ann)("DELETE", `/api/problem-sets/${id}`);
    expect((await asked(dan)).data).toMatchObject([{ status: "archived" }]);
    await at.http("POST", `/api/problem-sets/${id}/restore`, { as: "admin" });
    await approve(inviteId, { did: dan.did });
    expect((await asked(dan)).data).toMatchObject([{ status: "approved" }]);
    expect((await asked(kim)).data).toMatchObject([{ status: "waiting" }]);
    await as(at, ann)("DELETE", `/api/problem-sets/${id}/invites/${inviteId}`);
    expect((await asked(kim)).data).toMatchObject([{ status: "withdrawn" }]);
    // Asking again by what was withdrawn leaves what became of it.
    expect((await acceptCode(kim, code)).status).toBe(409);
    expect((await asked(kim)).data).toMatchObject([{ status: "withdrawn" }]);
    expect((await asked(dan)).data).toMatchObject([{ status: "approved" }]);
    expect((await asked(eve)).data.filter(({ name }: any) => name === "Secret")).toEqual([]);
  });

  it("has no request where nobody need approve, nor where the invitation was no longer good", async () => {
    const lee = await person(at, "lee");
    await acceptCode(lee, (await issue()).code);
    const { code } = await issue({ approval: true });
    const full = await openSet(at, ann, { name: "Other" });
    const other = (await as(at, ann)("POST", `/api/problem-sets/${full}/invite`, { approval: true })).body.data;
    await acceptCode(bob, other.code);
    expect((await acceptCode(lee, other.code)).status).toBe(409);
    expect((await acceptCode(lee, code)).body.data.status).toBe("member");
    expect((await asked(lee)).data).toEqual([]);
  });

  itInside("is told to ask again after a kill before anybody heard of it", async () => {
    const max = await person(at, "max");
    const { code } = await issue({ approval: true });
    const invitations = at.service("problem-sets").store(Invitation).collection;
    const killed = jest.spyOn(invitations, "claim").mockRejectedValueOnce(new Error("killed"));
    expect((await acceptCode(max, code)).status).toBe(500);
    killed.mockRestore();
    expect((await asked(max)).data).toMatchObject([{ status: "interrupted" }]);
    expect((await acceptCode(max, code)).body.data.status).toBe("waiting");
    expect((await asked(max)).data).toMatchObject([{ status: "waiting" }]);
  });

  it("waits no longer once they are erased", async () => {
    const ned = await person(at, "ned");
    const { code, id: inviteId } = await issue({ approval: true });
    await acceptCode(ned, code);
    expect(await pending()).toMatchObject([{ id: inviteId, waiting: [{ did: ned.did }] }]);
    for (const _ of [1, 2]) await at.call("problem-sets.personal:erase", { userId: ned.userId }, systemActor("test"));
    expect(await pending()).toMatchObject([]);
    expect(Object.keys(await gathered(ned))).not.toContain(HEADING);
    expect((await asked(ned)).data).toEqual([]);
  });
});

it("is issued to no role above one's own, and by a liaison waits for a manager of members", async () => {
  await admit(at, id, bob, "liaison");
  expect((await as(at, bob)("POST", `/api/problem-sets/${id}/invite`, { role: "analyst" })).status).toBe(403);
  const made = await issue({ role: "observer" }, bob);
  expect(made.approval).toBe(true);
  expect((await acceptCode(eve, made.code)).body.data.status).toBe("waiting");
  expect((await approve(made.id, {}, bob)).status).toBe(403);
  const anns = await issue();
  expect((await as(at, bob)("DELETE", `/api/problem-sets/${id}/invites/${anns.id}`)).status).toBe(403);
  expect((await approve(made.id)).status).toBe(200);
  expect((await as(at, eve)("GET", `/api/problem-sets/${id}`)).status).toBe(200);
});

it("waits for somebody to vouch for it once its issuer could not issue it any longer", async () => {
  await admit(at, id, bob, "deputy");
  const { code, id: inviteId } = await issue({ role: "deputy" }, bob);
  await as(at, ann)("POST", `/api/problem-sets/${id}/members/${bob.did}/role`, { role: "planner" });
  expect((await acceptCode(eve, code)).body.data.status).toBe("waiting");
  expect((await approve(inviteId)).body.data.used).toBe(1);
  expect((await as(at, eve)("GET", `/api/problem-sets/me`)).body.data.find((set: any) => set.id === id).role).toBe(
    "deputy",
  );
});

it("is addressed to the holder of a DID, who alone finds and accepts it", async () => {
  const made = await issue({ did: bob.did, role: "planner" });
  expect(made).toMatchObject({ code: null, did: bob.did });
  expect((await as(at, bob)("GET", "/api/problem-sets/me/invites")).body.data).toContainEqual(
    expect.objectContaining({ id: made.id, name: "Flood", role: "planner" }),
  );
  // Theirs to take along, member or not.
  expect(
    (
      await at.call(
        "problem-sets.personal:gather",
        { userId: bob.userId },
        actor("analyst", { userId: bob.userId, memberships: {} }),
      )
    )["Invitations addressed to them"],
  ).toEqual([expect.objectContaining({ id: made.id, role: "planner" })]);
  const take = (who: Person) => as(at, who)("POST", "/api/problem-sets/invite/accept", { inviteId: made.id });
  expect((await take(eve)).status).toBe(404);
  for (const _ of [1, 2]) expect((await take(bob)).body.data).toMatchObject({ status: "member", role: "planner" });
  expect((await as(at, bob)("GET", "/api/problem-sets/me/invites")).body.data.map((one: any) => one.id)).not.toContain(
    made.id,
  );
  const again = (body: object) => as(at, ann)("POST", `/api/problem-sets/${id}/invite`, body);
  expect((await again({ did: bob.did })).status).toBe(409);
  expect(await again({ did: "did:example:nobody" })).toMatchObject({
    status: 422,
    body: { error: { code: "UNKNOWN_DID" } },
  });
  expect(await again({ did: eve.did, uses: 2 })).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: "uses" }] } },
  });
  expect(await again({ expiresAt: "2001-01-01T00:00:00Z" })).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: "expiresAt" }] } },
  });
});

it("opens nothing of an archived set", async () => {
  const { code } = await issue();
  await as(at, ann)("DELETE", `/api/problem-sets/${id}`);
  expect(await lookUp(code)).toEqual({ status: "archived" });
  expect(await acceptCode(bob, code)).toMatchObject({ status: 409, body: { error: { code: "ARCHIVED" } } });
});
