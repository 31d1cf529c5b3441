import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import { put } from "./documents.requests.ts";

const inDesk = async (at: TestWorld, noun: string) => {
  const { commander, id } = await desk(at);
  return { path: `/api/strategic/environments/${id}/${noun}`, as: commander.token };
};

export const requests: Rows["requests"] = {
  "POST /api/strategic/environments/:envId/categories": async (at) => ({
    ...(await inDesk(at, "categories")),
    body: { name: "Row" },
    effect: stored("strategic_categories"),
  }),
  "POST /api/strategic/environments/:envId/containers": async (at) => ({
    ...(await inDesk(at, "containers")),
    body: { name: "Row" },
    effect: stored("strategic_containers"),
  }),
  "POST /api/strategic/containers/:containerId/agents": async (at) => {
    const { path, as } = await inDesk(at, "containers");
    const { id } = await made(at, "POST", path, { name: "For agents" });
    return { path: `/api/strategic/containers/${id}/agents`, as, body: { agentId: "objective-finder" } };
  },
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const environment = `/api/strategic/environments/${problemSetId}`;
  const words = { compartments, name: text, description: text };
  const category = await made(at, "POST", `${environment}/categories`, words, by);
  const container = await made(at, "POST", `${environment}/containers`, { ...words, categoryId: category.id }, by);
  const document = await put(at, by, `${text}: what lies in a container.`, `${text}.txt`, {
    ...{ problemSetId, compartments },
    title: text,
  });
  const agents = `/api/strategic/containers/${container.id}/agents`;
  await made(at, "POST", agents, { agentId: "objective-finder" }, by);
  await made(at, "PUT", `/api/strategic/documents/${document.id}/containers`, { containerIds: [container.id] }, by);
  return {
    // The set's own id: it names no record.
    ":envId": problemSetId,
    "/api/strategic/categories/:categoryId": category.id,
    "/api/strategic/containers/:containerId/agents/:agentId": "objective-finder",
    "/api/strategic/containers/:containerId": container.id,
    "/api/strategic/documents/:documentId": document.id,
    "/api/strategic/documents/:documentId/containers/:containerId": container.id,
  };
}
