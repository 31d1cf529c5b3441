import { createServer, type Server } from "node:http";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { systemActor } from "../../core/access/access.ts";
import { nothing } from "../../core/contract/answer.ts";
import { subscribers } from "../../core/contract/catalogue.ts";
import { endpoint, type MeshService } from "../../core/contract/endpoint.ts";
import { entity } from "../../core/records/entity.ts";
import { event } from "../../core/events/event.ts";
import { derivedId, newId } from "../../core/ids.ts";
import { commonsOf, domain } from "../../mixins/domain.mixin.ts";
import { stateAfter } from "../../services/workspace/problem-sets/escalations/escalations.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { connect } from "../gateway/live-setup.ts";
import { misfits } from "../webhooks-described.ts";
import { admit, as, openCompartment, openSet, openStaffedSet, person, persons, type Person } from "./people.ts";

const PatrolSent = event(
  "workspace.patrol.sent",
  z.object({ id: z.string(), problemSetId: z.string(), name: z.string(), by: z.string() }),
  {
    activity: { subject: ["patrol", "id"], words: ({ name }) => `The patrol "${name}" went out.` },
  },
);
const PatrolSeen = event(
  "workspace.patrol.seen",
  z.object({ id: z.string(), problemSetId: z.string(), by: z.string() }),
);
const Patrol = entity("patrols", {
  title: "patrol",
  fields: { problemSetId: z.string(), name: z.string() },
  immutable: ["problemSetId"],
  barrier: { set: "problemSetId" },
});
/** A domain that nobody else knows of. */
const patrols: MeshService = {
  name: "patrols",
  settings: { rest: "/patrols" },
  mixins: [domain({ entities: [Patrol], tells: () => [PatrolSent, PatrolSeen] })],
  actions: {
    send: endpoint({
      rest: "POST /",
      summary: "Send a patrol",
      permit: "signed-in",
      body: Patrol.create,
      returns: nothing(),
      status: 204,
      async handler(ctx) {
        const { userId: by } = ctx.meta.actor!;
        const facts = ({ id, problemSetId, name }: { id: string; problemSetId: string; name: string }) => [
          PatrolSent.fact(id, { id, problemSetId, name, by }),
          PatrolSeen.fact(id, { id, problemSetId, by }),
        ];
        await this.store(Patrol).create(ctx, ctx.params, { facts });
        return null;
      },
    }),
  },
};

let at: TestWorld;
let ann: Person, bob: Person, cleo: Person, eve: Person;
let set: string, red: string;
beforeAll(async () => {
  at = await world({}, { extra: [patrols] });
  [ann, bob, cleo, eve] = await persons(at, "ann", "bob", "cleo", "eve");
  set = await openStaffedSet(at, ann, { deputy: bob, analyst: cleo });
  red = await openCompartment(at, set, ann, "Red", bob);
});
afterAll(() => at.stop());

const path = (tail: string) => `/api/problem-sets/${set}${tail}`;
const read = async (who: Person, tail: string) => (await as(at, who)("GET", path(tail))).body;
const gate = async (who: Person, fields: object = {}) =>
  (await as(at, who)("POST", "/api/gates", { problemSetId: set, tab: "orders", name: "Release", ...fields })).body.data;
const counts = async (who: Person, ids = [set]) =>
  (await as(at, who)("POST", "/api/problem-sets/notifications/counts", { problemSetIds: ids })).body.data;
const kinds = ({ data }: { data: { kind: string }[] }) => data.map(({ kind }) => kind);

