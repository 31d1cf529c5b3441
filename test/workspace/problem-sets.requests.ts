import type { Place, Planted, Rows } from "../requests.ts";
import { systemActor } from "../../core/access/access.ts";
import { as, admit, openSet, person, type Person } from "./people.ts";
import { oncePerWorld, stored, type TestWorld } from "../mesh.ts";

interface Desk {
  commander: Person;
  other: Person;
  id: string;
}

/** A set with a commander and a deputy. */
async function desk(at: TestWorld): Promise<Desk> {
  const [commander, other] = [await person(at, "row"), await person(at, "row")];
  const id = await openSet(at, commander);
  await admit(at, id, other, "deputy");
  return { commander, other, id };
}
/** The same set for every request of a world: what is counted twice is made by the same person. */
const shared = oncePerWorld(desk);
const compartment = async (at: TestWorld, { commander, id }: Desk): Promise<string> =>
  (await as(at, commander)("POST", `/api/problem-sets/${id}/compartments`, { name: "Row" })).body.data.id;
const invitation = async (
  at: TestWorld,
  { commander, id }: Desk,
  body: object = {},
): Promise<{ id: string; code: string }> =>
  (await as(at, commander)("POST", `/api/problem-sets/${id}/invite`, body)).body.data;
let counter = 0;

export const requests: Rows["requests"] = {
  "POST /api/problem-sets": async () => ({
    path: "/api/problem-sets",
    body: { name: "Row" },
    effect: stored("problem_sets"),
  }),
  "POST /api/problem-sets/:id/members/:memberDid/role": async (at) => {
    const { commander, other, id } = await desk(at);
    return {
      path: `/api/problem-sets/${id}/members/${other.did}/role`,
      as: commander.token,
      body: { role: "planner" },
    };
  },
  "POST /api/problem-sets/:id/members/:memberDid/suspend": async (at) => {
    const { commander, other, id } = await desk(at);
    return {
      path: `/api/problem-sets/${id}/members/${other.did}/suspend`,
      as: commander.token,
      body: { reason: "Row" },
    };
  },
  "POST /api/problem-sets/:id/members/:memberDid/unsuspend": async (at) => {
    const { commander, other, id } = await desk(at);
    await as(at, commander)("POST", `/api/problem-sets/${id}/members/${other.did}/suspend`, {});
    return { path: `/api/problem-sets/${id}/members/${other.did}/unsuspend`, as: commander.token };
  },
  "POST /api/problem-sets/:id/compartments": async (at) => {
    const { commander, id } = await shared(at);
    return {
      path: `/api/problem-sets/${id}/compartments`,
      as: commander.token,
      body: { name: "Row" },
      effect: stored("compartments"),
    };
  },
  "POST /api/problem-sets/:id/compartments/:cid/members": async (at) => {
    const set = await desk(at);
    return {
      path: `/api/problem-sets/${set.id}/compartments/${await compartment(at, set)}/members`,
      as: set.commander.token,
      body: { did: set.other.did },
    };
  },
  "POST /api/problem-sets/:id/compartments/:cid/restore": async (at) => {
    const set = await desk(at);
    const path = `/api/problem-sets/${set.id}/compartments/${await compartment(at, set)}`;
    await as(at, set.commander)("DELETE", path);
    return { path: `${path}/restore`, as: set.commander.token };
  },
  "POST /api/problem-sets/:id/invite": async (at) => {
    const { commander, id } = await shared(at);
    return {
      path: `/api/problem-sets/${id}/invite`,
      as: commander.token,
      body: { role: "observer" },
      effect: stored("invitations"),
    };
  },
  "POST /api/problem-sets/invite/accept-by-code": async (at) => {
    const set = await desk(at);
    return {
      path: "/api/problem-sets/invite/accept-by-code",
      as: (await person(at, "row")).token,
      body: { code: (await invitation(at, set)).code },
    };
  },
  "POST /api/problem-sets/invite/accept": async (at) => {
    const invitee = await person(at, "row");
    return {
      path: "/api/problem-sets/invite/accept",
      as: invitee.token,
      body: { inviteId: (await invitation(at, await desk(at), { did: invitee.did })).id },
    };
  },
  "POST /api/problem-sets/:id/invites/:inviteId/approve": async (at) => {
    const set = await desk(at);
    const { id, code } = await invitation(at, set, { approval: true });
    await as(at, await person(at, "row"))("POST", "/api/problem-sets/invite/accept-by-code", { code });
    return { path: `/api/problem-sets/${set.id}/invites/${id}/approve`, as: set.commander.token, body: {} };
  },
  "POST /api/problem-sets/:id/positions": async (at) => {
    const { commander, id } = await shared(at);
    return {
      path: `/api/problem-sets/${id}/positions`,
      as: commander.token,
      body: { title: `Row ${++counter}` },
      effect: stored("positions"),
    };
  },
  "POST /api/problem-sets/:id/positions/bulk": async (at) => {
    const { commander, id } = await shared(at);
    return {
      path: `/api/problem-sets/${id}/positions/bulk`,
      as: commander.token,
      body: { positions: [{ title: `Row ${++counter}` }, { title: `Row ${++counter}` }] },
      effect: stored("positions"),
    };
  },
  "POST /api/problem-sets/from-scenario": async (at) => ({
    path: "/api/problem-sets/from-scenario",
    as: (await shared(at)).commander.token,
    body: { scenario: { id: "row", name: "Row", summary: "Row", set: { name: "Row" } } },
    effect: stored("problem_sets"),
  }),
  "POST /api/problem-sets/:id/scenario": async (at) => {
    const { commander, id } = await desk(at);
    return { path: `/api/problem-sets/${id}/scenario`, as: commander.token, body: { scenarioId: "river-flood" } };
  },
  "POST /api/problem-sets/:id/restore": async (at) => {
    const { commander, id } = await desk(at);
    await as(at, commander)("DELETE", `/api/problem-sets/${id}`);
    await at.tokenOf("admin");
    return { path: `/api/problem-sets/${id}/restore`, as: "admin" };
  },
};

export async function plant(at: TestWorld, { problemSetId, compartments, text }: Place): Promise<Planted> {
  await at.call(
    "problem-sets.scenarios.keep",
    { problemSetId, compartments, kind: "document", document: { title: text, text } },
    systemActor("test"),
  );
  await at.call(
    "problem-sets.scenarios.keep",
    {
      problemSetId,
      compartments,
      kind: "resource",
      resource: { name: text, kind: "vessel", quantity: 1, unit: "boats" },
    },
    systemActor("test"),
  );
  return {};
}
