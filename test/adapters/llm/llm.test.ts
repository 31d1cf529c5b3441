import { z } from "zod";
import { added } from "../../../adapters/llm/budget/budget.ts";
import { faultOf, llm, LlmError, type Llm, type LlmSettings, type LlmWorld } from "../../../adapters/llm/llm.ts";
import { configurable } from "../../../adapters/llm/configurable.ts";
import { memoryLedger } from "../../../adapters/llm/budget/ledger.ts";
import { answer, calls, modelStandIn, withoutTools, type StandIn } from "../../../adapters/llm/stand-in.ts";

const KEY = "sk-canary-1234567890abcdef";
const City = z.strictObject({ city: z.string(), people: z.number().int() });
const paris = { city: "Paris", people: 2_100_000 };
const question = { messages: [{ role: "user", content: "Which city?" }] as const, schema: City, name: "city" };

let server: StandIn;
let pauses: number[];
const noWaiting: LlmWorld = {
  sleep: (ms) => {
    pauses.push(ms);
    return Promise.resolve();
  },
};

const connect = (settings: Partial<LlmSettings> = {}, world: LlmWorld = noWaiting): Llm =>
  llm({ baseUrl: server.baseUrl, apiKey: KEY, model: "m-1", timeoutMs: 5_000, maxRetries: 2, ...settings }, world);

const failure = async (promise: Promise<unknown>): Promise<LlmError> => {
  const error = await promise.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(LlmError);
  return error as LlmError;
};

const gather = async (pieces: AsyncIterable<string>): Promise<string[]> => {
  const gathered: string[] = [];
  for await (const piece of pieces) gathered.push(piece);
  return gathered;
};

beforeEach(async () => {
  pauses = [];
  server = await modelStandIn(() => answer(paris));
});
afterEach(() => server.close());

const TOOLS = [
  {
    name: "open_gate",
    description: "Open a gate.",
    parameters: { type: "object", properties: { id: { type: "string" } } },
  },
  { name: "finish", description: "End.", parameters: { type: "object", properties: {} } },
];
const choice = { messages: [{ role: "user", content: "Open gate 7." }] as const, tools: TOOLS, name: "turn" };
const OPEN = { tool: "open_gate", arguments: { id: "7" } };

describe("a choice among tools", () => {
  it("is made by the protocol's own calls, all of them in their order", async () => {
    server.next(calls(["open_gate", { id: "7" }], ["finish", {}]));
    const model = connect();
    const { acts, attempts, usage } = await model.decide(choice);
    expect([acts, attempts, model.toolForm]).toEqual([[OPEN, { tool: "finish", arguments: {} }], 1, "native"]);
    expect(usage.promptTokens).toBeGreaterThan(0);
    const [{ body, messages }] = server.received as [StandIn["received"][number]];
    expect(body["tools"]).toEqual(TOOLS.map((tool) => ({ type: "function", function: tool })));
    expect([body["tool_choice"], body["response_format"], messages]).toEqual(["required", undefined, choice.messages]);
  });

  it.each<[string, Parameters<StandIn["next"]>[0]]>([
    ["of arguments that are no JSON", calls(["open_gate", '{"id":'])],
    ["of arguments that are no object", calls(["open_gate", "[7]"])],
    ["of a tool that nobody offered", calls(["delete_articles", {}])],
    ["of one that is, and one that is not offered", calls(["open_gate", {}], ["drop", {}])],
  ])("%s is repaired once by another call, and given up then", async (_, first) => {
    server.next(first, calls(["open_gate", { id: "7" }]));
    const { acts, attempts } = await connect().decide(choice);
    expect([acts, attempts]).toEqual([[OPEN], 2]);
    expect(server.received[1]!.tools).toEqual(["open_gate", "finish"]);
    expect(server.received[1]!.messages.at(-1)!.content).toMatch(/cannot be used/);
    server.next(first, first);
    expect((await failure(connect().decide(choice))).kind).toBe("malformed");
  });

  it("takes arguments as an object, none at all, and the call as JSON in words", async () => {
    const model = connect();
    server.next(
      { kind: "tool-calls", calls: [{ name: "finish", arguments: "" }] },
      answer({ act: "open_gate", id: "7" }),
    );
    expect((await model.decide(choice)).acts).toEqual([{ tool: "finish", arguments: {} }]);
    expect([(await model.decide(choice)).acts, model.toolForm]).toEqual([[OPEN], "native"]);
  });

  it("is asked for in words where the endpoint refuses tools, or passes them on to nobody; then from the start", async () => {
    const inWords = answer({ act: "open_gate", arguments: { id: "7" } });
    server.respond(withoutTools(() => inWords));
    const refused = connect();
    expect([(await refused.decide(choice)).acts, refused.toolForm]).toEqual([[OPEN], "structured"]);
    expect(server.received.map(({ tools, shape }) => [tools.length, shape])).toEqual([
      [2, undefined],
      [0, "turn"],
    ]);
    expect(server.received[1]!.messages[0]!.content).toContain('"open_gate"');
    await refused.decide(choice);
    expect(server.received).toHaveLength(3);

    server.respond(({ tools }) => (tools.length ? answer("I open the gate.") : inWords));
    const ignored = connect();
    const { acts, attempts } = await ignored.decide(choice);
    expect([acts, attempts, ignored.toolForm]).toEqual([[OPEN], 2, "structured"]);
    expect((await ignored.decide(choice)).attempts).toBe(1);

    server.respond(() => calls(["finish", {}]));
    const chatty = connect();
    await chatty.decide(choice);
    server.next(answer("I open the gate."), calls(["open_gate", { id: "7" }]));
    expect([(await chatty.decide(choice)).acts, chatty.toolForm]).toEqual([[OPEN], "native"]);
  });

  it("is asked for without the demand where that is what the endpoint refuses", async () => {
    server.respond(({ body }) =>
      body["tool_choice"]
        ? { kind: "fail", status: 400, message: 'tool_choice "required" is not supported' }
        : calls(["finish", {}]),
    );
    const model = connect();
    expect([(await model.decide(choice)).acts, model.toolForm]).toEqual([
      [{ tool: "finish", arguments: {} }],
      "native",
    ]);
  });

  it("without an endpoint there is none", async () => {
    expect((await failure(llm({ timeoutMs: 1_000, maxRetries: 0 }).decide(choice))).kind).toBe("not-configured");
  });
});

