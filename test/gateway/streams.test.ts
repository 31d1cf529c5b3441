import { setTimeout as pause } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import { z } from "zod";
import { pieces, stream, type StreamEvent } from "../../core/contract/answer.ts";
import { endpoint, type Host, type MeshService } from "../../core/contract/endpoint.ts";
import { HigherSetId } from "../../core/access/set-reference.ts";
import { entity } from "../../core/records/entity.ts";
import { systemActor } from "../../core/access/access.ts";
import { conflict, unprocessable } from "../../core/problem.ts";
import { domain } from "../../mixins/domain.mixin.ts";
import { frame } from "../../services/gateway/live/streams.ts";
import { secondGateway, WITHIN_REACH } from "./second-gateway.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { admit, as, openSet, person } from "../workspace/people.ts";

/** Lets work go on when the test says so. */
const gates = new Map<string, PromiseWithResolvers<void>>();
const gate = (name: string): PromiseWithResolvers<void> => {
  let known = gates.get(name);
  if (!known) gates.set(name, (known = Promise.withResolvers()));
  return known;
};
const ended: string[] = [];
const Log = entity("logbook", {
  fields: {
    problemSetId: z.string(),
    compartments: z.array(z.string()).default([]),
    text: z.string(),
    above: HigherSetId.optional(),
  },
  immutable: ["problemSetId"],
  barrier: { set: "problemSetId", compartments: "compartments" },
});

async function* counting(name: string, from: number, to: number): AsyncGenerator<StreamEvent> {
  try {
    for (let n = from; n <= to; n++) {
      if (n === 3) await gate(name).promise;
      yield { id: String(n), event: "count", data: { n } };
    }
  } finally {
    ended.push(name);
  }
}

const service = {
  name: "streaming",
  settings: { rest: "/streaming" },
  mixins: [
    domain({
      entities: [Log],
      jobs: {
        "streaming.work": {
          async run(this: Host, { job, progress }) {
            await progress("reading", 1, 3);
            await gate(`job ${job.input.name}`).promise;
            await progress("writing", 2, 3);
            if (job.input.fails)
              throw job.input.fails === "ours" ? conflict("The paper is another's.") : new Error("the printer burns");
            return {};
          },
          attempts: 1,
        },
      },
    }),
  ],
  actions: {
    count: endpoint({
      rest: "GET /count/:name",
      summary: "Count while it is listened to",
      permit: "signed-in",
      path: { name: z.string() },
      query: { to: z.int().default(5) },
      returns: stream({ count: z.object({ n: z.int() }) }),
      handler: (ctx) => counting(ctx.params.name, Number(ctx.meta.lastEventId ?? 0) + 1, ctx.params.to),
    }),
    broken: endpoint({
      rest: "GET /broken",
      summary: "Break in the middle",
      permit: "signed-in",
      query: { how: z.enum(["problem", "bug", "shape", "name"]) },
      returns: stream({ count: z.object({ n: z.int() }) }),
      async *handler(ctx: any): any {
        yield { event: "count", data: { n: 1 } };
        if (ctx.params.how === "problem") throw unprocessable("NO_MORE", "There is no more.");
        if (ctx.params.how === "shape") yield { event: "count", data: { n: "secret text" } };
        if (ctx.params.how === "name") yield { event: "other", data: {} };
        throw new Error("secret of the inside");
      },
    }),
    text: endpoint({
      rest: "GET /text",
      summary: "Read a long text",
      permit: "signed-in",
      query: { fails: z.stringbool().default(false), waits: z.string().optional() },
      returns: pieces("text/plain; charset=utf-8"),
      async *handler(ctx: any): any {
        for (let n = 0; n < 50; n++) {
          if (n === 40 && ctx.params.waits) await gate(ctx.params.waits).promise;
          yield `${n} ${"ä".repeat(20_000)}\n`;
        }
        if (ctx.params.fails) throw new Error("secret of the inside");
      },
    }),
    watch: endpoint({
      rest: "GET /logs/:id/watch",
      summary: "Watch a record behind a barrier",
      permit: "signed-in",
      on: Log,
      returns: stream({ text: z.object({ text: z.string(), above: HigherSetId.optional() }) }),
      async *handler(this: any, _ctx: any, log: any): any {
        for (let n = 1; ; n++) {
          yield { id: String(n), event: "text", data: { text: log.text, above: log.above } };
          await pause(20);
        }
      },
    }),
  },
} as unknown as MeshService;

