import { stored, eventually, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "./desk.ts";

const item = async (at: TestWorld): Promise<string> => {
  const { id, parentId } = await desk(at);
  await made(at, "POST", "/api/inheritance/directions", {
    problemSetId: parentId,
    kind: "constraint",
    title: "Row",
    text: "Row",
  });
  return (
    await eventually(
      () => made(at, "GET", `/api/inheritance/${id}/inherited-context`),
      ({ items }) => items.length > 0,
    )
  ).items[0].id;
};
const rfi = async (at: TestWorld): Promise<string> =>
  (await made(at, "POST", `/api/inheritance/${(await desk(at)).id}/rfis`, { title: "Row", question: "Row?" })).id;

export const requests: Rows["requests"] = {
  "POST /api/inheritance/:id/inherited-context/acknowledge": async (at) => {
    await item(at);
    const { commander, id } = await desk(at);
    return { path: `/api/inheritance/${id}/inherited-context/acknowledge`, as: commander.token, body: {} };
  },
  "POST /api/inheritance/:id/annotations": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: `/api/inheritance/${id}/annotations`,
      as: commander.token,
      body: { text: "Row", itemId: await item(at) },
      effect: stored("inheritance_annotations"),
    };
  },
  "POST /api/inheritance/:id/rfis": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: `/api/inheritance/${id}/rfis`,
      as: commander.token,
      body: { title: "Row", question: "Row?" },
      effect: stored("inheritance_rfis"),
    };
  },
  "POST /api/inheritance/:id/rfis/:rfiId/messages": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: `/api/inheritance/${id}/rfis/${await rfi(at)}/messages`,
      as: commander.token,
      body: { text: "Row" },
      effect: stored("inheritance_rfi_messages"),
    };
  },
  "POST /api/inheritance/directions": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: "/api/inheritance/directions",
      as: commander.token,
      body: { title: "Row", text: "Row", kind: "intent", problemSetId: id },
      effect: stored("inheritance_directions"),
    };
  },
  "POST /api/inheritance/backfill": async () => ({ path: "/api/inheritance/backfill", body: { limit: 10 } }),
};

export async function plant(
  at: TestWorld,
  { problemSetId, parentId, compartments, by, text }: Place,
): Promise<Planted> {
  const direction = await made(
    at,
    "POST",
    "/api/inheritance/directions",
    { problemSetId: parentId, compartments, kind: "intent", title: text, text },
    by,
  );
  const context = () => made(at, "GET", `/api/inheritance/${problemSetId}/inherited-context`, undefined, by);
  const { items } = await eventually(context, (found) =>
    found.items.some(({ sourceId }: { sourceId: string }) => sourceId === direction.id),
  );
  const { id: itemId } = items.find(({ sourceId }: { sourceId: string }) => sourceId === direction.id);
  const annotation = await made(
    at,
    "POST",
    `/api/inheritance/${problemSetId}/annotations`,
    { itemId, text, compartments },
    by,
  );
  const request = await made(
    at,
    "POST",
    `/api/inheritance/${problemSetId}/rfis`,
    { title: text, question: text, compartments },
    by,
  );
  await made(at, "POST", `/api/inheritance/${problemSetId}/rfis/${request.id}/messages`, { text }, by);
  return {
    "/api/inheritance/directions/:id": direction.id,
    "/api/inheritance/:id/annotations/:annotationId": annotation.id,
    "/api/inheritance/:id/rfis/:rfiId": request.id,
  };
}
