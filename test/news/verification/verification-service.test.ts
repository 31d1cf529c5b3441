import { systemActor } from "../../../core/access/access.ts";
import { modelStandIn, type StandIn } from "../../../adapters/llm/stand-in.ts";
import { eventually, world, type TestWorld } from "../../mesh.ts";
import { articlesOf, DAY_MS, HOUR_MS, item, prose, source, type TestArticles } from "../articles/articles-setup.ts";
import { AGREES, CLAIM, DENIES, replies, REPORT, tell as tellTo } from "./verification-setup.ts";

const LOADED =
  "The disgraceful, corrupt regime has launched a shocking and outrageous attack on hard-working families! This is a catastrophic, horrifying betrayal. Everyone knows it. Critics say nothing else matters.";

let node: TestWorld;
let articles: TestArticles;

const ago = (milliseconds: number) => new Date(node.clock.now() - milliseconds).toISOString();
const get = (path: string) => node.http("GET", `/api/verification${path}`, { as: "reader" });
const post = (path: string) => node.http("POST", `/api/verification${path}`, { as: "analyst" });
const done = async (path: string) => {
  const { status, body } = await post(path);
  expect({ status, success: body.success }).toEqual({ status: 200, success: true });
  return body.data;
};
const detail = async (id: number) => (await node.http("GET", `/api/articles/${id}`)).body.data;
const sum = (steps: { scoreContribution: number }[]) =>
  steps.reduce((total, { scoreContribution }) => total + Math.round(scoreContribution * 100), 0) / 100;

const tell = (
  sourceId: number,
  n: number,
  text: string,
  traits: { title?: string; publishedAt?: string } = {},
): Promise<number> => tellTo(node, sourceId, n, text, traits);

const begin = async (settings: Record<string, string> = {}) => {
  node = await world(settings);
  articles = articlesOf(node);
};

