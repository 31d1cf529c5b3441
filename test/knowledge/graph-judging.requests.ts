import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import type { Person } from "../workspace/people.ts";
import { identity } from "./graph/stix.ts";

type Where = Pick<Place, "problemSetId" | "compartments">;
let counted = 0;

/** Two entities in a graph that are named nearly the same; answers their ids. */
async function two(at: TestWorld, by: Person, place: Where, text: string): Promise<string[]> {
  const things = [1, 2].map((nth) => identity("individual", `${text} ${++counted} (${nth})`));
  await made(at, "POST", "/api/graph/stix", { ...place, bundle: { type: "bundle", objects: things } }, by);
  const ids: string[] = [];
  for (const { name } of things) {
    const path = `/api/graph?problemSetId=${place.problemSetId}&q=${encodeURIComponent(String(name))}`;
    ids.push((await made(at, "GET", path, undefined, by)).nodes[0].id);
  }
  return ids;
}

async function judged(at: TestWorld, by: Person, place: Where, text: string): Promise<string> {
  const entityIds = await two(at, by, place, text);
  const body = { problemSetId: place.problemSetId, entityIds, reason: text };
  return (await made(at, "POST", "/api/graph/resolution/merge", body, by)).id;
}

export const requests: Rows["requests"] = {
  "POST /api/graph/resolution/merge": async (at) => {
    const { commander, id: problemSetId } = await desk(at);
    const entityIds = await two(at, commander, { problemSetId, compartments: [] }, "Row");
    return {
      ...{ path: "/api/graph/resolution/merge", as: commander.token },
      body: { reason: "Row", problemSetId, entityIds },
      effect: stored("graph_judgements"),
    };
  },
  "POST /api/graph/resolution/judgements/:judgementId/separate": async (at) => {
    const { commander, id: problemSetId } = await desk(at);
    const id = await judged(at, commander, { problemSetId, compartments: [] }, "Separated row");
    const path = `/api/graph/resolution/judgements/${id}/separate`;
    return { path, as: commander.token, body: { reason: "Row" } };
  },
  "POST /api/graph/stix": async (at) => {
    const { commander, id: problemSetId } = await desk(at);
    return {
      ...{ path: "/api/graph/stix", as: commander.token },
      body: { bundle: { type: "bundle", objects: [identity("individual", `Row ${++counted}`)] }, problemSetId },
      effect: stored("graph_stix"),
    };
  },
  "POST /api/graph/summary/:containerId/invalidate": async (at) => {
    const { commander, id } = await desk(at);
    const container = await made(at, "POST", `/api/strategic/environments/${id}/containers`, { name: "Summed up" });
    return { path: `/api/graph/summary/${container.id}/invalidate`, as: commander.token };
  },
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const environment = `/api/strategic/environments/${problemSetId}`;
  const container = await made(at, "POST", `${environment}/containers`, { name: text, compartments }, by);
  await made(at, "GET", `/api/graph/summary/${container.id}`, undefined, by);
  return {
    "/api/graph/resolution/judgements/:judgementId": await judged(at, by, { problemSetId, compartments }, text),
    "/api/graph/summary/:containerId": container.id,
  };
}
