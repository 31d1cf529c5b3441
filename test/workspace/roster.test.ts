import fc from "fast-check";
import { permitsOf } from "../../config/roles.ts";
import { outranks, SET_ROLE_NAMES, type SetRole } from "../../config/set-roles.ts";
import { systemActor, type Actor } from "../../core/access/access.ts";
import { eventually, itInside, world, type TestWorld } from "../mesh.ts";
import { together } from "../together.ts";
import { admit, as, openSet, type Person, persons } from "./people.ts";

// What holds whatever members do to one another, one after the other or at once.

let at: TestWorld;
let people: Person[];
beforeAll(async () => {
  at = await world();
  people = await persons(at, "ann", "bob", "cat", "dan");
});
afterAll(() => at.stop());

const mesh = (action: string, params: object) => at.call(`problem-sets.${action}`, params, systemActor("test"));
const actorFor = async ({ userId }: Person): Promise<Actor> => ({
  userId,
  roles: ["reader"],
  via: "jwt",
  permits: permitsOf(["reader"]),
  memberships: await mesh("membershipsOf", { userId, training: false }),
});

interface Standing {
  role: SetRole;
  status: string;
}
const roster = async (problemSetId: string): Promise<Map<string, Standing>> => {
  const rows = await (
    await at.mesh.world.documents.collection("problem_set_members")
  ).find({ query: { problemSetId } });
  return new Map(rows.map((row) => [row["userId"], { role: row["role"], status: row["status"] }]));
};
const commanders = async (problemSetId: string): Promise<number> =>
  [...(await roster(problemSetId)).values()].filter(({ role, status }) => role === "commander" && status === "active")
    .length;

const who = fc.integer({ min: 0, max: 3 });
const step = fc.oneof(
  fc.record({ act: fc.constant("setRole" as const), by: who, to: who, role: fc.constantFrom(...SET_ROLE_NAMES) }),
  fc.record({
    act: fc.constantFrom("suspend" as const, "unsuspend" as const, "remove" as const, "invite" as const),
    by: who,
    to: who,
    role: fc.constantFrom(...SET_ROLE_NAMES),
  }),
);

it("whatever is tried: there is a commander, nobody rises above who raised them, and nobody acts on someone above", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const id = await openSet(at, people[0]!);
      for (const other of people.slice(1)) await admit(at, id, other, "deputy");
      for (const { act, by, to, role } of steps) {
        const [actor, target] = [await actorFor(people[by]!), people[to]!];
        const before = await roster(id);
        const done =
          act === "invite"
            ? await at
                .call("problem-sets.invitations.issue", { id, role }, actor)
                .then(async ({ code }) =>
                  at.call("problem-sets.invitations.acceptByCode", { code }, await actorFor(target)),
                )
                .then(
                  () => true,
                  () => false,
                )
            : await at
                .call(
                  `problem-sets.members.${act}`,
                  { id, memberDid: target.did, ...(act === "setRole" && { role }) },
                  actor,
                )
                .then(
                  () => true,
                  () => false,
                );
        const after = await roster(id);
        expect(await commanders(id)).toBeGreaterThanOrEqual(1);
        const [was, is, own] = [before.get(target.userId), after.get(target.userId), before.get(people[by]!.userId)];
        if (!done) expect(after).toEqual(before);
        if (is && (!was || outranks(is.role, was.role))) expect(outranks(is.role, own!.role)).toBe(false);
        if (was && JSON.stringify(was) !== JSON.stringify(is)) expect(outranks(was.role, own!.role)).toBe(false);
      }
    }),
    { numRuns: 20 },
  );
});

it("commanders who take the command from one another at once leave one of them", async () => {
  for (let round = 0; round < 8; round++) {
    const id = await openSet(at, people[0]!);
    for (const other of people.slice(1)) await admit(at, id, other, "commander");
    const path = (target: Person) => `/api/problem-sets/${id}/members/${target.did}`;
    const attacks = people.map((by, n) => {
      const target = people[(n + 1) % people.length]!;
      if (round % 3 === 0) return as(at, by)("POST", `${path(target)}/role`, { role: "planner" });
      return round % 3 === 1 ? as(at, by)("POST", `${path(target)}/suspend`, {}) : as(at, by)("DELETE", path(by));
    });
    const statuses = (await Promise.all(attacks)).map(({ status }) => status);
    expect(statuses.every((status) => [200, 204, 403, 404, 409].includes(status))).toBe(true);
    expect(await commanders(id)).toBeGreaterThanOrEqual(1);
  }
});

const WAYS: Record<
  string,
  { ask: (id: string, by: Person, other: Person) => Promise<{ status: number }>; method: "claim" | "removeMany" }
