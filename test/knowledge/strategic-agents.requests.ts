import { eventually, oncePerWorld, stored, type TestWorld } from "../mesh.ts";
import { articlesOf, item, source } from "../news/articles/articles-setup.ts";
import { raise } from "../../services/knowledge/strategic-agents/monitors/alerting.ts";
import { alertId, windowOf } from "../../services/knowledge/strategic-agents/monitors/monitors.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import { as, type Person } from "../workspace/people.ts";
import { put } from "./documents.requests.ts";

const PATH = "/api/strategic-agents";
const DAY_MS = 86_400_000;

/** A story of the news, once in a world. */
const story = oncePerWorld(async (at: TestWorld): Promise<string> => {
  const articles = articlesOf(at);
  const text = "The Orvane dam near Castra holds, engineers of Meridian said on Monday.";
  await articles.store(source(881), [item(88_101, { title: "Orvane dam holds", text })]);
  const all = await articles.whole();
  return all.find(({ title }) => title === "Orvane dam holds")!.storyId;
});

/** The set comes last: another value of the first field is what tests of idempotency send. */
const body = async (at: TestWorld, more: object): Promise<object> => {
  const { id: problemSetId } = await desk(at);
  return "problemSetId" in more ? more : { ...more, problemSetId };
};
const fused = async (at: TestWorld): Promise<any> =>
  (await made(at, "POST", `${PATH}/fuse`, await body(at, { storyIds: [await story(at)] }))).products[0];

/** Looks for what monitors should see now, without waiting for the next look. */
export const lookNow = (at: TestWorld): Promise<unknown> => at.service("strategic-agents").threats.look();

/** An alert on a story that nobody reads of: what is planted tells nothing outside of its problem set. */
async function alert(at: TestWorld, place: object = {}, text = "row", by?: Person): Promise<any> {
  const given = await body(at, { name: text, kind: "keyword", q: "nothing", ...place });
  const monitor = await made(at, "POST", `${PATH}/threats/monitor`, given, by);
  const now = new Date().toISOString();
  const [window, until] = windowOf(monitor, Date.parse(now));
  const storyId = `story-${monitor.id}`;
  const raised = { id: alertId(monitor.id, storyId, window), storyId, title: text, window, until };
  return raise(at.service("strategic-agents"), monitor, raised, [{ id: 1, storyId, title: text, at: now }]);
}

const direction = async (at: TestWorld, documentIds: string[] = []) => ({
  question: "Will the Orvane dam hold?",
  queries: (await story(at)) ? ["Orvane"] : [],
  documentIds,
});

async function checkpoint(at: TestWorld): Promise<any> {
  const asked = { direction: await direction(at), checkpoints: ["direction"] };
  const { id } = await made(at, "POST", `${PATH}/cycle`, await body(at, asked));
  return eventually(
    async () => (await made(at, "GET", `${PATH}/checkpoints?cycleId=${id}`))[0],
    (one) => one !== undefined,
  );
}

const row = async (at: TestWorld, tail: string, sent: unknown, effect?: string) => ({
  path: `${PATH}/${tail}`,
  as: (await desk(at)).commander.token,
  body: sent,
  ...(effect && { effect: stored(effect) }),
});

export const requests: Rows["requests"] = {
  "POST /api/strategic-agents/osint/collect": async (at) => {
    await story(at);
    return row(at, "osint/collect", await body(at, { q: "Orvane dam" }));
  },
  "POST /api/strategic-agents/threats/monitor": async (at) =>
    row(at, "threats/monitor", await body(at, { name: "Row", kind: "keyword", q: "row" }), "strategic_agents_monitors"),
  "POST /api/strategic-agents/threats/monitors/:monitorId/end": async (at) => {
    const given = await body(at, { name: "Row", kind: "keyword", q: "row" });
    const { id } = await made(at, "POST", `${PATH}/threats/monitor`, given);
    return row(at, `threats/monitors/${id}/end`, {});
  },
  "POST /api/strategic-agents/threats/alerts/:alertId/acknowledge": async (at) =>
    row(at, `threats/alerts/${(await alert(at)).id}/acknowledge`, { note: "Row" }),
  "POST /api/strategic-agents/fuse": async (at) =>
    row(at, "fuse", await body(at, { storyIds: [await story(at)] }), "strategic_agents_products"),
  "POST /api/strategic-agents/fused/:id/review": async (at) =>
    row(at, `fused/${(await fused(at)).id}/review`, { decision: "submit", reason: "Row" }),
  "POST /api/strategic-agents/cycle": async (at) => {
    const asked = { direction: await direction(at), checkpoints: ["direction"] };
    return row(at, "cycle", await body(at, asked), "strategic_agents_cycles");
  },
  "POST /api/strategic-agents/checkpoints/:id/resolve": async (at) =>
    row(at, `checkpoints/${(await checkpoint(at)).id}/resolve`, { resolution: "stop", note: "Row" }),
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const make = (path: string, sent: unknown): Promise<any> => made(at, "POST", `${PATH}/${path}`, sent, by);
  const place = { problemSetId, compartments };
  await story(at);
  await make("osint/collect", { ...place, q: "Orvane dam" });
  const { id: documentId } = await put(
    at,
    by,
    `${text} The Orvane dam does not hold. ${Math.random()}`,
    "o.txt",
    place,
  );
  const endsAt = new Date(Date.now() + DAY_MS).toISOString();
  const found = await alert(at, { ...place, endsAt }, text, by);
  await make(`threats/alerts/${found.id}/acknowledge`, { note: text });
  const { products } = await make("fuse", { ...place, hypothesis: `${text} holds`, documentIds: [documentId] });
  const asked = { question: text, queries: [], documentIds: [documentId] };
  const cycle = await make("cycle", { ...place, direction: asked, checkpoints: ["direction"] });
  const waiting = await eventually(
    async () => (await as(at, by)("GET", `${PATH}/checkpoints?cycleId=${cycle.id}`)).body.data[0],
    (one) => one !== undefined,
  );
  return {
    "/api/strategic-agents/threats/monitors/:monitorId": found.monitorId,
    "/api/strategic-agents/threats/alerts/:alertId": found.id,
    "/api/strategic-agents/fused/:id": products[0].id,
    "/api/strategic-agents/cycles/:id": cycle.id,
    "/api/strategic-agents/checkpoints/:id": waiting.id,
  };
}