describe("without an endpoint", () => {
  const none = llm({ timeoutMs: 1_000, maxRetries: 0 });

  it("says so and does nothing else", async () => {
    expect(none.configured).toBe(false);
    expect(await none.status()).toMatchObject({ configured: false });
    expect((await failure(none.complete(question))).kind).toBe("not-configured");
    expect((await failure(none.models())).kind).toBe("not-configured");
    expect((await failure(gather(none.stream({ messages: question.messages })))).kind).toBe("not-configured");
  });

  it("refuses settings that cannot be, naming the field", () => {
    expect(() => connect({ baseUrl: "ftp://host" })).toThrow(/baseUrl/);
    expect(() => connect({ timeoutMs: 0 })).toThrow(/timeoutMs/);
    expect(() => connect({ maxRetries: 1.5 })).toThrow(/maxRetries/);
    expect(() => connect({ concurrency: 0 })).toThrow(/concurrency/);
  });
});

describe("a structured answer", () => {
  it("is validated, priced and says who gave it", async () => {
    const model = connect({ priceIn: 1_000_000, priceOut: 2_000_000 });
    const { value, usage, attempts, model: answered } = await model.complete(question);
    expect(value).toEqual(paris);
    expect(attempts).toBe(1);
    expect(answered).toBe("stand-in-1");
    expect(usage.promptTokens).toBeGreaterThan(0);
    expect(usage.cost).toBe(usage.promptTokens + 2 * usage.completionTokens);
    expect(server.received[0]).toMatchObject({
      model: "m-1",
      shape: "city",
      authorization: `Bearer ${KEY}`,
      stream: false,
    });
    expect((await model.status()).today).toMatchObject({
      calls: 1,
      tokens: usage.promptTokens + usage.completionTokens,
    });
  });

  it("never offers a tool, and sends no more headers than the protocol needs", async () => {
    await connect().complete(question);
    const { body, headers } = server.received[0]!;
    expect(Object.keys(body).sort()).toEqual(["max_tokens", "messages", "model", "response_format", "temperature"]);
    expect(Object.keys(headers).filter((name) => name.startsWith("x-") || name.startsWith("openai"))).toEqual([]);
  });

  it("sends no authorization where no key is set", async () => {
    await connect({ apiKey: undefined }).complete(question);
    expect(server.received[0]!.authorization).toBeUndefined();
  });

  it.each([
    ["fenced", '```json\n{"city":"Paris","people":2100000}\n```'],
    ["amid prose", 'Surely: {"city":"Paris","people":2100000} I hope it helps {'],
    ["behind brackets of prose", 'By source [1] and the {plan}:\n```json\n{"city":"Paris","people":2100000}\n```'],
    ["behind thoughts", '<think>They want {"city":"Rome","people":1}.</think>\n{"city":"Paris","people":2100000}'],
    [
      "behind thoughts that the prompt began",
      'Rome? {"city":"Rome","people":1}\n</think>{"city":"Paris","people":2100000}',
    ],
  ])("is found when it is %s", async (_, content) => {
    server.next({ kind: "answer", content });
    expect((await connect().complete(question)).value).toEqual(paris);
  });

  it.each<[string, Parameters<StandIn["next"]>[0]]>([
    ["no JSON", { kind: "answer", content: "I would rather not." }],
    ["cut off", { kind: "answer", content: '{"city":"Par', finish: "length" }],
    ["of the wrong schema", answer({ city: "Paris", people: "many" })],
    ["with a field too many", answer({ ...paris, admin: true })],
    ["a tool call", calls(["delete_articles", { all: true }])],
  ])("that is %s is repaired once, both paid", async (_, first) => {
    server.next(first);
    const { value, attempts, usage } = await connect().complete(question);
    expect(value).toEqual(paris);
    expect(attempts).toBe(2);
    expect(server.received).toHaveLength(2);
    const [before, after] = server.received;
    expect(after!.messages.length).toBe(before!.messages.length + 2);
    expect(after!.messages.at(-1)!.content).toMatch(/cannot be used/);
    expect(usage.promptTokens).toBeGreaterThan(
      after!.messages.reduce((sum, message) => sum + Math.ceil(message.content.length / 4), 0),
    );
    expect(server.strayed).toEqual([]);
  });

  it("names the fields that are wrong in the repair", async () => {
    server.next(answer({ city: 7, people: 1.5 }));
    await connect().complete(question);
    expect(server.received[1]!.messages.at(-1)!.content).toMatch(/city: .*\npeople: /);
  });

  it("is given up as malformed when the repair is no better", async () => {
    server.respond(() => answer("still no JSON"));
    const error = await failure(connect().complete(question));
    expect(error.kind).toBe("malformed");
    expect(server.received).toHaveLength(2);
    // Both answers are billed, though none of them can be used: as much as two that can.
    server.next(answer("still no JSON"));
    server.respond(() => answer(paris));
    const { usage } = await connect().complete(question);
    expect(error.usage!.promptTokens).toBe(usage.promptTokens);
    expect(error.usage!.completionTokens).toBeGreaterThan(0);
  });

  it("is paid for by each try that was cut off while the endpoint worked", async () => {
    const model = connect({ timeoutMs: 100, maxRetries: 2, priceIn: 1 });
    server.respond(() => ({ kind: "slow", ms: 5_000, before: answer(paris) }));
    const error = await failure(model.complete(question));
    expect(error.kind).toBe("timeout");
    server.next({ kind: "slow", ms: 5_000, before: answer(paris) });
    server.respond(() => answer(paris));
    const { usage } = await model.complete(question);
    const once = error.usage!.promptTokens / 3;
    expect([Number.isInteger(once), usage.promptTokens > once]).toEqual([true, true]);
    const { tokens } = (await model.status()).today;
    expect(tokens).toBe(error.usage!.promptTokens + usage.promptTokens + usage.completionTokens);
  });

  it("may be declined, which is billed", async () => {
    server.next({ kind: "answer", content: "No.", finish: "content_filter" });
    const model = connect({ priceIn: 1, priceOut: 4 });
    const error = await failure(model.complete(question));
    expect([error.kind, error.usage!.promptTokens > 0, error.usage!.cost! > 0]).toEqual(["declined", true, true]);
    expect(server.received).toHaveLength(1);
    const { tokens } = (await model.status()).today;
    expect(tokens).toBe(error.usage!.promptTokens + error.usage!.completionTokens);
  });

  it.each([
    [400, "This model's maximum context length is 8192 tokens; your messages have 9000 tokens, max_tokens 1024."],
    [400, "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it"],
    [413, "Payload Too Large"],
  ])("is not to be had of a question that is too long: %s %s", async (status, message) => {
    server.respond(() => ({ kind: "fail", status, message }));
    const error = await failure(connect().complete(question));
    expect([error.kind, faultOf(error)]).toEqual([
      "too-long",
      "The model gave no answer: the question is longer than it takes.",
    ]);
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ["not", false],
    ["by halves", { prompt_tokens: 1.5, completion_tokens: 2 }],
    ["beyond what a question can take", { prompt_tokens: Number.MAX_SAFE_INTEGER, completion_tokens: 1e300 }],
    ["below none", { prompt_tokens: -1, completion_tokens: 2 }],
  ] as const)("counts tokens itself where the endpoint does so %s", async (_how, usage) => {
    server.next({ kind: "answer", content: JSON.stringify(paris), usage });
    const { promptTokens, completionTokens } = (await connect().complete(question)).usage;
    expect([promptTokens > 10, promptTokens < 1_000, completionTokens > 5]).toEqual([true, true, true]);
    expect([promptTokens, completionTokens].every(Number.isInteger)).toBe(true);
  });
});