> = {
  "demote one another": {
    method: "claim",
    ask: (id, by, other) =>
      as(at, by)("POST", `/api/problem-sets/${id}/members/${other.did}/role`, { role: "planner" }),
  },
  "suspend one another": {
    method: "claim",
    ask: (id, by, other) => as(at, by)("POST", `/api/problem-sets/${id}/members/${other.did}/suspend`, {}),
  },
  leave: { method: "removeMany", ask: (id, by) => as(at, by)("DELETE", `/api/problem-sets/${id}/members/${by.did}`) },
};

describe("two commanders who, at the same instant,", () => {
  itInside.each(Object.keys(WAYS))("%s: one gets through, and one stays", async (way) => {
    const [ann, bob] = people as [Person, Person];
    const id = await openSet(at, ann);
    await admit(at, id, bob, "commander");
    const { ask, method } = WAYS[way]!;
    let statuses: number[] = [];
    // What takes something from a member, not what calls them for a witness.
    await together(
      at,
      "problem-sets",
      "problem_set_members",
      method,
      (_query, update) =>
        method === "removeMany" || update?.$set?.["role"] === "planner" || update?.$set?.["status"] === "suspended",
      async () => {
        statuses = (await Promise.all([ask(id, ann, bob), ask(id, bob, ann)])).map(({ status }) => status);
      },
    );
    expect(statuses.filter((status) => status < 300).length).toBe(1);
    expect(statuses.some((status) => [403, 404, 409].includes(status))).toBe(true);
    expect(await commanders(id)).toBe(1);
  });
});

it("sets put below one another at once form no ring", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          child: fc.integer({ min: 0, max: 4 }),
          parent: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
        }),
        { minLength: 4, maxLength: 16 },
      ),
      async (moves) => {
        const ids = await Promise.all(
          Array.from({ length: 5 }, (_, n) => openSet(at, people[0]!, { name: `Set ${n}` })),
        );
        const actor = await actorFor(people[0]!);
        const put = ({ child, parent }: { child: number; parent: number | null }) =>
          at
            .call("problem-sets.update", { id: ids[child]!, parentId: parent === null ? null : ids[parent]! }, actor)
            .catch(() => {});
        await Promise.all(moves.map(put));
        const sets = new Map(
          (await (await at.mesh.world.documents.collection("problem_sets")).findByIds(ids)).map((set) => [
            String(set._id),
            set["parentId"] as string | undefined,
          ]),
        );
        for (const id of ids) {
          const seen = new Set<string>();
          for (let now: string | undefined = id; now !== undefined; now = sets.get(now)) {
            expect(seen.has(now)).toBe(false);
            seen.add(now);
          }
        }
      },
    ),
    { numRuns: 25 },
  );
});

it("one who joins many times at once is a member once", async () => {
  const id = await openSet(at, people[0]!);
  await Promise.all(Array.from({ length: 10 }, () => admit(at, id, people[1]!, "planner")));
  expect((await roster(id)).size).toBe(2);
});

it("takes away what a revoked credential stood for, but never the last command", async () => {
  const [ann, bob] = people as [Person, Person];
  const id = await openSet(at, ann);
  await admit(at, id, bob, "planner");
  const { id: cid } = (await as(at, ann)("POST", `/api/problem-sets/${id}/compartments`, { name: "Sources" })).body
    .data;
  await as(at, ann)("POST", `/api/problem-sets/${id}/compartments/${cid}/members`, { did: bob.did });
  await admit(at, id, people[2]!, "deputy");
  await as(at, people[2]!)("POST", `/api/problem-sets/${id}/compartments/${cid}/members`, { did: ann.did });
  const revoked = async (kind: string, holder: Person, claims: object) => {
    const made = await as(at, ann)("POST", `/api/credentials/issue/${kind}`, {
      subject: holder.did,
      problemSetId: id,
      ...claims,
    });
    expect(made.status).toBe(201);
    expect((await as(at, ann)("POST", `/api/credentials/${made.body.data.id}/revoke`, {})).status).toBe(200);
  };
  const bobs = async () => (await mesh("membershipsOf", { userId: bob.userId, training: false }))[id];
  await revoked("security-clearance", bob, { level: "secret", compartments: [cid] });
  await eventually(bobs, ({ compartments }) => compartments.length === 0);
  await revoked("role-assignment", bob, { role: "analyst" });
  await revoked("role-assignment", ann, { role: "commander" });
  expect(await bobs()).toMatchObject({ role: "planner" });
  await revoked("role-assignment", bob, { role: "planner" });
  await eventually(bobs, ({ role }) => role === "observer");
  expect((await roster(id)).get(ann.userId)).toEqual({ role: "commander", status: "active" });
});
