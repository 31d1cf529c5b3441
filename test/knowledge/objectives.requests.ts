import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import { put } from "./documents.requests.ts";

const PATH = "/api/strategic/objectives";
const DUE = "2099-01-01T00:00:00Z";
const SAID = { purpose: "So that it holds", keyTasks: ["Hold it"], endState: "It holds." };

const objective = async (at: TestWorld, fields: object = {}): Promise<string> =>
  (await made(at, "POST", PATH, { problemSetId: (await desk(at)).id, statement: "Hold the row", ...fields })).id;
/** Put up by the deputy, so that the commander reviews it. */
const submitted = async (at: TestWorld): Promise<string> => {
  const id = await objective(at);
  await made(at, "POST", `${PATH}/${id}/submit`, {}, (await desk(at)).deputy);
  return id;
};
const row = async (at: TestWorld, tail: string, body: unknown, id?: string, effect?: string) => ({
  path: `${PATH}/${id ?? (await objective(at))}/${tail}`,
  as: (await desk(at)).commander.token,
  body,
  ...(effect && { effect: stored(effect) }),
});

export const requests: Rows["requests"] = {
  "POST /api/strategic/objectives": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: PATH,
      as: commander.token,
      body: { statement: "Hold the row", problemSetId: id },
      effect: stored("strategic_objectives"),
    };
  },
  "POST /api/strategic/objectives/:id/verify": (at) => row(at, "verify", {}),
  "POST /api/strategic/objectives/:id/submit": (at) => row(at, "submit", { note: "Row" }),
  "POST /api/strategic/objectives/:id/workflow/take": async (at) => row(at, "workflow/take", {}, await submitted(at)),
  "POST /api/strategic/objectives/:id/review": async (at) =>
    row(at, "review", { decision: "approve" }, await submitted(at)),
  "POST /api/strategic/objectives/:id/workflow/comment": (at) =>
    row(at, "workflow/comment", { text: "Row" }, undefined, "strategic_objective_comments"),
  "POST /api/strategic/objectives/:id/workflow/escalate": async (at) =>
    row(at, "workflow/escalate", { reason: "Above us" }, await submitted(at)),
  "POST /api/strategic/objectives/:id/assess": (at) =>
    row(at, "assess", { status: "on-track", evidence: ["Row"] }, undefined, "strategic_assessments"),
  "POST /api/strategic/objectives/:id/risk": (at) =>
    row(
      at,
      "risk",
      { hazard: "Row", before: { probability: "likely", severity: "critical" } },
      undefined,
      "strategic_risks",
    ),
  "POST /api/strategic/objectives/:id/intent": (at) => row(at, "intent", SAID, undefined, "strategic_intents"),
  "POST /api/strategic/objectives/:id/intent/generate": (at) => row(at, "intent/generate", {}),
  "POST /api/strategic/objectives/:id/operationalize": (at) =>
    row(at, "operationalize", {}, undefined, "strategic_operations"),
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const make = (path: string, body: unknown): Promise<any> => made(at, "POST", path, body, by);
  const { id: documentId } = await put(at, by, `${text} ${Math.random()}`, "plan.txt", { problemSetId, compartments });
  const fields = { problemSetId, compartments, statement: `Hold ${text}`, description: text, owner: text };
  const measure = { indicator: text, baseline: 12, target: 6 };
  const citations = [{ documentId, start: 0, end: text.length }];
  const { id } = await make(PATH, { ...fields, measure, dueAt: DUE, citations });
  await make(`${PATH}/${id}/workflow/comment`, { text });
  await make(`${PATH}/${id}/assess`, { value: 11, evidence: [text] });
  const hazard = { hazard: `Loss of ${text}`, before: { probability: "likely", severity: "critical" } };
  const { id: assessmentId } = await make(`${PATH}/${id}/risk`, hazard);
  const { id: intentId } = await make(`${PATH}/${id}/intent`, { purpose: text, keyTasks: [text], endState: text });
  await make(`${PATH}/${id}/operationalize`, {});
  const raised = await make(PATH, fields);
  await make(`${PATH}/${raised.id}/submit`, { note: text });
  await make(`${PATH}/${raised.id}/workflow/escalate`, { reason: text });
  return {
    "/api/strategic/objectives/:id": id,
    "/api/strategic/risk/:assessmentId": assessmentId,
    "/api/strategic/intent/:intentId": intentId,
  };
}
