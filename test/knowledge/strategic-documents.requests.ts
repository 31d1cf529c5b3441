import type { TestWorld } from "../mesh.ts";
import { eventually } from "../mesh.ts";
import { as } from "../workspace/people.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk } from "../workspace/desk.ts";
import { stored } from "../mesh.ts";
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

/** One more document, with what is found in it. */
export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const fields = { problemSetId, compartments, title: text, description: text };
  const { id } = await put(
    at,
    by,
    `${text}\n\nObjectives:\n1. Hold ${text} until 12 March 2026.\n`,
    `${text}.txt`,
    fields,
  );
  await as(at, by)("POST", `/api/strategic/documents/${id}/extract`, {});
  await eventually(
    async () => (await as(at, by)("GET", `/api/strategic/documents/${id}/objectives`)).body.meta.total,
    (total) => total > 0,
  );
  return { "/api/strategic/documents/:id": id, "/api/strategic/documents/:documentId": id };
}
