import type { Job } from "../../../core/work/job.ts";
import { modelStandIn } from "../../../adapters/llm/stand-in.ts";
import { eventually, world, type TestWorld } from "../../mesh.ts";
import { articlesOf } from "../articles/articles-setup.ts";
import { AGREES, CLAIM, DENIES, replies, REPORT, tell } from "./verification-setup.ts";

// Whoever follows feeds and asks for nothing finds out which claims others bear out, and which they contradict.

interface TrailPart {
  label: string;
  points: number;
}

const ALONE = "The Kestrel dam held 40 million litres of water on Sunday, engineers of the water board said.";
const TITLE = "Explosion at Harrow refinery in Veldoria";

let node: TestWorld;
const get = async (path: string) => (await node.http("GET", `/api/verification${path}`)).body;
const jobs = async (): Promise<Job[]> =>
  (await node.http("GET", "/api/jobs?kind=verification.compare", { as: "admin" })).body.data;
/** The schedule's next turn: what it begins has ended. */
async function nextTurn(): Promise<void> {
  const verification = node.service("verification") as any;
  const [{ domain }] = verification.schema.mixins;
  await domain.schedules["compare-new"].run.call(verification);
  await eventually(jobs, (all) => all.every(({ status }) => status === "completed"));
}
const verdictOf = async (id: number, words: string): Promise<string> =>
  (await get(`/claims/${id}`)).data.claims.find(({ text }: { text: string }) => text.includes(words)).status;
const checkedAt = async (id: number): Promise<string | null> =>
  (await get(`/cross-reference/content/${id}`)).data.checkedAt;

afterEach(() => node.stop());

it("reports of one event are compared as they come, and again when another comes", async () => {
  node = await world({ COMPARE_INTERVAL_MINUTES: "5" });
  const blast = await tell(node, 1, 1, REPORT, { title: TITLE });
  const alone = await tell(node, 4, 4, ALONE, { title: "Kestrel dam fills" });
  await nextTurn();
  expect(await jobs()).toEqual([]);

  const same = await tell(node, 2, 2, AGREES, { title: TITLE });
  const stories = (await articlesOf(node).whole()).filter(({ id }) => id !== alone).map(({ storyId }) => storyId);
  expect(new Set(stories).size).toBe(1);
  await nextTurn();
  expect([await verdictOf(blast, "14 workers"), await verdictOf(same, "14 workers")]).toEqual(
    Array(2).fill("corroborated"),
  );
  // Nobody else tells of it: there is nothing to compare.
  expect(await checkedAt(alone)).toBeNull();

  const [first] = await jobs();
  await nextTurn();
  expect(await jobs()).toEqual([first]);
  node.clock.advance(60_000);
  const other = await tell(node, 3, 3, DENIES, { title: TITLE });
  await nextTurn();
  expect(await jobs()).toEqual([
    expect.objectContaining({ done: 3, createdAt: expect.not.stringMatching(first!.createdAt) }),
  ]);
  expect([await verdictOf(blast, "14 workers"), await verdictOf(other, "29 workers")]).toEqual([
    "disputed",
    "contradicted",
  ]);
  const { dataFeedElement } = await get("/claim-reviews?verdict=disputed");
  const { citation } = dataFeedElement.find(({ claimReviewed }: { claimReviewed: string }) => claimReviewed === CLAIM);
  expect(citation[0]).toMatchObject({ keywords: "contradicts", text: expect.stringContaining("29 workers") });
});

it("what a person asked for in another way stands, and 0 compares nothing", async () => {
  node = await world({ COMPARE_INTERVAL_MINUTES: "5" });
  const blast = await tell(node, 1, 1, REPORT, { title: TITLE });
  await node.http("POST", `/api/verification/cross-reference/content/${blast}?daysBack=2`, { as: "analyst" });
  const before = await checkedAt(blast);
  node.clock.advance(60_000);
  await tell(node, 2, 2, AGREES, { title: TITLE });
  await nextTurn();
  expect(await checkedAt(blast)).toBe(before);
  await node.stop();
  node = await world({ COMPARE_INTERVAL_MINUTES: "0" });
  await tell(node, 1, 1, REPORT, { title: TITLE });
  await tell(node, 2, 2, AGREES, { title: TITLE });
  await nextTurn();
  expect(await jobs()).toEqual([]);
});

