import { eventually, stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk } from "../workspace/desk.ts";
import { as } from "../workspace/people.ts";
import { form, put } from "./documents.requests.ts";

let made = 0;
const plan = (): string => `Objectives:\n1. Hold bridge ${++made} until 12 March 2026.\n`;

export const requests: Rows["requests"] = {
  "POST /api/strategic/documents": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: "/api/strategic/documents",
      as: commander.token,
      body: form(plan(), "row.txt", { problemSetId: id, kind: "plan" }),
      effect: stored("documents"),
    };
  },
  "POST /api/strategic/documents/:documentId/extract": async (at) => {
    const { commander, id } = await desk(at);
    const document = await put(at, commander, plan(), "row.txt", { problemSetId: id });
    return { path: `/api/strategic/documents/${document.id}/extract`, as: commander.token, body: {} };
  },
};

/** One more document, with what is found in it and a review of it. */
export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const fields = { problemSetId, compartments, title: text, description: text };
  const content = `${text}\n\nObjectives:\n1. Hold the the ${text} until 12 March 2026.\n`;
  const { id } = await put(at, by, content, `${text}.txt`, fields);
  const ask = as(at, by);
  await ask("POST", `/api/strategic/documents/${id}/extract`, {});
  const { reviewId } = (await ask("POST", `/api/strategic/documents/${id}/review`, {})).body.data;
  await eventually(
    async () => (await ask("GET", `/api/strategic/documents/${id}/objectives`)).body.meta.total,
    (total) => total > 0,
  );
  await eventually(
    async () => (await ask("GET", `/api/strategic/reviews/${reviewId}`)).body.data.status,
    (status) => status !== "running",
  );
  return {
    "/api/strategic/documents/:id": id,
    "/api/strategic/documents/:documentId": id,
    "/api/strategic/reviews/:reviewId": reviewId,
  };
}
