import { rm } from "node:fs/promises";
import { standIn, type Received, type StandIn } from "../../adapters/llm/stand-in.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { signIn, startNode, type NodeProcess } from "../process.ts";
import { HOUR_MS, sameStores } from "./articles-setup.ts";
import { AGREES, DENIES, question, replies, REPORT, tell } from "./verification-setup.ts";

const slowly = (ms: number) => (request: Received) => ({ kind: "slow" as const, ms, before: replies(request) });
const asksOf = ({ received }: StandIn) => [...Map.groupBy(received.map(question), (one) => one).values()].map((same) => same.length);

describe("a verification that takes longer than a request", () => {
  let node: TestWorld;
  let model: StandIn;
  let report: number;

  const post = (path: string) => node.http("POST", `/api/verification${path}`, { as: "analyst" });
  const job = async (id: string) => (await node.http("GET", `/api/verification/jobs/${id}`, { as: "reader" })).body.data;

  beforeAll(async () => {
    model = await standIn();
    node = await world({ LLM_BASE_URL: model.baseUrl, LLM_MODEL: "stand-in-1", LLM_PRICE_IN: "1000", LLM_PRICE_OUT: "3000", REQUEST_TIMEOUT_MS: "3000" });
    report = await tell(node, 1, 1, REPORT);
    await tell(node, 3, 3, AGREES);
    await tell(node, 4, 4, DENIES);
  });
  afterAll(async () => {
    await node.stop();
    await model.close();
  });

  it("goes on in the background, tells how far it is and what it cost so far, and runs once", async () => {
    model.respond(slowly(1_200));
    const [first, second] = await Promise.all([post(`/deep/${report}`), post(`/deep/${report}`)]);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(first.body).toMatchObject({ success: true, data: { kind: "verification.deep", status: "running", done: expect.any(Number), total: 5, error: null } });
    const { job: id } = first.body.data;
    expect(second.body.data.job).toBe(id);
    const seen: number[] = [];
    const last = await eventually(() => job(id).then((now) => { seen.push(now.done); return now; }), ({ status }) => status === "completed");
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(last.result).toMatchObject({ contentId: report, method: "llm", cost: { llmCalls: model.received.length } });
    expect(last.cost).toEqual(last.result.cost);
    expect(asksOf(model).every((times) => times === 1)).toBe(true);
    const { llmCalls, tokens, price } = last.cost;
    expect(llmCalls).toBe(model.received.length);
    expect(price).toBeGreaterThanOrEqual(tokens * 0.001);
    expect(price).toBeLessThanOrEqual(tokens * 0.003);
    expect((await node.http("GET", "/api/verification/model", { as: "reader" })).body.data).toMatchObject({ configured: true, model: "stand-in-1", today: { calls: llmCalls, tokens, cost: expect.closeTo(price, 9) } });
    expect(await node.http("GET", `/api/verification/trail/${report}`, { as: "reader" })).toMatchObject({ body: { data: { finalConfidenceScore: last.result.finalConfidenceScore } } });
  });

  it("answers at once what is ready in time, from new work", async () => {
    model.respond(replies);
    // In time, that is within three seconds: a machine that does other things as well may need another go.
    const ready = await eventually(() => post(`/deep/${report}`), ({ status }) => status !== 202, 60_000);
    expect(ready).toMatchObject({ status: 200, body: { data: { contentId: report } } });
  });

  it("does the same with a batch", async () => {
    model.respond(slowly(1_800));
    const { status, body: { data } } = await post("/bias/batch?limit=3");
    expect([status, data.kind]).toEqual([202, "verification.batch"]);
    const last = await eventually(() => job(data.job), (now) => now.status === "completed");
    expect(last.result).toMatchObject({ processed: 2, succeeded: 2, more: false, cost: { llmCalls: 2 } });
    expect(last).toMatchObject({ done: 2, total: 2 });
  });

  it("can be called off", async () => {
    model.respond(slowly(1_200));
    const { job: id } = (await post("/llm/batch?limit=3")).body.data;
    expect((await node.http("POST", `/api/jobs/${id}/cancel`, { as: "admin" })).status).toBe(204);
    expect(await job(id)).toMatchObject({ status: "cancelled", result: null });
  });

  it("shows no other work than its own", async () => {
    const other = await node.http("POST", "/api/briefings/generate", { body: {} });
    expect(other.status).toBe(202);
    const [row] = (await node.http("GET", "/api/jobs?kind=briefings.generate")).body.data;
    for (const id of [row.id, "none"]) expect((await node.http("GET", `/api/verification/jobs/${id}`, { as: "reader" })).status).toBe(404);
  });
});

it("kill -9 in the middle: the next start goes on, and pays nothing again that was answered", async () => {
  const model = await standIn(slowly(5_000));
  const seed = await world();
  // The oldest: the batch takes the other two.
  const report = await tell(seed, 1, 1, REPORT, { publishedAt: new Date(seed.clock.now() - 5 * HOUR_MS).toISOString() });
  const others = [await tell(seed, 3, 3, AGREES), await tell(seed, 4, 4, DENIES)];
  await seed.stop({ keep: true });
  const settings = { ...sameStores(seed), SECRET: seed.env.SECRET!, NAMESPACE: seed.env.NAMESPACE, ...(seed.env.ELASTICSEARCH_URL && { ELASTICSEARCH_URL: seed.env.ELASTICSEARCH_URL }), LLM_BASE_URL: model.baseUrl, LLM_MODEL: "stand-in-1", REQUEST_TIMEOUT_MS: "6000" };
  let node: NodeProcess = await startNode(settings);
  try {
    let token = await signIn(node.url);
    const ask = async (method: string, path: string) => {
      const answer = await fetch(`${node.url}/api/verification${path}`, { method, headers: { authorization: `Bearer ${token}` } });
      return { status: answer.status, data: ((await answer.json()) as { data: any }).data };
    };
    const [deep, batch] = await Promise.all([ask("POST", `/deep/${report}`), ask("POST", "/bias/batch?limit=2")]);
    expect([deep.status, batch.status]).toEqual([202, 202]);
    await eventually(async () => (await Promise.all([deep, batch].map(({ data }) => ask("GET", `/jobs/${data.job}`)))).map(({ data }) => data.cost.llmCalls), ([first, second]) => first! >= 1 && second! >= 1);
    await node.kill();
    const answered = model.received.length;

    node = await startNode(settings);
    token = await signIn(node.url);
    const [verified, analysed] = await Promise.all([deep, batch].map(({ data }) => eventually(() => ask("GET", `/jobs/${data.job}`), (now) => now.data.status === "completed", 60_000)));
    expect(verified!.data).toMatchObject({ attempts: 2, done: 5, total: 5, result: { contentId: report, method: "llm" } });
    expect(analysed!.data).toMatchObject({ attempts: 2, result: { processed: 2, succeeded: 2, failed: 0, more: true } });
    expect(analysed!.data.result.results.map(({ contentId }: { contentId: number }) => contentId).toSorted()).toEqual(others.toSorted());
    // The questions on the wire at the kill, one of each job at the most, have no answer that could be kept.
    const asks = asksOf(model);
    expect(model.received.length).toBeGreaterThan(answered);
    expect(asks.reduce((twice, times) => twice + times - 1, 0)).toBeLessThanOrEqual(2);
    expect(verified!.data.cost.llmCalls + analysed!.data.cost.llmCalls).toBe(asks.length);
  } finally {
    await node.stop();
    await model.close();
    await rm(seed.dataDir, { recursive: true, force: true });
  }
}, 180_000);