it("what a person rejects counts for nothing, and counts again when they take it back", async () => {
  node = await world({ COMPARE_INTERVAL_MINUTES: "5" });
  const blast = await tell(node, 1, 1, REPORT, { title: TITLE });
  await tell(node, 2, 2, AGREES, { title: TITLE });
  const rumour = await tell(node, 3, 3, DENIES, { title: TITLE });
  // One that somebody had compared for the last two days alone: it stays that.
  await node.http("POST", `/api/verification/cross-reference/content/${blast}?daysBack=2`, { as: "analyst" });
  await nextTurn();
  expect(await verdictOf(blast, "14 workers")).toBe("disputed");
  const scoreOf = async () => (await get(`/summary/${blast}`)).data.score;
  const disputed = await scoreOf();

  const judge = (verified: boolean, notes: string) =>
    node.http("PUT", `/api/articles/${rumour}/verification`, { as: "analyst", body: { verified, notes } });
  node.clock.advance(60_000);
  await judge(false, "The union says that it never gave such a number.");
  await eventually(
    () => verdictOf(blast, "14 workers"),
    (status) => status === "corroborated",
  );
  await nextTurn();
  expect(await scoreOf()).toBeGreaterThan(disputed);
  const found = (await get(`/cross-reference/content/${blast}`)).data;
  expect(found.daysBack).toBe(2);
  expect(found.references.filter(({ articleId }: { articleId: number }) => articleId === rumour)).toEqual([
    expect.objectContaining({ stance: "neutral", reasons: ["a person did not verify it"] }),
  ]);
  const { sources } = (await node.http("GET", `/api/articles/${blast}`)).body.data.verification;
  expect(sources).toEqual(["Source 2"]);

  node.clock.advance(60_000);
  await judge(true, "It is the union's number after all.");
  await eventually(
    () => verdictOf(blast, "14 workers"),
    (status) => status === "disputed",
  );
});

it("an article whose only company a person rejected stands alone, until they take it back", async () => {
  node = await world({ COMPARE_INTERVAL_MINUTES: "5" });
  const blast = await tell(node, 1, 1, REPORT, { title: TITLE });
  const rumour = await tell(node, 2, 2, DENIES, { title: TITLE });
  await nextTurn();
  const start = async () => {
    const { steps } = (await get(`/trail/${blast}`)).data;
    const [{ parts, scoreContribution }] = steps as [{ parts: TrailPart[]; scoreContribution: number }];
    expect(parts.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(scoreContribution, 6);
    return { points: scoreContribution, labels: parts.map(({ label }) => label) };
  };
  const LOST = "a person rejected what the other source told";
  const before = await start();
  expect(before.labels).toContain("1 other source tells the story");
  expect(before.labels).not.toContain(LOST);

  const judge = (verified: boolean) =>
    node.http("PUT", `/api/articles/${rumour}/verification`, {
      as: "analyst",
      body: { verified, notes: "Asked them." },
    });
  node.clock.advance(60_000);
  await judge(false);
  const { points } = await eventually(start, ({ labels }) => labels.includes(LOST));
  expect(points).toBeCloseTo(before.points - 8.8, 2);
  node.clock.advance(60_000);
  await judge(true);
  expect((await eventually(start, ({ labels }) => !labels.includes(LOST))).points).toBe(before.points);
});

it("a model, which is paid, is asked by a batch that somebody asks for, and not before", async () => {
  const model = await modelStandIn(replies);
  try {
    node = await world({ COMPARE_INTERVAL_MINUTES: "5", LLM_BASE_URL: model.baseUrl, LLM_MODEL: "stand-in-1" });
    const report = await tell(node, 1, 1, REPORT, { title: TITLE });
    await tell(node, 2, 2, AGREES, { title: TITLE });
    await nextTurn();
    expect(await verdictOf(report, "14 workers")).toBe("corroborated");
    expect(model.received).toEqual([]);
    const batch = () => node.http("POST", "/api/verification/cross-reference/batch?limit=10", { as: "analyst" });
    expect((await batch()).body.data).toMatchObject({ processed: 2, succeeded: 2 });
    expect(model.received.length).toBeGreaterThan(0);
    expect((await batch()).body.data).toMatchObject({ processed: 0 });
  } finally {
    await model.close();
  }
});