describe("activity", () => {
  it("tells what happened, newest first, each thing once, to those who may know", async () => {
    const { id } = await gate(ann);
    await as(at, ann)("POST", `/api/gates/${id}/submit`, {});
    const feed = await eventually(
      () => read(cleo, "/activity"),
      (found) => kinds(found).includes("gate.submitted"),
    );
    expect(kinds(feed).slice(0, 2)).toEqual(["gate.submitted", "gate.created"]);
    expect(feed.data[0]).toMatchObject({
      summary: 'The gate "Release" was put up for approval.',
      by: ann.userId,
      subject: { type: "gate", id },
    });
    expect(kinds(feed)).toEqual(expect.arrayContaining(["problem-set.created", "member.joined"]));
    expect(kinds(feed)).not.toContain("compartment.created");
    expect((await as(at, eve)("GET", path("/activity"))).status).toBe(404);
    const first = await read(cleo, "/activity?limit=1");
    const second = await read(cleo, `/activity?limit=1&cursor=${first.meta.next}`);
    expect(kinds(second)).toEqual(["gate.created"]);
    expect(kinds(await read(cleo, "/activity?kind=member.joined"))).toEqual(
      ["member.joined", "member.joined", "member.joined"].slice(
        0,
        kinds(await read(cleo, "/activity?kind=member.joined")).length,
      ),
    );
    expect((await as(at, cleo)("GET", path("/activity?kind=nonsense"))).status).toBe(400);
  });

  it("names the direction that was laid down, changed or taken back", async () => {
    const text = "Nobody remains below the 200 m line.";
    const given = { problemSetId: set, kind: "intent", title: "Everybody out", text };
    const { id } = (await as(at, ann)("POST", "/api/inheritance/directions", given)).body.data;
    await as(at, ann)("PATCH", `/api/inheritance/directions/${id}`, { title: "Everybody out by noon" });
    await as(at, ann)("DELETE", `/api/inheritance/directions/${id}`);
    const told = await eventually(
      async () =>
        (await read(cleo, "/activity?kind=direction.changed")).data.map(({ summary }: { summary: string }) => summary),
      (found: string[]) => found.length === 3,
    );
    expect(told).toEqual([
      'The intent "Everybody out by noon" was taken back.',
      'The intent "Everybody out by noon" was changed.',
      'The intent "Everybody out" was laid down.',
    ]);
  });

  it("names the mission in what happens in its planning, and who is asked into it, joins and leaves", async () => {
    const made = async (who: Person, tail: string, body: object = {}): Promise<any> =>
      (await as(at, who)("POST", `/api/${tail}`, body)).body.data;
    const { id } = await made(ann, "missions", { problemSetId: set, name: "Clear the harbour" });
    await made(ann, "mdmp/workflows", { missionId: id });
    const workflow = `mdmp/workflows/${id}`;
    const statement = "The cranes stand.";
    const { id: assumed } = await made(cleo, `${workflow}/assumptions`, { statement, blocking: true });
    await as(at, bob)("PUT", `/api/${workflow}/assumptions/${assumed}/accept`, {});
    await made(bob, `${workflow}/transitions`, { to: "mission-analysis" });
    await made(bob, `${workflow}/transitions`, { to: "receipt-of-mission" });
    const gates = [
      { phase: "coa-approval", name: "Owner agrees" },
      { phase: "mission-analysis", name: "Divers asked", required: false },
    ];
    await made(ann, `${workflow}/gates`, { gates });
    const { id: inviteId } = await made(ann, `missions/${id}/invites`, { did: cleo.did, part: "planner" });
    const { id: participant } = await made(cleo, "missions/accept-invite", { inviteId });
    await as(at, cleo)("DELETE", `/api/missions/${id}/participants/${participant}`);
    await made(ann, `missions/${id}/activate`);
    await made(ann, `missions/${id}/complete`, { outcome: "One berth is open." });
    await made(ann, `missions/${id}/reopen`, { reason: "It has silted up." });
    await made(ann, `missions/${id}/complete`, { outcome: "Two berths are open." });
    const told = await eventually(
      async () =>
        (await read(cleo, "/activity?limit=20")).data
          .map(({ summary }: { summary: string }) => summary)
          .filter((summary: string) => summary.includes("Clear the harbour")),
      (found: string[]) => found[0]?.includes("berths") === true,
    );
    const isGate = (summary: string) => summary.includes("phase gate");
    // They were recorded at one moment, so that neither comes first.
    expect(told.filter(isGate).toSorted()).toEqual([
      'A phase gate of the mission "Clear the harbour" was recorded at the end of "Course of action approval": Owner agrees',
      'A phase gate that stops nothing of the mission "Clear the harbour" was recorded at the end of "Mission analysis": Divers asked',
    ]);
    expect(told.filter((summary: string) => !isGate(summary)).toReversed()).toEqual([
      'The mission "Clear the harbour" was opened.',
      'The decision process of the mission "Clear the harbour" was started.',
      `A blocking assumption of the mission "Clear the harbour" was recorded: ${statement}`,
      `An assumption of the mission "Clear the harbour" was accepted: ${statement}`,
      'The decision process of the mission "Clear the harbour" went on from "Receipt of mission" to "Mission analysis".',
      'The decision process of the mission "Clear the harbour" went back from "Mission analysis" to "Receipt of mission".',
      '(no name) was invited to the mission "Clear the harbour" as planner.',
      '(no name) joined the mission "Clear the harbour" as planner.',
      '(no name) takes part in the mission "Clear the harbour" no longer.',
      'The mission "Clear the harbour" is active.',
      'The mission "Clear the harbour" is completed: One berth is open.',
      'The mission "Clear the harbour" is active again: It has silted up.',
      'The mission "Clear the harbour" is completed: Two berths are open.',
    ]);
  });

  it("names the units of a command relationship that was added, changed or removed", async () => {
    const made = async (tail: string, body: object): Promise<any> =>
      (await as(at, ann)("POST", `/api/command/${tail}`, { problemSetId: set, ...body })).body.data;
    const [above, below] = [await made("units", { name: "Port Command" }), await made("units", { name: "Tug Group" })];
    const { id } = await made("relationships", { superiorId: above.id, subordinateId: below.id, kind: "opcon" });
    await as(at, ann)("PATCH", `/api/command/relationships/${id}`, { kind: "tacon" });
    expect((await as(at, ann)("DELETE", `/api/command/relationships/${id}`)).status).toBe(204);
    const told = await eventually(
      async () =>
        (await read(cleo, "/activity?limit=20")).data
          .map(({ summary }: { summary: string }) => summary)
          .filter((summary: string) => summary.startsWith("A command relationship")),
      (found: string[]) => found.length === 3,
    );
    expect(told).toEqual([
      'A command relationship (tacon) between "Port Command" and "Tug Group" was removed.',
      'A command relationship (tacon) between "Port Command" and "Tug Group" was changed.',
      'A command relationship (opcon) between "Port Command" and "Tug Group" was added.',
    ]);
  });

  it("is news to a newcomer from their joining on, and again to whoever comes back from theirs", async () => {
    const [nora] = await persons(at, "nora");
    const joins = async (): Promise<void> => {
      at.clock.advance(1_000);
      await admit(at, set, nora, "observer");
    };
    await joins();
    expect(await counts(nora)).toEqual([{ problemSetId: set, unread: 0, latestAt: null }]);
    at.clock.advance(1_000);
    await gate(bob, { name: "Sluice" });
    await eventually(
      () => counts(nora),
      ([{ unread }]) => unread === 1,
    );
    expect((await as(at, ann)("DELETE", path(`/members/${nora.did}`))).status).toBeLessThan(300);
    at.clock.advance(1_000);
    const { id } = await gate(bob, { name: "While she was away" });
    await eventually(
      () => read(bob, "/activity"),
      ({ data }) => data.some(({ subject }: any) => subject?.id === id),
    );
    await joins();
    expect((await counts(nora))[0].unread).toBe(0);
  });

  it("of a compartment is for those read into it, in counts too", async () => {
    await as(at, cleo)("PUT", path("/activity/read"), {});
    await as(at, ann)("PUT", path("/activity/read"), {});
    at.clock.advance(1_000);
    const secret = await gate(bob, { name: "Secret", compartments: [red] });
    await eventually(
      () => read(bob, "/activity"),
      ({ data }) => data.some(({ subject }: any) => subject?.id === secret.id),
    );
    expect(JSON.stringify(await read(cleo, "/activity"))).not.toContain("Secret");
    expect(JSON.stringify(await read(ann, "/activity"))).not.toContain("Secret");
    expect(await counts(cleo)).toEqual([{ problemSetId: set, unread: 0, latestAt: null }]);
    await gate(bob, { name: "Open" });
    await eventually(
      () => counts(cleo),
      ([{ unread }]) => unread === 1,
    );
    // One's own doing is no news.
    expect((await counts(bob))[0].latestAt).not.toBeNull();
    expect(await counts(eve)).toEqual([]);
    // What is to come cannot have been seen: a mark in the future would hide it, and marks do not go back.
    await as(at, cleo)("PUT", path("/activity/read"), { until: new Date(at.clock.now() + 86_400_000).toISOString() });
    expect((await counts(cleo))[0]).toMatchObject({ unread: 0 });
    at.clock.advance(1_000);
    await gate(bob, { name: "Later" });
    await eventually(
      () => counts(cleo),
      ([{ unread }]) => unread === 1,
    );
  });
});

