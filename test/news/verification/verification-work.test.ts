import { modelStandIn, type Received, type StandIn } from "../../../adapters/llm/stand-in.ts";
import { eventually, world, type TestWorld } from "../../mesh.ts";
import { AGREES, DENIES, question, replies, REPORT, tell } from "./verification-setup.ts";

const slowly = (ms: number) => (request: Received) => ({ kind: "slow" as const, ms, before: replies(request) });
const asksOf = ({ received }: StandIn) =>
  [...Map.groupBy(received.map(question), (one) => one).values()].map((same) => same.length);

describe("a verification that takes longer than a request", () => {
  let node: TestWorld;
  let model: StandIn;
  let report: number;

  const post = (path: string) => node.http("POST", `/api/verification${path}`, { as: "analyst" });
  const job = async (id: string) =>
    (await node.http("GET", `/api/verification/jobs/${id}`, { as: "reader" })).body.data;

  beforeAll(async () => {
    model = await modelStandIn();
    node = await world({
      LLM_BASE_URL: model.baseUrl,
      LLM_MODEL: "stand-in-1",
      LLM_PRICE_IN: "1000",
      LLM_PRICE_OUT: "3000",
      REQUEST_TIMEOUT_MS: "3000",
    });
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
    expect(first.body).toMatchObject({
      success: true,
      data: { kind: "verification.deep", status: "running", done: expect.any(Number), total: 5, error: null },
    });
    const { job: id } = first.body.data;
    expect(second.body.data.job).toBe(id);
    const seen: number[] = [];
    const last = await eventually(
      () =>
        job(id).then((now) => {
          seen.push(now.done);
          return now;
        }),
      ({ status }) => status === "completed",
    );
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(last.result).toMatchObject({ contentId: report, method: "llm", cost: { llmCalls: model.received.length } });
    expect(last.cost).toEqual(last.result.cost);
    expect(asksOf(model).every((times) => times === 1)).toBe(true);
    const { llmCalls, tokens, price } = last.cost;
    expect(llmCalls).toBe(model.received.length);
    expect(price).toBeGreaterThanOrEqual(tokens * 0.001);
    expect(price).toBeLessThanOrEqual(tokens * 0.003);
    expect((await node.http("GET", "/api/verification/model", { as: "reader" })).body.data).toMatchObject({
      configured: true,
      model: "stand-in-1",
      today: { calls: llmCalls, tokens, cost: expect.closeTo(price, 9) },
    });
    expect(await node.http("GET", `/api/verification/trail/${report}`, { as: "reader" })).toMatchObject({
      body: { data: { finalConfidenceScore: last.result.finalConfidenceScore } },
    });
  });

  it("answers at once what is ready in time, from new work", async () => {
    model.respond(replies);
    // In time, that is within three seconds: a machine that does other things as well may need another go.
    const ready = await eventually(
      () => post(`/deep/${report}`),
      ({ status }) => status !== 202,
      60_000,
    );
    expect(ready).toMatchObject({ status: 200, body: { data: { contentId: report } } });
  });

  it("does the same with a batch", async () => {
    model.respond(slowly(1_800));
    const {
      status,
      body: { data },
    } = await post("/bias/batch?limit=3");
    expect([status, data.kind]).toEqual([202, "verification.batch"]);
    const last = await eventually(
      () => job(data.job),
      (now) => now.status === "completed",
    );
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
    for (const id of [row.id, "none"])
      expect((await node.http("GET", `/api/verification/jobs/${id}`, { as: "reader" })).status).toBe(404);
  });
});
