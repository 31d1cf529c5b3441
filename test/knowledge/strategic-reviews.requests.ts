import { eventually, type TestWorld } from "../mesh.ts";
import type { Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import { put } from "./documents.requests.ts";

let count = 0;
const plan = (): string => `Plan ${++count}: hold the the bridge.`;

/** A review that waits for a decision. */
async function open(at: TestWorld): Promise<any> {
  const { commander, id } = await desk(at);
  const document = await put(at, commander, plan(), "row.txt", { problemSetId: id });
  const { reviewId } = await made(at, "POST", `/api/strategic/documents/${document.id}/review`, {});
  return eventually(
    () => made(at, "GET", `/api/strategic/reviews/${reviewId}`),
    ({ status }) => status === "open",
  );
}
const settling = (verb: string, body: (review: any) => object) => async (at: TestWorld) => {
  const review = await open(at);
  const { commander } = await desk(at);
  return { path: `/api/strategic/reviews/${review.id}/${verb}`, as: commander.token, body: body(review) };
};

export const requests: Rows["requests"] = {
  "POST /api/strategic/documents/:documentId/review": async (at) => {
    const { commander, id } = await desk(at);
    const document = await put(at, commander, plan(), "row.txt", { problemSetId: id });
    return { path: `/api/strategic/documents/${document.id}/review`, as: commander.token, body: {} };
  },
  "POST /api/strategic/reviews/:reviewId/accept": settling("accept", () => ({})),
  "POST /api/strategic/reviews/:reviewId/accept-partial": settling("accept-partial", ({ findings }) => ({
    findingIds: [findings[0].id],
  })),
  "POST /api/strategic/reviews/:reviewId/reject": settling("reject", () => ({ reason: "As it is." })),
};
