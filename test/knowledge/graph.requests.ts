import { eventually, stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import { as, type Person } from "../workspace/people.ts";
import { put } from "./documents.requests.ts";

/** Has a document read into the graph, and waits until it is. */
export async function built(at: TestWorld, who: Person, documentId: string): Promise<any> {
  const path = `/api/graph/graph/build/${documentId}`;
  const begun = await as(at, who)("POST", path, {});
  if (begun.status >= 300) throw new Error(begun.text);
  const { body } = await eventually(
    () => as(at, who)("GET", path),
    ({ status, body }) => status === 200 && body.data.status !== "running" && body.data.id === begun.body.data.buildId,
  );
  return body.data;
}

/** Puts a text in and has it read into the graph; answers the document. */
export async function report(at: TestWorld, who: Person, text: string, fields: Record<string, string | string[]>) {
  const document = await put(at, who, text, "report.txt", fields);
  await built(at, who, document.id);
  return document;
}

let told = 0;
const words = (): string => `Report ${++told}. President Ivan Petrov met Chancellor Anna Berg in Geneva.`;

const event = async (at: TestWorld) => {
  const { id } = await desk(at);
  return made(at, "POST", "/api/graph/osint/events", { problemSetId: id, title: `A bridge was closed, ${++told}` });
};

export const requests: Rows["requests"] = {
  "POST /api/graph/workspaces": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: "/api/graph/workspaces",
      as: commander.token,
      body: { name: "Row", problemSetId: id },
      effect: stored("graph_workspaces"),
    };
  },
  "POST /api/graph/graph/build/:documentId": async (at) => {
    const { commander, id } = await desk(at);
    const document = await put(at, commander, words(), "row.txt", { problemSetId: id });
    return { path: `/api/graph/graph/build/${document.id}`, as: commander.token, body: {} };
  },
  "POST /api/graph/osint/events": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: "/api/graph/osint/events",
      as: commander.token,
      body: { title: "Row", problemSetId: id },
      effect: stored("graph_events"),
    };
  },
  "POST /api/graph/osint/events/:eventId/link": async (at) => {
    const { commander } = await desk(at);
    const [one, other] = [await event(at), await event(at)];
    return {
      path: `/api/graph/osint/events/${one.id}/link`,
      as: commander.token,
      body: { entityId: other.entityId, relation: "related-to" },
    };
  },
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const place = { problemSetId, compartments };
  const workspace = await made(at, "POST", "/api/graph/workspaces", { ...place, name: text, description: text }, by);
  const said = `General ${text} Planted leads the ${text} Brigade in Geneva. ${words()}`;
  const document = await report(at, by, said, { ...place, title: text });
  const happened = { ...place, title: text, description: text, place: text };
  const one = await made(at, "POST", "/api/graph/osint/events", happened, by);
  return {
    "/api/graph/workspaces/:id": workspace.id,
    "/api/graph/graph/build/:documentId": document.id,
    "/api/graph/osint/events/:id": one.id,
    "/api/graph/osint/events/:eventId": one.id,
    "/api/graph/actors/:id": one.entityId,
  };
}