let at: TestWorld, second: ServiceBroker, urls: [string, string];
beforeAll(async () => {
  at = await world({}, { extra: [service], options: WITHIN_REACH });
  second = await secondGateway(at);
  const { server } = second.getLocalService("gateway") as unknown as { server: { address(): { port: number } } };
  urls = [at.url, `http://127.0.0.1:${server.address().port}`];
});
afterAll(async () => {
  for (const { resolve } of gates.values()) resolve();
  await second.stop();
  await at.stop();
});

interface Follower {
  status: number;
  headers: Headers;
  events: { id?: string; event: string; data: any }[];
  comments: string[];
  over: Promise<void>;
  leave(): void;
  text: string;
}

/** Follows an address as a browser's EventSource does, and keeps what it is told. */
async function follow(
  path: string,
  { gateway = 0, token, last, name }: { gateway?: number; token?: string; last?: string; name?: string } = {},
): Promise<Follower> {
  const abort = new AbortController();
  const bearer = token ?? (await at.tokenOf("analyst"));
  const reply = await fetch(urls[gateway]! + path, {
    signal: abort.signal,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(last !== undefined && { "last-event-id": last }),
      ...(name && { "x-request-id": name }),
    },
  });
  const follower: Follower = {
    status: reply.status,
    headers: reply.headers,
    events: [],
    comments: [],
    text: "",
    over: Promise.resolve(),
    leave: () => abort.abort(),
  };
  follower.over = (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of reply.body!) {
      follower.text += decoder.decode(chunk as Uint8Array, { stream: true });
      rest += decoder.decode(chunk as Uint8Array);
      const blocks = rest.split("\n\n");
      rest = blocks.pop()!;
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block
            .split("\n")
            .filter((one) => !one.startsWith(":"))
            .map((one) => [one.slice(0, one.indexOf(": ")), one.slice(one.indexOf(": ") + 2)]),
        );
        if (fields["event"])
          follower.events.push({
            ...(fields["id"] && { id: fields["id"] }),
            event: fields["event"],
            data: JSON.parse(fields["data"]!),
          });
      }
    }
  })().catch(() => {});
  return follower;
}
const numbers = ({ events }: Follower): number[] =>
  events.filter(({ event }) => event === "count").map(({ data }) => data.n);

