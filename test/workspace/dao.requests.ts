import type { Place, Planted, Rows } from "../requests.ts";
import { made } from "./desk.ts";
import { admit, as, openSet, person, type Person } from "./people.ts";
import { oncePerWorld, stored, type TestWorld } from "../mesh.ts";

interface Council {
  ann: Person;
  ben: Person;
  set: string;
  dao: string;
}

/** A problem set of two who may vote, and a DAO whose votes open at once. */
const shared = oncePerWorld(async (at): Promise<Council> => {
  const [ann, ben] = [await person(at, "dao"), await person(at, "dao")];
  const set = await openSet(at, ann);
  await admit(at, set, ben, "deputy");
  const { id: dao } = (
    await as(at, ann)("POST", "/api/dao", { problemSetId: set, name: "Row", config: { periodSeconds: 60 } })
  ).body.data;
  return { ann, ben, set, dao };
});
const proposal = async (at: TestWorld, { ann, dao }: Council, body: object = {}): Promise<string> =>
  (await as(at, ann)("POST", `/api/dao/${dao}/proposals`, { title: "Row", ...body })).body.data.id;
const passed = async (at: TestWorld, { ann, dao }: Council): Promise<string> => {
  const id = await proposal(at, { ann, dao } as Council);
  await as(at, ann)("POST", `/api/dao/${dao}/proposals/${id}/vote`, { choice: "for" });
  at.clock.advance(61_000);
  return id;
};

export const requests: Rows["requests"] = {
  "POST /api/dao": async (at) => {
    const { ann, set } = await shared(at);
    return { path: "/api/dao", as: ann.token, body: { name: "Once", problemSetId: set }, effect: stored("daos") };
  },
  "POST /api/dao/:daoId/proposals": async (at) => {
    const { ann, dao } = await shared(at);
    return {
      path: `/api/dao/${dao}/proposals`,
      as: ann.token,
      body: { title: "Once" },
      effect: stored("dao_proposals"),
    };
  },
  "POST /api/dao/:daoId/proposals/:proposalId/vote": async (at) => {
    const one = await shared(at);
    return {
      path: `/api/dao/${one.dao}/proposals/${await proposal(at, one)}/vote`,
      as: one.ben.token,
      body: { choice: "for" },
    };
  },
  "POST /api/dao/:daoId/proposals/:proposalId/vote/typed-data": async (at) => {
    const one = await shared(at);
    return {
      path: `/api/dao/${one.dao}/proposals/${await proposal(at, one)}/vote/typed-data`,
      as: one.ben.token,
      body: { choice: "for" },
    };
  },
  "POST /api/dao/:daoId/proposals/:proposalId/cancel": async (at) => {
    const one = await shared(at);
    return { path: `/api/dao/${one.dao}/proposals/${await proposal(at, one)}/cancel`, as: one.ann.token, body: {} };
  },
  "POST /api/dao/:daoId/proposals/:proposalId/finalize": async (at) => {
    const one = await shared(at);
    return { path: `/api/dao/${one.dao}/proposals/${await passed(at, one)}/finalize`, as: one.ann.token };
  },
  "POST /api/dao/:daoId/proposals/:proposalId/execute": async (at) => {
    const one = await shared(at);
    return { path: `/api/dao/${one.dao}/proposals/${await passed(at, one)}/execute`, as: one.ann.token };
  },
  "POST /api/dao/:daoId/roles": async (at) => {
    const { ann, dao } = await shared(at);
    return { path: `/api/dao/${dao}/roles`, as: ann.token, body: { name: "Once" }, effect: stored("dao_roles") };
  },
  "POST /api/dao/:daoId/members/:account/roles": async (at) => {
    const { ann, ben, dao } = await shared(at);
    const { id: roleId } = (await as(at, ann)("POST", `/api/dao/${dao}/roles`, { name: "Row" })).body.data;
    return { path: `/api/dao/${dao}/members/${ben.userId}/roles`, as: ann.token, body: { roleId } };
  },
  "POST /api/dao/:daoId/delegate": async (at) => {
    const { ann, ben, dao } = await shared(at);
    return { path: `/api/dao/${dao}/delegate`, as: ben.token, body: { to: ann.did } };
  },
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const { id: daoId } = await made(
    at,
    "POST",
    "/api/dao",
    { problemSetId, compartments, name: text, description: text, config: { periodSeconds: 3_600 } },
    by,
  );
  const { id: roleId } = await made(at, "POST", `/api/dao/${daoId}/roles`, { name: text }, by);
  await made(at, "PUT", `/api/dao/${daoId}/members/${by.userId}`, {}, by);
  await made(at, "POST", `/api/dao/${daoId}/members/${by.userId}/roles`, { roleId }, by);
  const { id: proposalId } = await made(
    at,
    "POST",
    `/api/dao/${daoId}/proposals`,
    { title: text, description: text },
    by,
  );
  await made(at, "POST", `/api/dao/${daoId}/proposals/${proposalId}/vote`, { choice: "for" }, by);
  return {
    "/api/dao/:daoId": daoId,
    "/api/dao/:daoId/members/:account": by.userId,
    "/api/dao/:daoId/members/:account/roles/:roleId": roleId,
    "/api/dao/:daoId/proposals/:proposalId": proposalId,
    "/api/dao/proposals/:proposalId": proposalId,
  };
}