describe("an endpoint with a dialect of its own", () => {
  it("is asked in simpler forms until it understands, and from then on at once", async () => {
    server.respond(({ body }) => {
      if ("response_format" in body)
        return { kind: "fail", status: 400, message: "'response_format' is not supported" };
      if ("max_tokens" in body)
        return {
          kind: "fail",
          status: 400,
          message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        };
      if ("temperature" in body) return { kind: "fail", status: 400, message: "'temperature' does not support 0" };
      return answer(paris);
    });
    const model = connect();
    expect((await model.complete(question)).attempts).toBe(5);
    expect((await model.complete(question)).attempts).toBe(1);
    expect(server.received.at(-1)!.body).toMatchObject({ max_completion_tokens: 1024 });
    expect(server.received.at(-1)!.messages[0]!.content).toContain("JSON Schema");
  });
});

describe("failures", () => {
  it.each([
    [{ kind: "fail", status: 401, message: `Incorrect API key provided: ${KEY}` }, "unauthorized", 1],
    [{ kind: "fail", status: 403 }, "unauthorized", 1],
    [{ kind: "fail", status: 404, message: "no such model" }, "rejected", 1],
    [{ kind: "fail", status: 500 }, "server", 3],
    [{ kind: "fail", status: 429 }, "rate-limited", 3],
    [{ kind: "garbage" }, "server", 3],
    [{ kind: "alien" }, "malformed", 1],
    [{ kind: "broken" }, "server", 3],
    [{ kind: "redirect", location: "http://127.0.0.1:9/elsewhere" }, "rejected", 1],
    [{ kind: "endless", bytes: 5_000_000 }, "malformed", 1],
  ] as const)("%j is %s after %d requests", async (behaviour, kind, requests) => {
    server.respond(() => behaviour);
    const error = await failure(connect({ breaker: { failures: 99, coolDownMs: 1_000 } }).complete(question));
    expect(error.kind).toBe(kind);
    expect(server.received).toHaveLength(requests);
  });

  it("pass when they pass", async () => {
    server.next({ kind: "fail", status: 503 }, { kind: "broken" });
    const { value, attempts } = await connect().complete(question);
    expect(value).toEqual(paris);
    expect(attempts).toBe(3);
    expect(pauses).toHaveLength(2);
    expect(pauses[1]!).toBeGreaterThan(pauses[0]!);
  });

  it("wait as long as Retry-After says, in seconds or as a date, and no longer than is sensible", async () => {
    const clock = { now: () => Date.parse("2026-01-01T00:00:00Z") };
    server.next(
      { kind: "fail", status: 429, headers: { "retry-after": "3" } },
      { kind: "fail", status: 503, headers: { "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" } },
    );
    await connect({}, { ...noWaiting, clock }).complete(question);
    expect(pauses).toEqual([3_000, 7_000]);

    server.next({ kind: "fail", status: 429, headers: { "retry-after": "3600" } });
    const error = await failure(connect().complete(question));
    expect(error).toMatchObject({ kind: "rate-limited", retryAfterMs: 3_600_000 });
    expect(pauses).toHaveLength(2);
  });

  it("are a time-out when the answer takes too long, the body included", async () => {
    server.respond(() => ({ kind: "slow", ms: 10_000, before: answer(paris) }));
    expect((await failure(connect({ timeoutMs: 60, maxRetries: 0 }).complete(question))).kind).toBe("timeout");
  });

  it("are an abort when the caller leaves, before, during and between attempts", async () => {
    server.respond(() => ({ kind: "slow", ms: 10_000, before: answer(paris) }));
    expect((await failure(connect().complete({ ...question, signal: AbortSignal.abort() }))).kind).toBe("aborted");

    const during = new AbortController();
    const running = failure(connect().complete({ ...question, signal: during.signal }));
    setTimeout(() => during.abort(), 50);
    expect((await running).kind).toBe("aborted");

    server.respond(() => ({ kind: "fail", status: 500 }));
    const between = new AbortController();
    const world: LlmWorld = {
      sleep: (_, signal) => {
        between.abort();
        return signal?.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve();
      },
    };
    expect((await failure(connect({}, world).complete({ ...question, signal: between.signal }))).kind).toBe("aborted");
  });

  it("never show the key, wherever the endpoint repeats it", async () => {
    for (const status of [400, 401, 429, 500]) {
      server.respond(() => ({
        kind: "fail",
        status,
        message: `The key ${KEY} (Bearer ${KEY}) sent by you\nis not liked`,
      }));
      const error = await failure(connect().complete(question));
      const shown = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join(" ");
      expect(shown).not.toContain("canary");
      expect(error.message).not.toMatch(/[\n\r]/);
    }
    expect(JSON.stringify(connect())).not.toContain("canary");
  });

  it("are a server failure when nobody listens", async () => {
    const { baseUrl } = server;
    await server.close();
    expect((await failure(connect({ baseUrl, maxRetries: 1 }).complete(question))).kind).toBe("server");
    server = await modelStandIn();
  });
});