describe.each([
  ["a stream of the same node", 0],
  ["a stream of another node", 1],
])("%s", (_name, gateway) => {
  it("comes as events with ids, and ends with done", async () => {
    const name = `whole ${gateway}`;
    const one = await follow(`/api/streaming/count/${name}`, { gateway });
    expect([one.status, one.headers.get("content-type"), one.headers.get("cache-control")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
      "no-store",
    ]);
    await eventually(
      () => numbers(one),
      ({ length }) => length === 2,
    );
    gate(name).resolve();
    await one.over;
    expect(one.events).toEqual([
      ...[1, 2, 3, 4, 5].map((n) => ({ id: String(n), event: "count", data: { n } })),
      { event: "done", data: {} },
    ]);
    expect(one.text.startsWith("retry: 2000\n\n")).toBe(true);
  });

  it("comes as one long text where it is one, whole or broken off", async () => {
    const ask = async (query = "", method = "GET") =>
      fetch(`${urls[gateway]!}/api/streaming/text${query}`, {
        method,
        headers: { authorization: `Bearer ${await at.tokenOf("analyst")}` },
      });
    const whole = await ask();
    expect(whole.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect((await whole.text()).split("\n").map((line) => [line.split(" ")[0], line.length])).toEqual([
      ...Array.from({ length: 50 }, (_, n) => [String(n), 20_001 + String(n).length]),
      ["", 0],
    ]);
    const head = await ask("", "HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const broken = await ask("?fails=true");
    expect(broken.status).toBe(200);
    await expect(broken.text()).rejects.toThrow("terminated");
    await eventually(
      () => at.commons("streaming").abandonments.size,
      (size) => size === 0,
    );
  });

  it("resumes after Last-Event-ID", async () => {
    gate(`again ${gateway}`).resolve();
    const one = await follow(`/api/streaming/count/again ${gateway}`, { gateway, last: "3" });
    await one.over;
    expect(numbers(one)).toEqual([4, 5]);
  });

  it("is stopped at its source when the client hangs up", async () => {
    const name = `left ${gateway}`;
    const one = await follow(`/api/streaming/count/${name}`, { gateway });
    await eventually(
      () => numbers(one),
      ({ length }) => length === 2,
    );
    one.leave();
    await eventually(
      () => {
        gate(name).resolve();
        return ended;
      },
      (names) => names.includes(name),
    );
    expect(at.commons("streaming").abandonments.size).toBe(0);
  });

  it("is ended by nobody who gives their own request its name and hangs up", async () => {
    const [name, other] = [`named ${gateway}`, `stranger ${gateway}`];
    const one = await follow(`/api/streaming/count/${name}`, { gateway, name: "named-by-two" });
    expect(one.headers.get("x-request-id")).toBe("named-by-two");
    await eventually(
      () => numbers(one),
      ({ length }) => length === 2,
    );
    const stranger = await follow(`/api/streaming/count/${other}`, {
      gateway,
      token: (await person(at, "stranger")).token,
      name: "named-by-two",
    });
    await eventually(
      () => numbers(stranger),
      ({ length }) => length === 2,
    );
    stranger.leave();
    await eventually(
      () => {
        gate(other).resolve();
        return ended;
      },
      (names) => names.includes(other),
    );
    gate(name).resolve();
    await one.over;
    expect(numbers(one)).toEqual([1, 2, 3, 4, 5]);
    expect(one.events.at(-1)!.event).toBe("done");
  });

  it("says so where its work is aborted under it, as a text does", async () => {
    const name = `aborted ${gateway}`;
    const one = await follow(`/api/streaming/count/${name}`, { gateway });
    await eventually(
      () => numbers(one),
      ({ length }) => length === 2,
    );
    const { abandonments } = at.commons("streaming");
    for (const work of abandonments.values()) work.abort();
    await one.over;
    expect(one.events.map(({ event }) => event)).toEqual(["count", "count", "error"]);
    expect(one.events.at(-1)!.data.error).toMatchObject({
      code: "STREAM_INTERRUPTED",
      requestId: one.headers.get("x-request-id"),
    });
    const reply = await fetch(`${urls[gateway]!}/api/streaming/text?waits=${name}`, {
      headers: { authorization: `Bearer ${await at.tokenOf("analyst")}` },
    });
    for (const work of abandonments.values()) work.abort();
    gate(name).resolve();
    expect(await reply.text().catch((error: Error) => error.message)).toBe("terminated");
  });

  it("goes on after a change of access, as whoever the client is then, without a gap or a repetition", async () => {
    const ada = await person(at, "ada");
    const name = `changed ${gateway}`;
    const one = await follow(`/api/streaming/count/${name}`, { gateway, token: ada.token });
    await eventually(
      () => numbers(one),
      ({ length }) => length === 2,
    );
    for (let n = 0; n < 3; n++) await at.mesh.broker.broadcast("identity.access.changed", { userId: ada.userId });
    gate(name).resolve();
    await one.over;
    expect(numbers(one)).toEqual([1, 2, 3, 4, 5]);
    expect(one.events.at(-1)!.event).toBe("done");
  });

  it("ends with an error event once the credential is gone", async () => {
    const ada = await person(at, "gone");
    const one = await follow(`/api/streaming/count/out ${gateway}`, { gateway, token: ada.token });
    await eventually(
      () => numbers(one),
      ({ length }) => length === 2,
    );
    await at.http("POST", "/api/auth/logout", { as: ada.token });
    await one.over;
    expect(one.events.at(-1)).toEqual({
      event: "error",
      data: {
        error: { code: "UNAUTHENTICATED", message: expect.any(String), requestId: one.headers.get("x-request-id") },
      },
    });
    gate(`out ${gateway}`).resolve();
  });

  it("tells no more of a record from the moment it lies behind a barrier for them", async () => {
    const [chief, ada] = [await person(at, "chief"), await person(at, "reader")];
    const set = await openSet(at, chief);
    await admit(at, set, ada, "analyst");
    const compartment = (await as(at, chief)("POST", `/api/problem-sets/${set}/compartments`, { name: "Sources" })).body
      .data.id;
    const members = `/api/problem-sets/${set}/compartments/${compartment}/members`;
    await as(at, chief)("POST", members, { did: ada.did });
    const host = at.service("streaming") as unknown as Host;
    const log = await host
      .store(Log)
      .create(
        { meta: { actor: systemActor("test") }, locals: {} },
        { problemSetId: set, compartments: [compartment], text: "canary", above: "a-set-above" },
      );
    const one = await follow(`/api/streaming/logs/${log.id}/watch`, { gateway, token: ada.token });
    await eventually(
      () => one.events,
      ({ length }) => length >= 3,
    );
    // What it names above is for members of that set alone, in events as in answers.
    expect(one.events.map(({ data }) => data)).toEqual(one.events.map(() => ({ text: "canary" })));
    expect((await as(at, chief)("DELETE", `${members}/${encodeURIComponent(ada.did)}`)).status).toBe(200);
    await one.over;
    expect(one.events.at(-1)).toMatchObject({ event: "error", data: { error: { code: "NOT_FOUND" } } });
    expect((await follow(`/api/streaming/logs/${log.id}/watch`, { gateway, token: ada.token })).status).toBe(404);
  });

  it.each([
    ["problem", "NO_MORE"],
    ["bug", "INTERNAL"],
    ["shape", "INTERNAL"],
    ["name", "INTERNAL"],
  ])("ends with an error event where it breaks (%s), without a word of the inside", async (how, code) => {
    const one = await follow(`/api/streaming/broken?how=${how}`, { gateway });
    await one.over;
    expect(one.events.map(({ event }) => event)).toEqual(["count", "error"]);
    expect(one.events[1]!.data.error.code).toBe(code);
    expect(one.text).not.toContain("secret");
  });
});

it("is refused before it begins like any other call", async () => {
  expect((await at.http("GET", "/api/streaming/count/x", { as: null })).status).toBe(401);
  expect((await at.http("GET", "/api/streaming/count/x?to=many")).body.error.details[0].path).toBe("to");
  const head = await at.http("HEAD", "/api/streaming/count/head");
  expect([head.status, head.headers.get("content-type"), head.text]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
    "",
  ]);
});

it("a person follows so many and no more", async () => {
  const ada = await person(at, "greedy");
  const all = await Promise.all(
    Array.from({ length: 32 }, () => follow("/api/streaming/count/many", { token: ada.token })),
  );
  const refused = await fetch(`${at.url}/api/streaming/count/many`, {
    headers: { authorization: `Bearer ${ada.token}` },
  });
  expect(await refused.json()).toEqual({
    error: {
      code: "TOO_MANY_STREAMS",
      message: "You follow 32 streams here; end one first.",
      requestId: expect.any(String),
    },
  });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect((await follow("/api/streaming/count/whole 0")).status).toBe(200);
  for (const one of all) one.leave();
  await eventually(
    async () => {
      const one = await follow("/api/streaming/count/many", { token: ada.token });
      one.leave();
      return one.status;
    },
    (status) => status === 200,
  );
  gate("many").resolve();
});

it("no text breaks out of its field", () => {
  expect(frame({ id: "1\ndata: x", event: "a\r\nb", data: { text: "line\n\nevent: forged\u2028" } })).toBe(
    'id: 1 data: x\nevent: a  b\ndata: {"text":"line\\n\\nevent: forged\u2028"}\n\n',
  );
});

describe("the progress of a job", () => {
  const start = async (name: string, fails?: "ours" | "inside"): Promise<string> =>
    (await at.commons("streaming").jobs.add("streaming.work", { name, fails }, { by: "test", onlookers: "everybody" }))
      .id;
  const stages = ({ events }: Follower) =>
    events.map(({ event, data }) => (event === "progress" ? [data.status, data.stage, data.done] : event));

  it("is told from the beginning to each who follows, on whichever gateway, and to who comes late", async () => {
    const id = await start("one");
    const [here, there] = await Promise.all([
      follow(`/api/jobs/${id}/events`),
      follow(`/api/jobs/${id}/events`, { gateway: 1 }),
    ]);
    await eventually(
      () => [here, there].every(({ events }) => events.some(({ data }) => data.stage === "reading")),
      Boolean,
    );
    const resumed = await follow(`/api/jobs/${id}/events`, { last: "1" });
    gate("job one").resolve();
    await Promise.all([here.over, there.over, resumed.over]);
    const late = await follow(`/api/jobs/${id}/events`);
    await late.over;
    const whole = [["running", "reading", 1], ["running", "writing", 2], ["completed", "writing", 3], "done"];
    expect(stages(late)).toEqual(whole);
    for (const one of [here, there])
      expect(stages(one).filter((stage) => typeof stage === "string" || stage[1] !== undefined)).toEqual(whole);
    expect(stages(resumed)).toEqual(whole.slice(1));
    expect(late.events.slice(0, 3).map(({ id: seq }) => seq)).toEqual(["1", "2", "3"]);
    const after = await follow(`/api/jobs/${id}/events`, { last: "3" });
    await after.over;
    expect(stages(after)).toEqual(["done"]);
  });

  it("of several parts says in each line of how many, and once it is completed that all are done", async () => {
    const { id: briefingId } = (await at.http("POST", "/api/briefings/generate", { as: "analyst", body: {} })).body
      .data;
    const [job] = (await at.http("GET", "/api/jobs?kind=briefings.generate", { as: "analyst" })).body.data;
    const told = await follow(`/api/jobs/${job.id}/events`);
    await told.over;
    const lines = told.events.map(({ data }) => data).filter(({ stage }) => stage !== undefined);
    expect(lines.map(({ status, stage, done, total }) => `${status}: ${stage}, ${done} of ${total}`)).toEqual([
      "running: collecting, 0 of 3",
      "running: composing, 1 of 3",
      "running: storing, 2 of 3",
      "completed: storing, 3 of 3",
    ]);
    const ended = { status: "completed", done: 3, total: 3 };
    expect((await at.http("GET", `/api/jobs/${job.id}`, { as: "reader" })).body.data).toMatchObject(ended);
    expect((await at.http("GET", "/api/jobs", { as: "reader" })).body.data).toContainEqual(
      expect.objectContaining({ id: job.id, ...ended }),
    );
    expect((await at.http("GET", `/api/briefings/${briefingId}`, { as: "reader" })).body.data.status).toBe("completed");
  });

  it("tells of failure and of cancellation", async () => {
    gate("job two").resolve();
    const failing = await follow(`/api/jobs/${await start("two", "ours")}/events`);
    await failing.over;
    expect(failing.events.at(-2)!.data).toMatchObject({ status: "failed", error: "The paper is another's." });
    const id = await start("three");
    const stopped = await follow(`/api/jobs/${id}/events`);
    await eventually(() => stopped.events.length, Boolean);
    await at.http("POST", `/api/jobs/${id}/cancel`);
    await stopped.over;
    expect(stages(stopped).slice(-2)).toEqual([["cancelled", expect.anything(), expect.anything()], "done"]);
    gate("job three").resolve();
    expect((await follow("/api/jobs/none/events")).status).toBe(404);
  });

  it("names the job where the failure is ours, whose own words only operators see", async () => {
    gate("job four").resolve();
    const id = await start("four", "inside");
    const failing = await follow(`/api/jobs/${id}/events`);
    await failing.over;
    const error = `It failed inside of the server; the log says why. Its job is ${id}.`;
    expect(failing.events.at(-2)!.data).toMatchObject({ status: "failed", error });
    for (const as of ["reader", "analyst"]) {
      const [one, all] = [await at.http("GET", `/api/jobs/${id}`, { as }), await at.http("GET", "/api/jobs", { as })];
      expect(one.body.data).toMatchObject({ id, status: "failed", error });
      for (const { text } of [one, all]) expect(text).not.toContain("printer");
    }
    expect((await at.http("GET", `/api/jobs/${id}`, { as: "admin" })).body.data).toMatchObject({
      error,
      fault: "the printer burns",
    });
    expect(
      (await at.http("GET", "/api/jobs", { as: "admin" })).body.data.find((job: { id: string }) => job.id === id),
    ).toMatchObject({ error, fault: "the printer burns" });
    expect(failing.events.map(({ data }) => JSON.stringify(data)).join()).not.toContain("printer");
  });
});

it("names of requests are guessed by nobody, and tell no counts", async () => {
  const names = await Promise.all(
    Array.from({ length: 50 }, async () => (await fetch(urls[0]!)).headers.get("x-request-id")!),
  );
  const starts = new Set(names.map((name) => name.slice(0, 6)));
  expect([new Set(names).size, starts.size]).toEqual([50, 50]);
});

it("ends without a word when the gateway stops, so that clients come back", async () => {
  const one = await follow("/api/streaming/count/stop", { gateway: 1 });
  await eventually(
    () => numbers(one),
    ({ length }) => length === 2,
  );
  await second.destroyService(second.getLocalService("gateway")!);
  await one.over;
  expect(one.events.map(({ event }) => event)).toEqual(["count", "count"]);
});
