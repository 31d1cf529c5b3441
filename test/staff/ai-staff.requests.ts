import { put } from "../knowledge/documents.requests.ts";
import { eventually, stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import type { Person } from "../workspace/people.ts";

const gateOf = (at: TestWorld, problemSetId: string, by?: Person, compartments: string[] = []): Promise<any> =>
  made(at, "POST", "/api/gates", { problemSetId, tab: "staff", name: "Noted", compartments }, by);

/** Asks the staff something, and waits for the end of the answer. */
export async function asked(at: TestWorld, problemSetId: string, body: object, by?: Person): Promise<any> {
  const { messageId, ...who } = await made(at, "POST", `/api/ai-staff/${problemSetId}/chat`, body, by);
  const rows = await eventually(
    () => made(at, "GET", `/api/ai-staff/${problemSetId}/chat`, undefined, by),
    (found: any[]) => found.some(({ id, status }) => id === messageId && !["queued", "answering"].includes(status)),
  );
  return { ...rows.find(({ id }: any) => id === messageId), who };
}

export const requests: Rows["requests"] = {
  "POST /api/ai-staff/:problemSetId/feed": async (at) => {
    const { commander, id } = await desk(at);
    const body = { title: "The bridge is closed", severity: "high" };
    return { path: `/api/ai-staff/${id}/feed`, as: commander.token, body, effect: stored("ai_staff_feed") };
  },
  "POST /api/ai-staff/:problemSetId/feed/read-all": async (at) => {
    const { commander, id } = await desk(at);
    return { path: `/api/ai-staff/${id}/feed/read-all`, as: commander.token, body: {} };
  },
  "POST /api/ai-staff/:problemSetId/annotations": async (at) => {
    const { commander, id } = await desk(at);
    const gate = await gateOf(at, id);
    return {
      path: `/api/ai-staff/${id}/annotations`,
      as: commander.token,
      body: { text: "Too late", targetType: "gate", targetId: gate.id },
      effect: stored("ai_staff_annotations"),
    };
  },
  "POST /api/ai-staff/:problemSetId/chat": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: `/api/ai-staff/${id}/chat`,
      as: commander.token,
      body: { text: "What is open?", tab: "plan" },
      effect: stored("ai_staff_messages"),
    };
  },
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const said = { text, compartments };
  const item = await made(
    at,
    "POST",
    `/api/ai-staff/${problemSetId}/feed`,
    { ...said, title: text.slice(0, 200), severity: "critical", dueAt: new Date(at.clock.now()).toISOString() },
    by,
  );
  const document = await put(at, by, `Noted: ${text}`, `${text.slice(0, 40)}.txt`, { problemSetId, compartments });
  const target = { targetType: "document", targetId: document.id };
  const note = await made(at, "POST", `/api/ai-staff/${problemSetId}/annotations`, { ...said, ...target }, by);
  await asked(at, problemSetId, said, by);
  return {
    "/api/ai-staff/:problemSetId/feed/:itemId": item.id,
    "/api/ai-staff/:problemSetId/annotations/:annotationId": note.id,
    "/api/ai-staff/:problemSetId/routing/:tabId": "plan",
  };
}
