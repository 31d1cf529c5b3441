import { eventually, stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import type { Person } from "../workspace/people.ts";

let count = 0;
const point = (name: string, lon = 13) => ({
  type: "Feature",
  id: name,
  geometry: { type: "Point", coordinates: [lon, 52] },
  properties: { name },
});
const area = (west: number) => ({
  type: "Feature",
  id: `area-${west}`,
  geometry: {
    type: "Polygon",
    coordinates: [
      [
        [west, 50],
        [west + 1, 50],
        [west + 1, 51],
        [west, 51],
        [west, 50],
      ],
    ],
  },
  properties: { name: `Range ${west}`, exclusive: true },
});
const report = (uid: string, name = uid) => ({
  ...{ uid, name, type: "a-f-G-U-C-I", detail: name },
  time: "2026-01-01T12:00:00Z",
  stale: "2036-01-01T12:00:00Z",
  location: { latitude: 52, longitude: 13 },
});
const collection = (...features: object[]) => ({ type: "FeatureCollection", features });
const token = async (at: TestWorld): Promise<string> => (await desk(at)).commander.token;

/** A layer of the desk's commander, in review or on the COP. */
async function layer(at: TestWorld, state: "draft" | "review" | "cop", ...features: object[]): Promise<string> {
  const { id: problemSetId, deputy } = await desk(at);
  const spec = collection(...(features.length ? features : [point(`Row ${++count}`)]));
  const { id } = await made(at, "POST", "/api/cop/layers", {
    problemSetId,
    name: `Row ${++count}`,
    type: "custom",
    spec,
  });
  const move = (to: string, who?: Person) =>
    made(at, "POST", `/api/cop/layers/${id}/transition`, { to, version: 1 }, who);
  if (state !== "draft") await move("review");
  if (state === "cop") {
    await move("published", deputy);
    await move("cop");
  }
  return id;
}

/** What the agents find, once they were set going: by whom and where it is asked for. */
async function found(
  at: TestWorld,
  path: string,
  problemSetId: string,
  fits: (row: any) => boolean,
  by?: Person,
): Promise<any> {
  const rows = await eventually(
    async () => {
      await made(at, "POST", "/api/cop/agents/trigger", { problemSetId }, by);
      return ((await made(at, "GET", `${path}?problemSetId=${problemSetId}&limit=100`, undefined, by)) as any[]).filter(
        fits,
      );
    },
    ({ length }) => length > 0,
  );
  return rows[0];
}

async function linkage(at: TestWorld): Promise<string> {
  const { id: problemSetId } = await desk(at);
  const name = `Bridge Company ${++count}`;
  await made(at, "POST", "/api/command/units", { problemSetId, name, location: { latitude: 52, longitude: 13 } });
  await layer(at, "review", point(name));
  return (await found(at, "/api/cop/linkages/pending", problemSetId, ({ featureName }) => featureName === name)).id;
}

async function contradiction(at: TestWorld): Promise<string> {
  const { id: problemSetId } = await desk(at);
  const west = ++count % 170;
  const id = await layer(at, "cop", area(west), area(west + 0.5));
  return (await found(at, "/api/cop/conflicts", problemSetId, ({ features }) => features[0].layerId === id)).id;
}

export const requests: Rows["requests"] = {
  "POST /api/cop/layers": async (at) => ({
    path: "/api/cop/layers",
    as: await token(at),
    body: {
      name: `Row ${++count}`,
      problemSetId: (await desk(at)).id,
      type: "units",
      spec: collection(point("Row")),
    },
    effect: stored("cop_layers"),
  }),
  "POST /api/cop/layers/:id/transition": async (at) => ({
    path: `/api/cop/layers/${await layer(at, "draft")}/transition`,
    as: await token(at),
    body: { to: "review", reason: "Ready to be looked at" },
  }),
  "POST /api/cop/layers/:id/recall": async (at) => ({
    path: `/api/cop/layers/${await layer(at, "cop")}/recall`,
    as: await token(at),
    body: { reason: "The report was wrong" },
  }),
  "POST /api/cop/layers/:id/feedback": async (at) => ({
    path: `/api/cop/layers/${await layer(at, "review")}/feedback`,
    as: await token(at),
    body: { text: "Which bridge?", blocking: true },
    effect: stored("cop_feedback"),
  }),
  "POST /api/cop/layers/:id/feedback/:feedbackId/resolve": async (at) => {
    const id = await layer(at, "review");
    const feedback = await made(at, "POST", `/api/cop/layers/${id}/feedback`, { text: "Which bridge?" });
    return { path: `/api/cop/layers/${id}/feedback/${feedback.id}/resolve`, as: await token(at) };
  },
  "POST /api/cop/layers/:id/versions/:version/restore": async (at) => {
    const id = await layer(at, "draft");
    const { rev } = await made(at, "GET", `/api/cop/layers/${id}`);
    const spec = collection(point(`Row ${++count}`));
    const path = `/api/cop/layers/${id}`;
    const drawn = await at.http("PUT", `${path}/spec`, {
      as: await token(at),
      body: spec,
      headers: { "if-match": `"r${rev}"` },
    });
    if (drawn.status !== 200) throw new Error(drawn.text);
    return { path: `${path}/versions/1/restore`, as: await token(at) };
  },
  "POST /api/cop/agents/trigger": async (at) => ({
    path: "/api/cop/agents/trigger",
    as: await token(at),
    body: { reason: "Exercise", problemSetId: (await desk(at)).id },
  }),
  "POST /api/cop/agents/polling/start": async (at) => ({
    path: "/api/cop/agents/polling/start",
    as: await token(at),
    body: { reason: "Exercise", problemSetId: (await desk(at)).id },
  }),
  "POST /api/cop/agents/polling/stop": async (at) => ({
    path: "/api/cop/agents/polling/stop",
    as: await token(at),
    body: { reason: "Exercise", problemSetId: (await desk(at)).id },
  }),
  "POST /api/cop/linkages/:id/review": async (at) => ({
    path: `/api/cop/linkages/${await linkage(at)}/review`,
    as: await token(at),
    body: { decision: "approve", note: "Seen on the bridge" },
  }),
  "POST /api/cop/reports": async (at) => ({
    path: `/api/cop/reports?problemSetId=${(await desk(at)).id}`,
    as: await token(at),
    body: { events: [report(`Row ${++count}`)] },
    effect: stored("cop_reports"),
  }),
  "POST /api/cop/conflicts/:id/resolve": async (at) => ({
    path: `/api/cop/conflicts/${await contradiction(at)}/resolve`,
    as: await token(at),
    body: { reason: "The first report holds" },
  }),
  "POST /api/cop/conflicts/:id/waive": async (at) => ({
    path: `/api/cop/conflicts/${await contradiction(at)}/waive`,
    as: await token(at),
    body: { reason: "Agreed between both" },
  }),
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const name = `${text} ${++count}`;
  const { id: entityId } = await made(
    at,
    "POST",
    "/api/command/units",
    { problemSetId, compartments, name, location: { latitude: 52, longitude: 13 } },
    by,
  );
  const { id } = await made(
    at,
    "POST",
    "/api/cop/layers",
    {
      problemSetId,
      compartments,
      name: text,
      description: text,
      section: text.slice(0, 80),
      type: "custom",
      spec: collection(point(name)),
    },
    by,
  );
  await made(at, "POST", `/api/cop/layers/${id}/transition`, { to: "review", reason: text }, by);
  const feedback = await made(at, "POST", `/api/cop/layers/${id}/feedback`, { text }, by);
  const where = new URLSearchParams({
    problemSetId,
    ...(compartments.length && { compartments: compartments.join() }),
  });
  const events = [report(`uid ${++count}`, text.slice(0, 200))];
  await made(at, "POST", `/api/cop/reports?${where}`, { events }, by);
  const isOurs = (row: { featureName: string }) => row.featureName === name;
  const { id: linkageId } = await found(at, "/api/cop/linkages/pending", problemSetId, isOurs, by);
  return {
    "/api/cop/layers/:id": id,
    "/api/cop/layers/:id/versions/:version": "1",
    "/api/cop/layers/:id/feedback/:feedbackId": feedback.id,
    "/api/cop/linkages/:id": linkageId,
    "/api/cop/linkages/entity/:entityId": entityId,
  };
}

/** What is reported of it by everybody, and drawn elsewhere than anybody reports it. */
const CONVOY = "uid of the convoy";

/** Layers on the COP that show what there is of each source, a drawn one beside; made by one, published by another. */
export async function putUpPicture(
  at: TestWorld,
  { problemSetId, by, publisher }: { problemSetId: string; by: Person; publisher: Person },
): Promise<void> {
  const convoy = { ...point("Convoy", 40), properties: { name: "Convoy", uid: CONVOY } };
  const live = ["reports", "resources", "sensors", "coverage"].map((source) => ({ kind: "live", spec: { source } }));
  for (const fields of [{ kind: "drawn", spec: collection(convoy) }, ...live]) {
    const given = { problemSetId, name: `On the COP ${++count}`, type: "custom", ...fields };
    const { id, version } = await made(at, "POST", "/api/cop/layers", given, by);
    await made(at, "POST", `/api/cop/layers/${id}/transition`, { to: "review" }, by);
    for (const to of ["published", "cop"])
      await made(at, "POST", `/api/cop/layers/${id}/transition`, { to, version }, publisher);
  }
}

/** Reports the convoy from within compartments, and late from where it was before: a conflict there. Answers its id. */
export async function contradict(
  at: TestWorld,
  { problemSetId, compartments, by, text }: Omit<Place, "parentId">,
): Promise<string> {
  const where = new URLSearchParams({
    problemSetId,
    ...(compartments.length && { compartments: compartments.join() }),
  });
  const events = [0, 600].map((seconds) => ({
    ...report(CONVOY, text),
    time: new Date(at.clock.now() - 3_600_000 + 1_000 * (++count - seconds)).toISOString(),
  }));
  await made(at, "POST", `/api/cop/reports?${where}`, { events }, by);
  const lies = (row: { kind: string; compartments: string[] }) =>
    row.kind === "two-places" && [...compartments].sort().join() === [...row.compartments].sort().join();
  return (await found(at, "/api/cop/conflicts", problemSetId, lies, by)).id;
}
