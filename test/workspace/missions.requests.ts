import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "./desk.ts";

export const mission = async (at: TestWorld): Promise<string> =>
  (await made(at, "POST", "/api/missions", { problemSetId: (await desk(at)).id, name: "Row" })).id;

export const requests: Rows["requests"] = {
  "POST /api/missions": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: "/api/missions",
      as: commander.token,
      body: { name: "Row", problemSetId: id },
      effect: stored("missions"),
    };
  },
  "POST /api/missions/:id/activate": async (at) => ({
    path: `/api/missions/${await mission(at)}/activate`,
    as: (await desk(at)).commander.token,
  }),
  "POST /api/missions/:id/complete": async (at) => {
    const id = await mission(at);
    await made(at, "POST", `/api/missions/${id}/activate`);
    return { path: `/api/missions/${id}/complete`, as: (await desk(at)).commander.token, body: { outcome: "Done" } };
  },
  "POST /api/missions/:id/reopen": async (at) => {
    const id = await mission(at);
    await made(at, "POST", `/api/missions/${id}/activate`);
    await made(at, "POST", `/api/missions/${id}/complete`, { outcome: "Done" });
    return { path: `/api/missions/${id}/reopen`, as: (await desk(at)).commander.token };
  },
  "POST /api/missions/:id/restore": async (at) => {
    const id = await mission(at);
    await made(at, "POST", `/api/missions/${id}/archive`);
    return { path: `/api/missions/${id}/restore`, as: (await desk(at)).commander.token };
  },
  "POST /api/missions/:id/archive": async (at) => ({
    path: `/api/missions/${await mission(at)}/archive`,
    as: (await desk(at)).commander.token,
  }),
  "POST /api/missions/:id/invites": async (at) => ({
    path: `/api/missions/${await mission(at)}/invites`,
    as: (await desk(at)).commander.token,
    body: { part: "planner" },
    effect: stored("missions_invites"),
  }),
  "POST /api/missions/accept-invite": async (at) => {
    const { code } = await made(at, "POST", `/api/missions/${await mission(at)}/invites`, {});
    return { path: "/api/missions/accept-invite", as: (await desk(at)).deputy.token, body: { code } };
  },
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const { id } = await made(
    at,
    "POST",
    "/api/missions",
    { problemSetId, compartments, name: text, description: text, objective: text },
    by,
  );
  const invite = await made(at, "POST", `/api/missions/${id}/invites`, {}, by);
  const [participant] = await made(at, "GET", `/api/missions/${id}/participants`, undefined, by);
  return {
    "/api/missions/:id": id,
    "/api/missions/:id/invites/:inviteId": invite.id,
    "/api/missions/:id/participants/:participantId": participant.id,
    "/api/command/hierarchy/:missionId": id,
    "/api/command/matrix/:missionId": id,
    "/api/command/validate-hierarchy/:missionId": id,
  };
}
