import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "./desk.ts";

const path = async (at: TestWorld, tail: string): Promise<string> => `/api/problem-sets/${(await desk(at)).id}${tail}`;
const rule = {
  name: "Row",
  condition: { about: "gate", state: "open" },
  delayMinutes: 600,
  target: { role: "commander" },
};

export const requests: Rows["requests"] = {
  "POST /api/problem-sets/notifications/counts": async (at) => ({
    path: "/api/problem-sets/notifications/counts",
    as: (await desk(at)).commander.token,
    body: { problemSetIds: [(await desk(at)).id] },
  }),
  "POST /api/problem-sets/:id/subscriptions": async (at) => ({
    path: await path(at, "/subscriptions"),
    as: (await desk(at)).commander.token,
    body: { kinds: ["gate.*"] },
    effect: stored("problem_sets_subscriptions"),
  }),
  "POST /api/problem-sets/:id/escalation-rules": async (at) => ({
    path: await path(at, "/escalation-rules"),
    as: (await desk(at)).commander.token,
    body: rule,
    effect: stored("problem_sets_escalation_rules"),
  }),
  "POST /api/problem-sets/:id/escalate": async (at) => ({
    path: await path(at, "/escalate"),
    as: (await desk(at)).commander.token,
    body: { reason: "A row" },
    effect: stored("problem_sets_escalations"),
  }),
};

/** Positions, rules and subscriptions lie in no compartment; what is escalated does. */
export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const at1 = `/api/problem-sets/${problemSetId}`;
  await made(at, "POST", `${at1}/escalate`, { reason: text, compartments, target: { role: "observer" } }, by);
  if (compartments.length) return {};
  const position = await made(at, "POST", `${at1}/positions`, { title: `${text} ${Date.now()}` }, by);
  const { id: ruleId } = await made(at, "POST", `${at1}/escalation-rules`, { ...rule, name: text }, by);
  const { id: subId } = await made(at, "POST", `${at1}/subscriptions`, { kinds: ["mission.created"] }, by);
  const invite = await made(at, "POST", `${at1}/invite`, {}, by);
  const compartment = await made(at, "POST", `${at1}/compartments`, { name: text }, by);
  return {
    "/api/problem-sets/:id/positions/:positionId": position.id,
    "/api/problem-sets/:id/escalation-rules/:ruleId": ruleId,
    "/api/problem-sets/:id/subscriptions/:subId": subId,
    "/api/problem-sets/:id/invites/:inviteId": invite.id,
    "/api/problem-sets/:id/compartments/:cid": compartment.id,
  };
}
