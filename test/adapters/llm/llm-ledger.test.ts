import fc from "fast-check";
import { rm } from "node:fs/promises";
import { z } from "zod";
import { documentsLedger, memoryLedger, type Ledger } from "../../../adapters/llm/budget/ledger.ts";
import { llm, LlmError, type Llm, type LlmSettings } from "../../../adapters/llm/llm.ts";
import { answer, modelStandIn, type StandIn } from "../../../adapters/llm/stand-in.ts";
import { world } from "../../mesh.ts";
import { onEveryEngine, whereAble } from "../documents/engines.ts";

const DAY = "2026-11-21";
const City = z.strictObject({ city: z.string() });
const paris = { city: "Paris" };
const question = { messages: [{ role: "user", content: "Which city?" }] as const, schema: City, name: "city" };

let server: StandIn;
beforeAll(async () => {
  server = await modelStandIn(() => answer(paris));
});
beforeEach(() => {
  server.respond(() => answer(paris));
});
afterAll(() => server.close());

const connect = (settings: Partial<LlmSettings>, ledger: Ledger, now = () => Date.parse(`${DAY}T23:00:00Z`)): Llm =>
  llm(
    { baseUrl: server.baseUrl, model: "m-1", timeoutMs: 5_000, maxRetries: 0, ...settings },
    { ledger, clock: { now } },
  );

onEveryEngine("the account of the model's budget", ({ engine, documents }) => {
  // Two nodes: each a store connection of its own, where the engine has one.
  let left: Ledger,
    right: Ledger,
    close = async (): Promise<void> => {};
  beforeAll(() => {
    const other = engine.again?.();
    left = documentsLedger(documents());
    right = documentsLedger(other ?? documents());
    close = async () => other?.close();
  });
  afterAll(() => close());

  it("does as a ledger in memory does, whatever is held and settled by whom", async () => {
    const amount = fc.record({ tokens: fc.integer({ min: 0, max: 400 }), cost: fc.integer({ min: 0, max: 400 }) });
    const step = fc.record({ node: fc.boolean(), held: amount, used: fc.option(amount) });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const day = new Date(Date.parse("2027-01-01") + run++ * 86_400_000).toISOString().slice(0, 10);
        const model = memoryLedger();
        for (const { node, held, used } of steps) {
          const ledger = node ? left : right;
          const outcome = await ledger.hold(day, held, { tokens: 1_000, cost: 1_000 });
          expect(outcome).toBe(await model.hold(day, held, { tokens: 1_000, cost: 1_000 }));
          if (outcome || !used) continue;
          for (const one of [ledger, model]) await one.settle(day, held, { calls: 1, ...used });
        }
        expect(await right.spent(day)).toEqual(await model.spent(day));
      }),
      { numRuns: 20 },
    );
  });

  whereAble(engine, "own-outcome", "lets two nodes that ask at once hold no more than there is", async () => {
    const holds = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        (n % 2 ? left : right).hold("2026-12-24", { tokens: 100, cost: 0 }, { tokens: 1_000 }),
      ),
    );
    expect(holds.filter((limit) => limit === null)).toHaveLength(10);
    expect(holds.filter((limit) => limit === "tokens")).toHaveLength(30);
  });

  it("keeps two nodes together within the day, and gives back what was not used", async () => {
    const [ann, ben] = [left, right].map((ledger) => connect({ dailyTokenBudget: 1_500 }, ledger)) as [Llm, Llm];
    const outcomes = await Promise.allSettled([ann.complete(question), ben.complete(question)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult).reason).toMatchObject({
      kind: "budget-exceeded",
      retryAfterMs: 3_600_000,
    });
    expect((await ben.complete(question)).value).toEqual(paris);
    const { today } = await ann.status();
    expect(today).toMatchObject({ calls: 2, budget: 1_500 });
    expect((await ben.status()).today).toEqual(today);
    const tomorrow = connect({ dailyTokenBudget: 1_500 }, right, () => Date.parse(`${DAY}T23:00:00Z`) + 3_600_000);
    expect((await tomorrow.status()).today).toEqual({ calls: 0, tokens: 0, budget: 1_500 });
  });
});

it("books with the next what could not be booked; no answer fails for it, and none is asked for on an account that cannot be read", async () => {
  const kept = memoryLedger();
  let away = false;
  const ledger: Ledger = {
    ...kept,
    hold: (...given) => (away ? Promise.reject(new Error("away")) : kept.hold(...given)),
    settle: (...given) => (away ? Promise.reject(new Error("away")) : kept.settle(...given)),
  };
  const model = connect({ dailyTokenBudget: 5_000 }, ledger);
  server.respond(() => {
    away = true;
    return answer(paris);
  });
  const first = await model.complete(question);
  expect(first.value).toEqual(paris);
  expect(await kept.spent(DAY)).toMatchObject({ calls: 0 });
  const asked = server.received.length;
  const refused = await model.complete(question).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(LlmError);
  expect(server.received).toHaveLength(asked);
  away = false;
  expect((await model.status()).today).toMatchObject({
    calls: 1,
    tokens: first.usage.promptTokens + first.usage.completionTokens,
  });
});

it("is one account over two brokers of a mesh, also for whoever asks how it stands", async () => {
  const settings = { LLM_BASE_URL: server.baseUrl, LLM_MODEL: "m-1", LLM_DAILY_TOKENS: "1500" };
  const one = await world(settings);
  const two = await world({
    ...settings,
    DATA_DIR: one.dataDir,
    ...(one.env.MONGO_URL && { MONGO_URL: one.env.MONGO_URL }),
  });
  try {
    const outcomes = await Promise.allSettled([one, two].map(({ mesh }) => mesh.world.llm.complete(question)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const statuses = await Promise.all(
      [one, two].map(async (at) => (await at.http("GET", "/api/verification/model")).body.data.today),
    );
    expect(statuses[0]).toMatchObject({ calls: 1, budget: 1_500 });
    expect(statuses[1]).toEqual(statuses[0]);
  } finally {
    await two.stop({ keep: true });
    await one.stop({ keep: true });
    await rm(one.dataDir, { recursive: true, force: true });
  }
});
