import { stored, type TestWorld } from "../mesh.ts";
import type { Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import { put } from "./documents.requests.ts";

let papers = 0;
const suggestible = async (at: TestWorld) => {
  const { commander, id } = await desk(at);
  const fields = { name: "Boats", description: "Pontoons and ferries" };
  const container = await made(at, "POST", `/api/strategic/environments/${id}/containers`, fields);
  const text = `Boats and pontoons, paper ${++papers}.`;
  const document = await put(at, commander, text, "boats.txt", { problemSetId: id });
  return { path: `/api/strategic/documents/${document.id}/suggest-containers`, containerId: container.id };
};

export const requests: Rows["requests"] = {
  "POST /api/strategic/documents/:documentId/suggest-containers": async (at) => ({
    path: (await suggestible(at)).path,
    as: (await desk(at)).commander.token,
    body: {},
  }),
  "POST /api/strategic/documents/:documentId/suggest-containers/:containerId/refuse": async (at) => {
    const { path, containerId } = await suggestible(at);
    return {
      path: `${path}/${containerId}/refuse`,
      as: (await desk(at)).commander.token,
      body: { reason: "Row" },
      effect: stored("strategic_opinions"),
    };
  },
};
