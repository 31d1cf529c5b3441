import { eventually, stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { signIn } from "../workspace/people.ts";
import { desk, made } from "../workspace/desk.ts";
import type { Person } from "../workspace/people.ts";

/** Says something in a problem set, or outside of all, and waits for the end of the reply. */
export async function said(at: TestWorld, chat: string, body: object, by?: Person): Promise<any> {
  const { messageId } = await made(at, "POST", `/api/assistant/${chat}/message`, body, by);
  const rows = await eventually(
    () => made(at, "GET", `/api/assistant/${chat}/history`, undefined, by),
    (found: any[]) => found.some(({ id, status }) => id === messageId && !["queued", "answering"].includes(status)),
  );
  return rows.find(({ id }: any) => id === messageId);
}

export const requests: Rows["requests"] = {
  "POST /api/assistant/global/message": async (at) => {
    const { commander } = await desk(at);
    const body = { text: "What is known of the bridge?" };
    return { path: "/api/assistant/global/message", as: commander.token, body, effect: stored("assistant_messages") };
  },
  "POST /api/assistant/:problemSetId/message": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: `/api/assistant/${id}/message`,
      as: commander.token,
      body: { text: "What stands in the way?" },
      effect: stored("assistant_messages"),
    };
  },
  "POST /api/assistant/:problemSetId/confirm": async (at) => {
    const { commander, id } = await desk(at);
    const { action } = await said(at, id, { text: "Create a new mission", input: { name: "Row" } });
    return {
      path: `/api/assistant/${id}/confirm`,
      as: commander.token,
      body: { actionId: action.id, argumentsHash: action.argumentsHash, answer: "no" },
    };
  },
  "POST /api/assistant/:problemSetId/emergency": async (at) => {
    const { id } = await desk(at);
    return {
      path: `/api/assistant/${id}/emergency`,
      as: await signIn(at, "admin@example.org"),
      body: { action: "resume", reason: "A drill" },
      effect: stored("assistant_emergencies"),
    };
  },
};

export async function plant(at: TestWorld, { problemSetId, by, text }: Place): Promise<Planted> {
  const { id } = await said(at, problemSetId, { text }, by);
  return { "/api/assistant/messages/:messageId": id };
}