describe("without a model", () => {
  beforeAll(() => begin());
  afterAll(() => node.stop());

  let report: number;

  it("knows nothing before an article is verified, and says so", async () => {
    report = await tell(1, 1, REPORT);
    expect((await get(`/claims/${report}`)).body.data).toMatchObject({ extracted: false, method: null, claims: [] });
    const { data } = (await get(`/trail/${report}`)).body;
    expect(sum(data.steps)).toBe(data.finalConfidenceScore);
    expect((await get(`/summary/${report}`)).body.data.steps).toEqual({
      claims: null,
      crossReference: null,
      bias: null,
      heuristic: null,
      llm: null,
    });
  });

  it("extracts claims that stand in the text, each unverified, and answers them again from its cache", async () => {
    const first = await done(`/verify-claims/${report}`);
    expect(first).toMatchObject({
      contentId: report,
      method: "heuristic",
      cached: false,
      cost: { llmCalls: 0, tokens: 0 },
    });
    const { content } = await detail(report);
    for (const { text, start, end, status, verified } of first.claims)
      expect({ text, status, verified }).toEqual({
        text: content.slice(start, end),
        status: "unverified",
        verified: false,
      });
    expect(first.claims[0].text).toBe(CLAIM);
    const again = await done(`/verify-claims/${report}`);
    expect([again.cached, again.claims]).toEqual([true, first.claims]);
    const forced = await done(`/verify-claims/${report}?force=true`);
    expect([forced.cached, forced.claims.map(({ id }: { id: number }) => id)]).toEqual([
      false,
      first.claims.map(({ id }: { id: number }) => id),
    ]);
    expect((await get(`/claims/${report}`)).body.data.claims).toEqual(forced.claims);
  });

  it("takes copies of one story and further reports of the same source for no corroboration", async () => {
    const copy = await tell(2, 2, REPORT, { title: "Report 1" });
    expect((await detail(copy)).storyId).toBe((await detail(report)).storyId);
    const { claims } = await done(`/cross-reference/content/${report}`);
    expect(claims[0]).toMatchObject({ status: "unverified", independentSources: 0 });
    expect(claims[0].supporting).toEqual([expect.objectContaining({ articleId: copy, independent: false })]);
  });

  it("corroborates by an independent source, showing its sentence in its place", async () => {
    const other = await tell(3, 3, AGREES);
    const [{ id }] = (await get(`/claims/${report}`)).body.data.claims;
    const checked = await done(`/cross-reference/claim/${id}?daysBack=3`);
    expect(checked).toMatchObject({
      claimId: id,
      contentId: report,
      status: "corroborated",
      independentSources: 1,
      method: "heuristic",
    });
    const support = checked.supporting.find(({ articleId }: { articleId: number }) => articleId === other);
    const { content } = await detail(other);
    expect(support.evidence.text).toBe(content.slice(support.evidence.start, support.evidence.end));
    expect(support.evidence.text).toContain("killed 14 workers");
    expect((await get(`/claims/${report}`)).body.data.claims[0]).toMatchObject({
      id,
      status: "corroborated",
      verified: true,
    });
    const { verification } = await detail(report);
    expect(verification.claims).toContainEqual({ text: CLAIM, verified: true });
    expect(verification.sources).toContain("Source 3");
  });

  it("looks back no further than asked", async () => {
    const late = await tell(
      11,
      11,
      "The Northgate ferry sank in Lake Orrin on Friday and 57 passengers drowned, the coast guard said.",
    );
    await tell(
      12,
      12,
      "In Lake Orrin the Northgate ferry sank on Friday; 57 passengers drowned, the transport ministry said.",
      { publishedAt: ago(20 * DAY_MS) },
    );
    expect((await done(`/cross-reference/content/${late}?daysBack=7`)).claims[0]).toMatchObject({
      status: "unverified",
      supporting: [],
    });
    for (const far of ["?daysBack=30", ""])
      expect((await done(`/cross-reference/content/${late}${far}`)).claims[0]).toMatchObject({
        status: "corroborated",
      });
    for (const wrong of ["0", "3651", "x"]) {
      const { status, body } = await post(`/cross-reference/content/${late}?daysBack=${wrong}`);
      expect([status, body.success, typeof body.error]).toEqual([400, false, "string"]);
    }
  });

  it("contradicts by other figures", async () => {
    const wrong = await tell(4, 4, DENIES);
    const { claims, totals } = await done(`/cross-reference/content/${wrong}`);
    expect(totals.contradicted).toBeGreaterThan(0);
    const contradicted = claims.find(({ status }: { status: string }) => status === "contradicted");
    expect(contradicted.contradicting[0].evidence.text).toContain("14 workers");
    const told = await node.mesh.broker.call<object[], object>(
      "verification.contradictions",
      { ids: [wrong] },
      { meta: { actor: systemActor("test") } },
    );
    expect(told).toContainEqual(
      expect.objectContaining({
        contentId: wrong,
        text: contradicted.text,
        against: contradicted.contradicting[0].evidence.text,
        articleId: contradicted.contradicting[0].articleId,
      }),
    );
    expect((await get(`/trail/${wrong}`)).body.data.summary.recommendation).toMatch(
      /^Do not use the contradicted claims/,
    );
  });

  it("counts its references", async () => {
    const { data } = (await get("/cross-reference/stats")).body;
    expect(Object.keys(data).sort()).toEqual([
      "accuracyRate",
      "accurateReferences",
      "groundTruthSources",
      "topCorroboratingSources",
      "totalReferences",
    ]);
    const rows = await (await node.mesh.world.documents.collection("claim_references")).count();
    expect(data.totalReferences).toBe(rows);
    expect(data.accuracyRate).toBe(Math.round((1_000 * data.accurateReferences) / rows) / 10);
    expect(data.topCorroboratingSources.map(({ sourceName }: { sourceName: string }) => sourceName)).toContain(
      "Source 3",
    );
  });

  it("finds bias with the words that show it, and sums it up for the source", async () => {
    const loaded = await tell(5, 5, LOADED, { title: "SHOCKING betrayal!!!" });
    const bias = await done(`/bias/${loaded}`);
    const { title, content } = await detail(loaded);
    expect(bias.indicators.loadedLanguage.length).toBeGreaterThan(2);
    for (const { text, start, end, field } of bias.indicators.loadedLanguage)
      expect((field === "title" ? title : content).slice(start, end)).toBe(text);
    expect(bias.contributions.reduce((total: number, { points }: { points: number }) => total + points, 0)).toBe(
      bias.overallBiasScore,
    );
    expect(bias).toMatchObject({
      contentId: loaded,
      method: "heuristic",
      emotionalLevel: "high",
      summary: expect.any(String),
      recommendations: expect.any(Array),
    });
    expect((await get("/bias/source/5")).body.data).toMatchObject({
      sourceId: 5,
      sourceName: "Source 5",
      articles: 1,
      averageBiasScore: bias.overallBiasScore,
      emotionalLevels: { high: 1 },
    });
    expect((await get("/bias/source/4711")).status).toBe(404);
  });

  it("runs it all, adds up to the last digit, and the article shows it", async () => {
    const deep = await done(`/deep/${report}`);
    expect(deep).toMatchObject({
      contentId: report,
      method: "heuristic",
      cost: { llmCalls: 0, tokens: 0 },
      bias: { contentId: report },
      llm: { method: "heuristic" },
    });
    expect(sum(deep.trail.steps)).toBe(deep.finalConfidenceScore);
    expect(deep.trail.steps.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(["source", "claims", "cross_reference", "heuristic", "recency"]),
    );
    const { data: trail } = (await get(`/trail/${report}`)).body;
    expect(trail).toEqual(deep.trail);
    const { verification, confidence } = await detail(report);
    expect(verification.score).toBeCloseTo(deep.finalConfidenceScore / 100, 10);
    expect(confidence).toBeCloseTo(verification.score, 10);
    expect(verification.sources).toContain("Source 3");
    // The union's other count is among the articles by now.
    expect(verification.claims).toContainEqual({ text: CLAIM, verified: false });
    expect(deep.crossReference.totals).toMatchObject({ disputed: 1, corroborated: 0 });
    expect((await get(`/summary/${report}`)).body.data).toMatchObject({
      score: deep.finalConfidenceScore,
      recommendation: deep.recommendation,
      methods: ["heuristic"],
      humanVerdict: null,
    });
  });

  it("keeps a person's verdict above its own, as a step of the trail", async () => {
    await node.http("PUT", `/api/articles/${report}/verification`, {
      as: "analyst",
      body: { verified: true, notes: "Seen on the spot" },
    });
    for (const path of [`/content/${report}`, `/deep/${report}`, `/llm/${report}`]) await done(path);
    expect(await detail(report)).toMatchObject({ verified: true, confidence: expect.any(Number) });
    expect((await detail(report)).confidence).toBeGreaterThanOrEqual(0.9);
    const { data } = (await get(`/trail/${report}`)).body;
    expect(data.steps.at(-1)).toMatchObject({
      type: "manual",
      description: expect.stringContaining("Seen on the spot"),
    });
    const { by } = data.steps.at(-1).cites;
    expect(JSON.stringify([data.steps.at(-1).description, data.summary])).not.toContain(by);
    const { humanVerdict } = (await get(`/summary/${report}`)).body.data;
    expect(humanVerdict).toMatchObject({ by });
    expect(sum(data.steps)).toBe(data.finalConfidenceScore);
    await node.http("PUT", `/api/articles/${report}/verification`, {
      as: "analyst",
      body: { verified: false, notes: "Taken back" },
    });
    expect((await get(`/trail/${report}`)).body.data.finalConfidenceScore).toBeLessThanOrEqual(40);
  });

  it.each(["/claims/extract-recent", "/cross-reference/batch", "/bias/batch", "/llm/batch", "/batch"])(
    "%s goes on where it ended, one result for each article",
    async (path) => {
      const { meta } = (await node.http("GET", "/api/articles?limit=1")).body;
      const seen: number[] = [];
      for (let more = true, calls = 0; more; calls++) {
        expect(calls).toBeLessThanOrEqual(meta.total);
        const batch = await done(`${path}?limit=2`);
        expect(batch).toMatchObject({ failed: 0, succeeded: batch.results.length });
        seen.push(...batch.results.map(({ contentId }: { contentId: number }) => contentId));
        more = batch.more;
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(await done(`${path}?limit=2`)).toMatchObject({ processed: 0, more: false, results: [] });
      expect((await detail(report)).confidence).toBeLessThanOrEqual(0.4);
      expect([(await post(`${path}?limit=201`)).status, (await post(`${path}?limit=0`)).status]).toEqual([400, 400]);
    },
  );

  it("takes only articles of enough confidence", async () => {
    await tell(21, 21, "The Kestrel dam held 40 million litres of water on Sunday, engineers said.");
    expect(await done("/claims/extract-recent?minConfidence=100")).toMatchObject({ processed: 0 });
    expect((await done("/claims/extract-recent?minConfidence=1")).processed).toBe(1);
    expect((await post("/claims/extract-recent?minConfidence=101")).status).toBe(400);
  });

  it("tells how far all articles are verified", async () => {
    const { data } = (await get("/stats/overview")).body;
    const rows = (await node.http("GET", "/api/articles?limit=100")).body.data as {
      confidence: number;
      verified: boolean;
    }[];
    expect(data).toEqual({
      verified: rows.filter(({ verified }) => verified).length,
      unverified: rows.filter(({ verified }) => !verified).length,
      averageConfidence: expect.any(Number),
      distribution: {
        high: rows.filter(({ confidence }) => confidence >= 0.75).length,
        medium: rows.filter(({ confidence }) => confidence >= 0.5 && confidence < 0.75).length,
        low: rows.filter(({ confidence }) => confidence < 0.5).length,
      },
    });
    expect(data.averageConfidence).toBeCloseTo(
      (100 * rows.reduce((total, { confidence }) => total + confidence, 0)) / rows.length,
      1,
    );
  });

  it("speaks of the text as it is now", async () => {
    const changed = `The Harrow refinery reopened in Veldoria on Sunday and hired 900 workers, the operator said. ${prose(9, 60)}.`;
    await articles.store(
      source(1),
      [item(1, { title: "Report 1", publishedAt: ago(2 * HOUR_MS), text: changed, html: `<p>${changed}</p>` })],
      new Date(node.clock.now() + 60_000).toISOString(),
    );
    expect((await detail(report)).content).toBe(changed);
    expect((await get(`/claims/${report}`)).body.data).toMatchObject({ extracted: false, claims: [] });
    const { claims } = await done(`/verify-claims/${report}`);
    expect(claims.map(({ text }: { text: string }) => text)).not.toContain(CLAIM);
    expect(claims[0].text).toContain("900 workers");
  });

  it("forgets a removed article", async () => {
    const gone = await tell(31, 31, "The Alder bridge cost 12 million dollars in 2025, the council said.");
    const {
      claims: [{ id }],
    } = await done(`/verify-claims/${gone}`);
    expect((await node.http("DELETE", `/api/articles/${gone}`, { as: "admin" })).status).toBe(204);
    await eventually(
      () => post(`/cross-reference/claim/${id}`),
      ({ status }) => status === 404,
    );
    expect((await get(`/claims/${gone}`)).status).toBe(404);
  });

  it.each([
    ["POST", "/verify-claims/4711"],
    ["GET", "/claims/4711"],
    ["POST", "/cross-reference/claim/4711"],
    ["POST", "/cross-reference/content/4711"],
    ["POST", "/bias/4711"],
    ["GET", "/trail/4711"],
    ["GET", "/summary/4711"],
    ["POST", "/deep/4711"],
    ["POST", "/llm/4711"],
    ["POST", "/content/4711"],
  ])("%s %s: 404 in the envelope of verification", async (method, path) => {
    const { status, body } = await node.http(method, `/api/verification${path}`, { as: "analyst" });
    expect(status).toBe(404);
    expect(body).toEqual({
      success: false,
      error: expect.stringContaining("4711"),
      code: "NOT_FOUND",
      requestId: expect.any(String),
    });
  });

  it("lets readers read and analysts verify", async () => {
    expect((await node.http("POST", `/api/verification/deep/${report}`, { as: "reader" })).status).toBe(403);
    expect((await node.http("GET", "/api/verification/stats/overview", { as: null })).status).toBe(401);
  });
});

describe("beside an article that a person has verified", () => {
  beforeAll(() => begin());
  afterAll(() => node.stop());

  it("takes what that leaves open for no word on the claim", async () => {
    const report = await tell(1, 1, REPORT);
    const open = await tell(
      2,
      2,
      "The Harrow refinery explosion in Veldoria on Tuesday was heard in three towns. Shops stayed shut.",
    );
    await node.http("PUT", `/api/articles/${open}/verification`, { body: { verified: true } });
    const deep = await done(`/deep/${report}`);
    expect(deep.crossReference.claims[0].neutral).toMatchObject([{ articleId: open }]);
    expect(deep.trail.steps.map(({ type }: { type: string }) => type)).not.toContain("ground_truth");
  });
});

describe("a post about a claim that others have checked", () => {
  beforeAll(() => begin());
  afterAll(() => node.stop());

  const FILLING = "harvest ferry opera tunnel glacier census orchard tram quarry lantern brewery chapel dairy".split(
    " ",
  );

  it("names the check that answers its words best, and settles nothing by it", async () => {
    for (const [n, word] of FILLING.entries()) {
      await tell(2, n, `The ${word} board met on a ${word} matter and put it off to spring.`);
      await tell(5, n, `Nobody came to see the new ${word}, and those who run it have begun to wonder why.`);
      await tell(6, n, `Prices of every ${word} rose by a tenth, which owners put down to the weather.`);
    }
    const check = await tell(3, 70, "A photograph shows wolves bathing in the fountain of Marlow palace at midnight.", {
      title: "Did wolves bathe in the palace fountain of Marlow?",
    });
    const note = await tell(
      4,
      80,
      "Wolves! Bathing! In the palace fountain of Marlow, at midnight, in a photograph. Police counted 14 of them.",
      { title: "Unbelievable" },
    );
    await done(`/verify-claims/${note}`);
    const { claims } = await done(`/cross-reference/content/${note}`);
    expect(claims.length).toBeGreaterThan(0);
    for (const { status, neutral } of claims) {
      expect(status).toBe("unverified");
      expect(neutral).toContainEqual(
        expect.objectContaining({
          articleId: check,
          score: 0,
          reasons: ["no other article answers the claim's words as well"],
        }),
      );
    }
  });
});

describe("with a model", () => {
  let model: StandIn;
  let report: number;

  beforeAll(async () => {
    model = await modelStandIn(replies);
    await begin({ LLM_BASE_URL: model.baseUrl, LLM_MODEL: "stand-in-1" });
    report = await tell(1, 1, REPORT);
    await tell(3, 3, AGREES);
  });
  afterAll(async () => {
    await node.stop();
    await model.close();
  });

  it("takes of its claims those that stand in the text, and caches them", async () => {
    const { claims, method, cost } = await done(`/verify-claims/${report}`);
    expect([method, cost.llmCalls]).toEqual(["llm", 1]);
    expect(cost.tokens).toBeGreaterThan(0);
    expect(claims[0]).toMatchObject({ text: CLAIM, method: "llm" });
    expect(claims.map(({ text }: { text: string }) => text).join()).not.toContain("Nothing of the kind");
    const before = model.received.length;
    expect(await done(`/verify-claims/${report}`)).toMatchObject({ cached: true, cost: { llmCalls: 0, tokens: 0 } });
    expect(model.received.length).toBe(before);
  });

  it("moves the score only by evidence it cites, and drops what it makes up", async () => {
    const judged = await done(`/llm/${report}`);
    expect(judged).toMatchObject({
      method: "llm",
      model: "stand-in-1",
      dropped: 1,
      reasons: [{ quote: "killed 14 workers and injured 32 people", articleId: expect.any(Number) }],
    });
    const { data } = (await get(`/trail/${report}`)).body;
    expect(data.steps.find(({ type }: { type: string }) => type === "llm").cites.articles).toEqual([
      judged.reasons[0].articleId,
    ]);
    expect(sum(data.steps)).toBe(data.finalConfidenceScore);
  });

  it("counts what the whole costs", async () => {
    const before = model.received.length;
    const deep = await done(`/deep/${report}`);
    expect(deep).toMatchObject({
      method: "llm",
      bias: { method: "llm", indicators: { omission: expect.arrayContaining(["Who owns the refinery"]) } },
    });
    expect(deep.cost.llmCalls).toBe(model.received.length - before);
  });

  it.each([
    ["fails", { kind: "fail", status: 400 }],
    ["writes garbage", { kind: "answer", content: "I would rather not." }],
  ] as const)("does without it when it %s", async (_how, behaviour) => {
    model.respond(() => behaviour);
    const forced = await done(`/verify-claims/${report}?force=true`);
    expect([forced.method, forced.claims[0].text]).toEqual(["heuristic", CLAIM]);
    expect(await done(`/bias/${report}`)).toMatchObject({ method: "heuristic" });
    expect(await done(`/llm/${report}`)).toMatchObject({ method: "heuristic" });
    const deep = await done(`/deep/${report}`);
    expect(deep).toMatchObject({ method: "heuristic" });
    // Whoever asked is told that the model failed, and how.
    for (const { cost } of [forced, deep]) expect(cost.fault).toMatch(/^The model gave no answer: /);
    const { id } = (await node.http("POST", "/api/briefings/generate", { body: { hours: 720 } })).body.data;
    const briefing = await eventually(
      async () => (await node.http("GET", `/api/briefings/${id}`)).body.data,
      ({ status }: any) => status !== "generating",
    );
    expect(briefing).toMatchObject({
      status: "completed",
      method: "heuristic",
      modelFault: expect.stringMatching(/^(The model gave no answer: |What the model wrote did not hold)/),
    });
  });

  it("asks it again once it is well", async () => {
    model.respond(replies);
    await eventually(
      () => done(`/verify-claims/${report}?force=true`),
      ({ method }) => method === "llm",
      40_000,
    );
  });
});