describe("a domain of its own", () => {
  it("reads in the activity as its events say, and can be subscribed to, though no other domain names it", async () => {
    expect((await as(at, bob)("POST", path("/subscriptions"), { kinds: ["patrol.*"] })).status).toBe(201);
    const unknown = await as(at, bob)("POST", path("/subscriptions"), { kinds: ["gate.opened", "patroling"] });
    expect(unknown.status).toBe(400);
    const [ofGates, ofNone] = unknown.body.error.details.map(({ message }: { message: string }) => message);
    expect(ofGates).toMatch(
      /^There is no such kind of activity; of gate there are gate\.configured, gate\.created, .*gate\.\* /,
    );
    expect(ofNone).toMatch(/; kinds are of .*\bgate, /);
    expect((await as(at, ann)("POST", "/api/patrols", { problemSetId: set, name: "North" })).status).toBe(204);
    const [item] = await eventually(
      async () => (await read(bob, "/activity")).data,
      (found) => found[0].kind === "patrol.sent",
    );
    expect(item).toMatchObject({
      summary: 'The patrol "North" went out.',
      by: ann.userId,
      subject: { type: "patrol" },
    });
    const told = await eventually(
      () => read(bob, "/notifications"),
      ({ data }) => data.length > 0,
    );
    expect(kinds(told)).toEqual(["patrol.sent"]);
  });
});