describe("the circuit", () => {
  it("opens after failures in a row, lets one probe through, and closes when it succeeds", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const world: LlmWorld = { ...noWaiting, clock: { now: () => now } };
    const model = connect({ maxRetries: 0, breaker: { failures: 3, coolDownMs: 10_000 } }, world);
    server.respond(() => ({ kind: "fail", status: 500 }));
    for (let i = 0; i < 3; i += 1) expect((await failure(model.complete(question))).kind).toBe("server");
    expect((await model.status()).circuit).toBe("open");

    expect(await failure(model.complete(question))).toMatchObject({ kind: "circuit-open", retryAfterMs: 10_000 });
    expect(server.received).toHaveLength(3);

    now += 10_000;
    expect((await model.status()).circuit).toBe("half-open");
    expect((await failure(model.complete(question))).kind).toBe("server");
    expect((await model.status()).circuit).toBe("open");

    now += 10_000;
    server.respond(() => ({ kind: "slow", ms: 50, before: answer(paris) }));
    const outcomes = await Promise.allSettled([model.complete(question), model.complete(question)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await model.status()).circuit).toBe("closed");
    expect((await model.complete(question)).value).toEqual(paris);
  });

  it("is not opened by the caller's own mistakes", async () => {
    const model = connect({ maxRetries: 0, breaker: { failures: 1, coolDownMs: 10_000 } });
    server.respond(() => ({ kind: "fail", status: 401 }));
    await failure(model.complete(question));
    await failure(model.complete({ ...question, signal: AbortSignal.abort() }));
    expect((await model.status()).circuit).toBe("closed");
  });

  it("is apart from what the log is told: a question given up, and the next answer; not a question's own fault", async () => {
    const said: string[] = [];
    const watch = { failed: (why: string) => void said.push(why), worked: () => void said.push("worked") };
    const model = connect({ maxRetries: 1 }, { ...noWaiting, watch });
    server.next({ kind: "fail", status: 500 });
    server.next(answer(paris));
    await model.complete(question);
    server.next({ kind: "fail", status: 500 }, { kind: "fail", status: 500 });
    await failure(model.complete(question));
    server.next({ kind: "fail", status: 400 });
    await failure(model.complete(question));
    await model.complete(question);
    const host = new URL(server.baseUrl).host;
    expect(said).toEqual(["worked", expect.stringContaining(`${host}: The model's endpoint failed`), "worked"]);
  });

  it("is not needed to see that no question gets an answer", async () => {
    const model = connect({ maxRetries: 0, dailyTokenBudget: 2_000 });
    server.next({ kind: "fail", status: 401 });
    await failure(model.complete(question));
    expect(await model.status()).toMatchObject({ circuit: "closed", fault: "unauthorized" });
    // What one question comes to tells nothing of the next.
    server.next({ kind: "answer", content: "No.", finish: "content_filter" });
    await failure(model.complete(question));
    expect((await model.status()).fault).toBe("unauthorized");
    await model.complete(question);
    expect((await model.status()).fault).toBeUndefined();
    server.respond(() => answer("word ".repeat(2_000)));
    await gather(model.stream({ messages: question.messages }));
    expect((await model.status()).fault).toBe("budget-exceeded");
  });
});

describe("bounds", () => {
  it("keeps within the day's budget, requests under way included, and starts anew at midnight UTC", async () => {
    let now = Date.parse("2026-01-01T23:00:00Z");
    const model = connect({ dailyTokenBudget: 1_500 }, { ...noWaiting, clock: { now: () => now } });
    const outcomes = await Promise.allSettled([model.complete(question), model.complete(question)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    const refused = (outcomes[1] as PromiseRejectedResult).reason as LlmError;
    expect(refused).toMatchObject({ kind: "budget-exceeded", retryAfterMs: 3_600_000 });
    expect(server.received).toHaveLength(1);
    // What was set aside and not used is free again.
    expect((await model.complete(question)).value).toEqual(paris);

    const { tokens } = (await model.status()).today;
    expect(tokens).toBeGreaterThan(0);
    now += 3_600_000;
    expect((await model.status()).today).toEqual({ calls: 0, tokens: 0, budget: 1_500 });
  });

  it("keeps within the day's money, and tells what was spent", async () => {
    const model = connect({ priceIn: 1_000, priceOut: 2_000, dailyCostBudget: 3 });
    const { usage } = await model.complete({ ...question, maxTokens: 1_000 });
    expect(usage.cost).toBeCloseTo((1_000 * usage.promptTokens + 2_000 * usage.completionTokens) / 1e6, 12);
    expect((await model.status()).today).toEqual({
      calls: 1,
      tokens: usage.promptTokens + usage.completionTokens,
      cost: usage.cost,
      costBudget: 3,
    });
    const refused = await failure(model.complete({ ...question, maxTokens: 1_500 }));
    expect(refused).toMatchObject({ kind: "budget-exceeded", message: expect.stringContaining("3 in cost") });
    expect(server.received).toHaveLength(1);
    // Of a model that costs otherwise: what is set aside and what is booked are by its own prices.
    const prices = { priceIn: 10, priceOut: 30 };
    const { usage: cheap } = await model.complete({ ...question, maxTokens: 1_500, model: "m-small", prices });
    expect(cheap.cost).toBeCloseTo((10 * cheap.promptTokens + 30 * cheap.completionTokens) / 1e6, 12);
    expect((await model.status()).today.cost).toBeCloseTo(usage.cost! + cheap.cost!, 5);
    expect(() => connect({ dailyCostBudget: 3 })).toThrow(/dailyCostBudget/);
  });

  it("lets no more requests run at once than it is told", async () => {
    server.respond(() => ({ kind: "slow", ms: 20, before: answer(paris) }));
    const model = connect({ concurrency: 2 });
    await Promise.all(Array.from({ length: 8 }, () => model.complete(question)));
    expect(server.received).toHaveLength(8);
    expect(server.busiest).toBe(2);
  });

  it("frees the place of a caller who leaves the queue", async () => {
    server.respond(() => ({ kind: "slow", ms: 50, before: answer(paris) }));
    const model = connect({ concurrency: 1 });
    const leaver = new AbortController();
    const first = model.complete(question);
    const second = failure(model.complete({ ...question, signal: leaver.signal }));
    const third = model.complete(question);
    leaver.abort();
    expect((await second).kind).toBe("aborted");
    await expect(first).resolves.toMatchObject({ value: paris });
    await expect(third).resolves.toMatchObject({ value: paris });
    expect(server.received).toHaveLength(2);
  });
});

describe("a stream", () => {
  const messages = [{ role: "user", content: "Tell me." }] as const;

  it("comes in pieces and is counted", async () => {
    server.next({ kind: "answer", content: "one two three" });
    const model = connect();
    expect(await gather(model.stream({ messages }))).toEqual(["one ", "two ", "three"]);
    expect(server.received[0]!.stream).toBe(true);
    expect((await model.status()).today.tokens).toBeGreaterThan(0);
  });

  it("is repeated when it fails before its first piece, never after", async () => {
    server.next({ kind: "fail", status: 503 }, { kind: "answer", content: "well then" });
    expect((await gather(connect().stream({ messages }))).join("")).toBe("well then");
    expect(server.received).toHaveLength(2);

    server.next({ kind: "broken" });
    const seen: string[] = [];
    const error = await failure(
      (async () => {
        for await (const piece of connect().stream({ messages })) seen.push(piece);
      })(),
    );
    expect(error.kind).toBe("server");
    expect(seen).toEqual(["Half an "]);
    expect(server.received).toHaveLength(3);
  });

  it.each([
    ["<think> Let me see: 1 < 2. </think>\n\none two", "one two"],
    ["<b>one</b> two", "<b>one</b> two"],
    ["<thin ice", "<thin ice"],
    ["<think> and never an end", ""],
  ])("leaves out what a model thinks aloud before it answers: %s", async (content, seen) => {
    server.next({ kind: "answer", content });
    expect((await gather(connect().stream({ messages }))).join("")).toBe(seen);
  });

  it("tells that it ended at the limit of its length", async () => {
    let cuts = 0;
    const onCut = () => void (cuts += 1);
    server.next({ kind: "answer", content: "one two" }, { kind: "answer", content: "one", finish: "length" });
    for (const told of [0, 1]) {
      await gather(connect().stream({ messages, onCut }));
      expect(cuts).toBe(told);
    }
  });

  it("that its reader leaves frees its place", async () => {
    server.respond(() => ({ kind: "answer", content: "a b c d e f g h" }));
    const model = connect({ concurrency: 1 });
    for await (const piece of model.stream({ messages })) if (piece.startsWith("b")) break;
    expect((await gather(model.stream({ messages }))).length).toBe(8);
  });

  it("times out when it does not start", async () => {
    server.respond(() => ({ kind: "slow", ms: 10_000, before: answer("late") }));
    expect((await failure(gather(connect({ timeoutMs: 60, maxRetries: 0 }).stream({ messages })))).kind).toBe(
      "timeout",
    );
  });
});

it("lists the endpoint's models", async () => {
  expect(await connect().models()).toEqual(["stand-in-1"]);
});

describe("under settings that change", () => {
  const settings = { apiKey: KEY, model: "m-1", timeoutMs: 5_000, maxRetries: 0 };

  it("ends what is under way as it was begun, and asks anew under the new ones", async () => {
    const other = await modelStandIn(() => answer({ city: "Lyon", people: 1 }));
    try {
      const model = configurable({ ...settings, baseUrl: server.baseUrl });
      server.next({ kind: "slow", ms: 200, before: answer(paris) });
      const before = model.complete(question);
      while (!server.received.length) await new Promise(setImmediate);
      model.use({ ...settings, baseUrl: other.baseUrl, model: "m-2", apiKey: "sk-another-key-000000", priceIn: 1 });
      expect([model.model, model.prices]).toEqual(["m-2", { priceIn: 1, priceOut: undefined }]);
      expect((await model.complete(question)).value).toEqual({ city: "Lyon", people: 1 });
      expect((await before).value).toEqual(paris);
      expect([server.received[0]!.authorization, server.received[0]!.model]).toEqual([`Bearer ${KEY}`, "m-1"]);
      expect(other.received[0]!.authorization).toBe("Bearer sk-another-key-000000");
    } finally {
      await other.close();
    }
  });

  it("keeps the circuit of an endpoint and its model, and its account; another begins anew", async () => {
    const breaker = { failures: 1, coolDownMs: 60_000 };
    const ledger = memoryLedger();
    const model = configurable({ ...settings, baseUrl: server.baseUrl, breaker }, { ledger });
    await model.complete(question);
    server.next({ kind: "fail", status: 500 });
    await failure(model.complete(question));
    model.use({ ...settings, baseUrl: server.baseUrl, breaker, timeoutMs: 9_000 });
    expect((await failure(model.complete(question))).kind).toBe("circuit-open");
    model.use({ ...settings, baseUrl: server.baseUrl, breaker, model: "m-2" });
    expect((await model.complete(question)).value).toEqual(paris);
    expect((await model.status()).today.calls).toBe(4);
  });
});

it("costs of several questions add up to what a person would write", () => {
  const usage = { promptTokens: 100, completionTokens: 20, cost: 0.00014 };
  expect(added(added(usage, usage), usage)).toEqual({ promptTokens: 300, completionTokens: 60, cost: 0.00042 });
});