describe("subscriptions", () => {
  it("tell in the app what was asked for, and nobody else's", async () => {
    const { id } = (
      await as(at, cleo)("POST", path("/subscriptions"), { kinds: ["gate.*"], filter: { text: "bridge" } })
    ).body.data;
    const client = await connect(at.url, { auth: { token: cleo.token } });
    await gate(ann, { name: "The bridge" });
    await gate(ann, { name: "The ford" });
    await gate(bob, { name: "The secret bridge", compartments: [red] });
    const told = await eventually(
      () => read(cleo, "/notifications"),
      ({ data }) => data.length > 0,
    );
    expect(told.data).toEqual([
      expect.objectContaining({ subscriptionId: id, summary: 'The gate "The bridge" was added.', read: false }),
    ]);
    const pushed = await eventually(
      () => client.of("notification.new").find(({ data }) => data.id === told.data[0].id)?.data,
      (data) => data !== undefined,
    );
    expect([pushed.status, pushed.rev]).toEqual(["told", (await read(cleo, "/notifications")).data[0].rev]);
    client.socket.close();
    expect((await as(at, cleo)("PUT", path(`/notifications/${told.data[0].id}/read`))).body.data.read).toBe(true);
    expect((await read(cleo, "/notifications?read=false")).data).toEqual([]);
    expect((await as(at, ann)("PUT", path(`/notifications/${told.data[0].id}/read`))).status).toBe(404);
    expect((await read(ann, "/subscriptions")).data).toEqual([]);
    expect((await as(at, ann)("DELETE", path(`/subscriptions/${id}`))).status).toBe(404);
    expect((await as(at, cleo)("PATCH", path(`/subscriptions/${id}`), { active: false })).body.data.active).toBe(false);
    expect(
      (await as(at, cleo)("POST", path("/subscriptions"), { kinds: ["gates.*"] })).body.error.details[0].path,
    ).toBe("kinds.0");
    expect((await as(at, cleo)("DELETE", path(`/subscriptions/${id}`))).status).toBe(204);
  });

  it("post to a receiver written with the Standard Webhooks library, again until it answers", async () => {
    const received: any[] = [];
    let secret = "",
      refusals = 1,
      sent = { headers: {}, body: "" };
    const receiver: Server = createServer((req, res) => {
      let body = "";
      req
        .on("data", (chunk) => {
          body += chunk;
        })
        .on("end", () => {
          if (refusals-- > 0) return void res.writeHead(503).end();
          try {
            received.push(new Webhook(secret).verify(body, req.headers as Record<string, string>));
            sent = { headers: req.headers, body };
            res.end();
          } catch (error) {
            res.writeHead(400).end(String(error));
          }
        });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(receiver.address() as { port: number }).port}/`;
    expect(
      (await as(at, bob)("POST", path("/subscriptions"), { kinds: ["unit.*"], channel: "webhook" })).body.error
        .details[0].path,
    ).toBe("url");
    for (const refused of ["http://169.254.169.254/latest", "https://me:secret@example.org/"])
      expect(
        (await as(at, bob)("POST", path("/subscriptions"), { kinds: ["unit.*"], channel: "webhook", url: refused }))
          .body.error,
      ).toMatchObject({ code: "ADDRESS_REFUSED", details: [{ path: "url" }] });
    const made = (await as(at, bob)("POST", path("/subscriptions"), { kinds: ["unit.*"], channel: "webhook", url }))
      .body.data;
    secret = made.secret;
    expect(JSON.stringify(await read(bob, "/subscriptions"))).not.toContain(secret);
    const unit = (await as(at, ann)("POST", "/api/command/units", { problemSetId: set, name: "2nd Engineers" })).body
      .data;
    await eventually(
      () => refusals,
      (left) => left <= 0,
    );
    await eventually(
      async () =>
        (await at.mesh.world.documents.collection("problem_sets_notifications")).count({
          query: { channel: "webhook", lastError: "The receiver answered 503." },
        }),
      (count) => count === 1,
    );
    at.clock.advance(31_000);
    const [message] = await eventually(
      () => received,
      (all) => all.length > 0,
    );
    expect(message).toMatchObject({
      type: "problem-set.activity",
      data: {
        problemSetId: set,
        items: [
          {
            kind: "unit.created",
            summary: 'The unit "2nd Engineers" was added.',
            subject: { type: "unit", id: unit.id },
          },
        ],
      },
    });
    expect(await misfits(at, "problem-set.activity", sent)).toEqual([]);
    receiver.close();
    expect(received).toHaveLength(1);
  });

  it("gather for the hour and mail once, to whoever may still see it", async () => {
    await as(at, cleo)("POST", path("/subscriptions"), {
      kinds: ["mission.created"],
      channel: "email",
      digest: "hourly",
    });
    for (const name of ["North", "South"]) await as(at, ann)("POST", "/api/missions", { problemSetId: set, name });
    await eventually(
      async () =>
        (await at.mesh.world.documents.collection("problem_sets_notifications")).count({ query: { channel: "email" } }),
      (count) => count === 2,
    );
    const outbox = () => at.letters().filter((letter) => JSON.stringify(letter).includes("mission"));
    expect(outbox()).toHaveLength(0);
    at.clock.advance(3_600_000);
    const [letter] = (await eventually(outbox, (letters) => letters.length > 0)) as any[];
    expect(JSON.stringify(letter)).toContain("Flood: 2 events");
    expect(JSON.stringify(letter)).toContain("South");
    expect(outbox()).toHaveLength(1);
  });

  it("call members by their names, as whoever is told may see them: in letters, deliveries and lists", async () => {
    const received: string[] = [];
    const receiver = createServer((req, res) => {
      req.on("data", (chunk) => received.push(String(chunk))).on("end", () => res.end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(receiver.address() as { port: number }).port}/`;
    for (const subscription of [{ channel: "email" }, { channel: "webhook", url }, { channel: "in-app" }])
      await as(at, bob)("POST", path("/subscriptions"), { kinds: ["member.*"], ...subscription });
    const dora = await person(at, "dora");
    await as(at, dora)("POST", "/api/user-profile", { displayName: "Dora Kiss" });
    await admit(at, set, dora, "observer");
    receiver.unref();
    const letters = () => at.letters().filter((letter) => JSON.stringify(letter).includes("joined as observer"));
    const [letter] = await eventually(letters, (all) => all.length > 0);
    const [delivery] = await eventually(
      () => received,
      (all) => all.length > 0,
    );
    receiver.close();
    receiver.closeAllConnections();
    const listed = JSON.stringify((await as(at, bob)("GET", path("/notifications"))).body.data);
    for (const told of [JSON.stringify(letter), delivery!, listed]) {
      expect(told).toContain("Dora Kiss joined as observer.");
      expect(told).not.toContain(`${dora.did} joined`);
    }
  });
});

it("a subscription ends by whoever has it, whatever their role is by now, also of an archived set; so are read marks set", async () => {
  const shelved = await openSet(at, ann, { name: "Shelved" });
  await admit(at, shelved, cleo, "analyst");
  const { id } = (await as(at, cleo)("POST", `/api/problem-sets/${shelved}/subscriptions`, { kinds: ["*"] })).body.data;
  await as(at, ann)("PATCH", `/api/problem-sets/${shelved}`, { description: "Told of" });
  const told = await eventually(
    async () => (await as(at, cleo)("GET", `/api/problem-sets/${shelved}/notifications`)).body.data,
    (all) => all.length > 0,
  );
  await as(at, ann)("POST", `/api/problem-sets/${shelved}/members/${cleo.did}/role`, { role: "observer" });
  await as(at, ann)("DELETE", `/api/problem-sets/${shelved}`);
  expect((await as(at, cleo)("PUT", "/api/problem-sets/me/primary", { problemSetId: shelved })).status).toBe(200);
  expect((await as(at, cleo)("PUT", `/api/problem-sets/${shelved}/activity/read`, {})).status).toBe(204);
  expect((await as(at, cleo)("PUT", `/api/problem-sets/${shelved}/notifications/${told[0].id}/read`)).status).toBe(200);
  expect((await as(at, cleo)("GET", `/api/problem-sets/${shelved}/subscriptions`)).body.data).toHaveLength(1);
  expect((await as(at, ann)("DELETE", `/api/problem-sets/${shelved}/subscriptions/${id}`)).status).toBe(404);
  expect((await as(at, cleo)("DELETE", `/api/problem-sets/${shelved}/subscriptions/${id}`)).status).toBe(204);
});

it("who leaves the set leaves its missions", async () => {
  const guest = await person(at, "guest");
  await admit(at, set, guest, "analyst");
  const mission = (await as(at, ann)("POST", "/api/missions", { problemSetId: set, name: "Short" })).body.data.id;
  const { code } = (await as(at, ann)("POST", `/api/missions/${mission}/invites`, {})).body.data;
  const another = await as(at, guest)("POST", "/api/missions/accept-invite", { code: `${code}x` });
  expect([another.status, another.body.error.message]).toEqual([404, "No invite with this code."]);
  const [{ id: inviteId }] = (await as(at, ann)("GET", `/api/missions/${mission}/invites`)).body.data;
  const byId = await as(at, guest)("POST", "/api/missions/accept-invite", { inviteId });
  expect([byId.status, byId.body.error.message]).toEqual([
    404,
    "No invite with this id names you; others need their code.",
  ]);
  expect((await as(at, guest)("POST", "/api/missions/accept-invite", { code })).status).toBe(200);
  const participants = async () =>
    (await as(at, ann)("GET", `/api/missions/${mission}/participants`)).body.data.map(({ userId }: any) => userId);
  expect(await participants()).toContain(guest.userId);
  await as(at, ann)("DELETE", path(`/members/${guest.did}`));
  await eventually(participants, (all) => !all.includes(guest.userId));
  expect(await participants()).toEqual([ann.userId]);
});

describe("escalation", () => {
  const rule = (fields: object = {}) =>
    as(at, ann)("POST", path("/escalation-rules"), {
      name: "Slow gates",
      condition: { about: "gate", state: "submitted" },
      delayMinutes: 60,
      target: { role: "deputy" },
      ...fields,
    });
  const escalations = async (who: Person) => (await read(who, "/escalations")).data;

  it("fires by itself when a state lasts too long, once, and tells those of the target who may see it", async () => {
    const { id } = (await rule()).body.data;
    const [slow, quick] = [await gate(ann, { name: "Slow" }), await gate(ann, { name: "Quick" })];
    for (const one of [slow, quick]) await as(at, ann)("POST", `/api/gates/${one.id}/submit`, {});
    const watches = await at.mesh.world.documents.collection("problem_sets_watches");
    const ofQuick = (state: object) => watches.find({ query: { subjectId: quick.id, ...state } });
    // One that is stored under an id from before is the same one.
    const [watch] = await eventually(
      () => ofQuick({ state: "submitted" }),
      ({ length }) => length === 1,
    );
    await watches.removeById(watch!._id);
    await watches.insert({ ...watch!, _id: derivedId(`watch gate ${quick.id} in ${set}`) });
    await as(at, bob)("POST", `/api/gates/${quick.id}/reject`, { reason: "Not today." });
    await eventually(
      () => ofQuick({ over: true }),
      ({ length }) => length === 1,
    );
    expect(await ofQuick({})).toHaveLength(1);
    at.clock.advance(61 * 60_000);
    const fired = await eventually(
      () => escalations(cleo),
      (all) => all.some(({ subject }: any) => subject.id === slow.id),
    );
    expect(fired.filter(({ subject }: any) => [slow.id, quick.id].includes(subject.id))).toEqual([
      expect.objectContaining({ ruleId: id, subject: { type: "gate", id: slow.id }, told: 1 }),
    ]);
    await eventually(
      () => read(bob, "/notifications"),
      ({ data }) =>
        data.some(({ kind, summary }: any) => kind === "escalation.fired" && summary.startsWith("Slow gates:")),
    );
    at.clock.advance(61 * 60_000);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await escalations(cleo)).filter(({ subject }: any) => subject?.id === slow.id)).toHaveLength(1);
    expect((await as(at, ann)("DELETE", path(`/escalation-rules/${id}`))).status).toBe(204);
  });

  it("takes the latest of each from what is told together, in whatever order, and looks at each state once", async () => {
    const { id: ruleId } = (await rule({ name: "Anew" })).body.data;
    const told = (id: string, type: string, time: string) => ({
      id: newId(),
      type,
      source: "/signalmesh",
      subject: id,
      time,
      data: { id, problemSetId: set, compartments: [], name: "Told", by: ann.userId },
    });
    const [early, late] = ["2026-11-20T10:00:00.000Z", "2026-11-20T11:00:00.000Z"];
    const [one, other] = [newId(), newId()];
    const facts = [
      told(one, "workspace.gate.submitted", late),
      told(one, "workspace.gate.created", early),
      told(other, "workspace.gate.created", early),
      told(other, "workspace.gate.submitted", late),
    ];
    const { services } = commonsOf(at.mesh.broker);
    const hears = subscribers(services)
      .get("workspace.gate.created")!
      .find((name) => name.includes("activity"))!;
    for (const some of [facts, facts, [facts[1]]]) await at.call(hears, { facts: some }, systemActor("outbox"));
    const { documents } = at.mesh.world;
    const watches = await (
      await documents.collection("problem_sets_watches")
    ).find({ query: { subjectId: { $in: [one, other] } } });
    expect(watches.map(({ state, since }) => [state, since])).toEqual([
      ["submitted", late],
      ["submitted", late],
    ]);
    const appointments = await documents.collection("problem_sets_escalation_appointments");
    const ofBoth = { ruleId, watchId: { $in: watches.map(({ _id }) => _id) } };
    expect(await appointments.count({ query: ofBoth })).toBe(2);
    const items = await documents.collection("problem_sets_activity");
    expect(await items.count({ query: { "subject.id": { $in: [one, other] } } })).toBe(4);
    expect((await as(at, ann)("DELETE", path(`/escalation-rules/${ruleId}`))).status).toBe(204);
  });

  it("waits again for a mission that comes back as a draft, and for a gate whose decision is taken back", () => {
    const after = (kind: string, told: object) => stateAfter({ kind }, told as Record<string, unknown>);
    expect(after("mission.moved", { status: "archived" })).toEqual({ about: "mission", state: null });
    expect(after("mission.moved", { status: "draft" })).toEqual({ about: "mission", state: "draft" });
    expect(after("gate.configured", { reopened: true, was: "approved" })).toEqual({ about: "gate", state: "open" });
  });

  it("follows what it watches to its end: withdrawn and defeated proposals wait for nobody, reopened requests do", async () => {
    const watched = (subjectId: string) => async () =>
      (await (await at.mesh.world.documents.collection("problem_sets_watches")).find({ query: { subjectId } })).map(
        ({ state }) => state,
      );
    const dao = (
      await as(at, ann)("POST", "/api/dao", { problemSetId: set, name: "Council", config: { periodSeconds: 60 } })
    ).body.data.id;
    const propose = async () =>
      (await as(at, ann)("POST", `/api/dao/${dao}/proposals`, { title: "Move" })).body.data.id;
    const [withdrawn, defeated] = [await propose(), await propose()];
    for (const id of [withdrawn, defeated]) await eventually(watched(id), (states) => states.includes("open"));
    await as(at, ann)("POST", `/api/dao/${dao}/proposals/${withdrawn}/cancel`, {});
    await eventually(watched(withdrawn), (states) => states.includes("over"));
    at.clock.advance(61_000);
    await eventually(watched(defeated), (states) => states.includes("over"));

    const below = await openSet(at, ann, { name: "Below", parentId: set });
    const { id: rfi } = (
      await as(at, ann)("POST", `/api/inheritance/${below}/rfis`, { title: "Bridge", question: "Does it hold?" })
    ).body.data;
    const stand = (id: string, status: string) =>
      as(at, ann)("PUT", `/api/inheritance/${id}/rfis/${rfi}/status`, { status });
    await stand(set, "answered");
    await eventually(watched(rfi), (states) => states.length === 2 && states.every((state) => state === "over"));
    await stand(below, "open");
    await eventually(watched(rfi), (states) => states.length === 2 && states.every((state) => state === "open"));
  });

  it("that came due in the archive fires when the set is back", async () => {
    const shelved = await openSet(at, ann, { name: "Shelved" });
    await as(at, ann)("POST", `/api/problem-sets/${shelved}/escalation-rules`, {
      name: "Drafts",
      condition: { about: "mission", state: "draft" },
      delayMinutes: 60,
      target: { role: "commander" },
    });
    const mission = (await as(at, ann)("POST", "/api/missions", { problemSetId: shelved, name: "Slow" })).body.data;
    const appointments = await at.mesh.world.documents.collection("problem_sets_escalation_appointments");
    await eventually(
      () => appointments.count({ query: { problemSetId: shelved } }),
      (count) => count === 1,
    );
    await as(at, ann)("DELETE", `/api/problem-sets/${shelved}`);
    at.clock.advance(61 * 60_000);
    await eventually(
      () => appointments.count({ query: { problemSetId: shelved, dueAt: { $exists: true } } }),
      (count) => count === 0,
    );
    await at.http("POST", `/api/problem-sets/${shelved}/restore`, { as: "admin" });
    await eventually(
      async () => (await as(at, ann)("GET", `/api/problem-sets/${shelved}/escalations`)).body.data,
      (all) => all.length === 1 && all[0].subject.id === mission.id,
    );
  });

  it("of what lies in a compartment of another set reaches whoever is read into it there", async () => {
    const below = await openSet(at, ann, { name: "Below", parentId: set });
    await admit(at, below, bob, "deputy");
    const closed = await openCompartment(at, below, ann, "Closed", bob);
    const { id } = (
      await as(at, bob)("POST", `/api/inheritance/${below}/rfis`, {
        title: "Closed",
        question: "Who?",
        compartments: [closed],
      })
    ).body.data;
    await rule({ name: "Slow answers", condition: { about: "rfi", state: "open" }, delayMinutes: 0 });
    const fired = await eventually(
      () => escalations(bob),
      (all) => all.some(({ subject }: any) => subject?.id === id),
    );
    expect(fired.find(({ subject }: any) => subject?.id === id)).toMatchObject({ told: 1 });
    expect(JSON.stringify([await escalations(ann), await read(ann, "/notifications")])).not.toContain(id);
  });

  it("by hand lies where what it is about lies, whatever that is, and goes to the commanders when the one named has gone", async () => {
    const unit = (
      await as(at, bob)("POST", "/api/command/units", { problemSetId: set, name: "Hidden", compartments: [red] })
    ).body.data;
    await eventually(
      () => read(bob, "/activity?kind=unit.created"),
      ({ data }) => data.some((one: any) => one.subject.id === unit.id),
    );
    const made = (
      await as(at, bob)("POST", path("/escalate"), { reason: "No answer.", subject: { type: "unit", id: unit.id } })
    ).body.data;
    expect(made).toMatchObject({ compartments: [red], told: 0 });
    const toAnn = { reason: "No answer.", subject: { type: "unit", id: unit.id }, target: { did: ann.did } };
    const refused = await as(at, bob)("POST", path("/escalate"), toAnn);
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, "target.did"]);
    expect(JSON.stringify(await escalations(ann))).not.toContain(unit.id);
    // Of what is not seen to lie anywhere nothing is told in the open; to others it is as if there were nothing.
    const escalated = (who: Person, subject: object, compartments?: string[]) =>
      as(at, who)("POST", path("/escalate"), { reason: "No answer.", subject, ...(compartments && { compartments }) });
    const absent = { type: "unit", id: unit.id.replace(/.{4}$/, "ffff") };
    for (const [who, subject] of [
      [bob, absent],
      [bob, { ...absent, type: "banana" }],
      [ann, { type: "unit", id: unit.id }],
    ] as const)
      expect((await escalated(who, subject)).body.error.details[0].path).toBe("subject");
    expect((await escalated(bob, absent, [red])).body.data).toMatchObject({ compartments: [red] });

    const gone = await person(at, "gone");
    await admit(at, set, gone, "analyst");
    await rule({
      name: "Named",
      condition: { about: "mission", state: "draft" },
      delayMinutes: 0,
      target: { did: gone.did },
    });
    await as(at, gone)("DELETE", path(`/members/${gone.did}`));
    const { id } = (await as(at, ann)("POST", "/api/missions", { problemSetId: set, name: "Waits" })).body.data;
    const fired = await eventually(
      () => escalations(ann),
      (all) => all.some(({ subject }: any) => subject?.id === id),
    );
    expect(fired.find(({ subject }: any) => subject?.id === id)).toMatchObject({ told: 1 });
    await eventually(
      () => read(ann, "/notifications"),
      ({ data }) => data.some(({ kind, summary }: any) => kind === "escalation.fired" && summary.startsWith("Named:")),
    );
  });

  it("of what lies in a compartment is told to nobody who is not read in", async () => {
    await rule({
      name: "Open gates",
      condition: { about: "gate", state: "open" },
      delayMinutes: 0,
      target: { role: "analyst" },
    });
    const secret = await gate(bob, { name: "Secret again", compartments: [red] });
    const fired = await eventually(
      () => escalations(bob),
      (all) => all.some(({ subject }: any) => subject?.id === secret.id),
    );
    expect(fired.find(({ subject }: any) => subject?.id === secret.id)).toMatchObject({ told: 0 });
    for (const who of [ann, cleo])
      expect(
        JSON.stringify([await escalations(who), await read(who, "/notifications"), await read(who, "/activity")]),
      ).not.toContain(secret.id);
  });

  it("is made by hand, with a reason and to somebody who is there", async () => {
    expect(
      (await as(at, cleo)("POST", path("/escalate"), { reason: "Nobody answers.", target: { did: bob.did } })).body
        .data,
    ).toMatchObject({ told: 1, reason: "Nobody answers." });
    expect(
      (await as(at, cleo)("POST", path("/escalate"), { reason: "Nobody answers.", compartments: ["none-of-hers"] }))
        .status,
    ).toBe(404);
    expect(
      (await as(at, cleo)("POST", path("/escalate"), { reason: "Nobody answers.", target: { did: eve.did } })).body
        .error.details[0].path,
    ).toBe("target.did");
    expect((await rule({ condition: { about: "gate", state: "approved" } })).body.error.details[0].path).toBe(
      "condition.state",
    );
    expect((await as(at, cleo)("POST", path("/escalation-rules"), {})).status).toBe(403);
  });
});

it("says of a gate whose deadline passed that it expired", async () => {
  const own = await openSet(at, ann);
  await gate(ann, { problemSetId: own, deadline: new Date(at.clock.now() + 60_000).toISOString() });
  at.clock.advance(61_000);
  const told = await eventually(
    async () => (await as(at, ann)("GET", `/api/problem-sets/${own}/activity?kind=gate.decided`)).body.data,
    (items) => items.length > 0,
  );
  expect(told[0].summary).toBe('The gate "Release" expired: The deadline passed.');
});
