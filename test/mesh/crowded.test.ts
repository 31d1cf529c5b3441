import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { ServiceBroker } from "moleculer";
import { lineOf } from "../../adapters/transporter/index.ts";
import { brokerOptions } from "../../config/broker.ts";
import { readEnv } from "../../config/env.ts";
import { guarded } from "../../mesh/guards/guards.ts";
import { problemOf } from "../../services/gateway/http/refuse.ts";
import { correctedFor } from "../faults/load/processor.ts";
import { eventually } from "../mesh.ts";
import { itWithRedis, startRedis, type TestRedis } from "../redis.ts";

// A node that is sent three times what it gets done, and nodes that are not equally quick: workers are processes of
// their own.

let redis: TestRedis | undefined;
let caller: ServiceBroker | undefined;
let workers: ChildProcess[] = [];
let meshes = 0,
  namespace = "";
beforeAll(async () => {
  redis = await startRedis();
});
beforeEach(() => {
  namespace = `crowd${process.pid}x${++meshes}`;
});
afterEach(async () => {
  await caller?.stop();
  for (const worker of workers) {
    const ended = once(worker, "exit");
    worker.kill("SIGKILL");
    await ended;
  }
  workers = [];
});
afterAll(() => redis?.stop());
const withRedis = (name: string, story: (url: string) => Promise<void>): void =>
  itWithRedis(name, () => story(redis!.url), 120_000);

async function worker(url: string, id: string, slowness = 0): Promise<void> {
  const child = spawn(process.execPath, ["test/faults/load/worker.ts", String(slowness)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { PATH: process.env["PATH"]!, TRANSPORTER: url, NAMESPACE: namespace, NODE_ID: id },
  });
  workers.push(child);
  await once(child, "message");
}

async function callerOf(url: string, nodes: number, settings: Record<string, string> = {}): Promise<ServiceBroker> {
  const env = readEnv({
    TRANSPORTER: url,
    NAMESPACE: namespace,
    NODE_ID: "caller",
    OVERLOAD_DELAY_MS: "100",
    ...settings,
  });
  caller = new ServiceBroker(
    guarded({ ...brokerOptions(env), ...lineOf(env).options, logger: false, skipProcessEventRegistration: true }),
  );
  await caller.start();
  await eventually(
    () =>
      (caller!.registry.getServiceList({ onlyAvailable: true }) as { name: string }[]).filter(
        ({ name }) => name === "share",
      ).length,
    (found) => found === nodes,
  );
  return caller;
}

const door = { door: true };
const ask = (broker: ServiceBroker, action: string, ms = 0): Promise<number> =>
  broker.call(action, { ms }, door as object).then(
    () => 200,
    (error: Error) => {
      const { status, data } = problemOf(error);
      return data.headers?.["Retry-After"] ? status : -status;
    },
  );
const tally = (statuses: readonly number[]): Record<string, number> =>
  Object.fromEntries([...new Set(statuses)].map((status) => [status, statuses.filter((one) => one === status).length]));

/** How many are done in a while with so many under way. */
async function capacity(broker: ServiceBroker, seconds: number, atOnce: number, ms: number): Promise<number> {
  let done = 0;
  const until = performance.now() + seconds * 1_000;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < until) {
        if ((await ask(broker, "share.work", ms)) === 200) done++;
        else
          await new Promise((resolve) => {
            setTimeout(resolve, 20);
          });
      }
    }),
  );
  return done / seconds;
}

/** So many calls a second, whatever the answers do. */
async function openly(
  seconds: number,
  rate: number,
  call: () => Promise<number>,
): Promise<{ statuses: Record<string, number>; good: number }> {
  const all: Promise<number>[] = [];
  const began = performance.now();
  let good = 0;
  for (let now = began; now < began + seconds * 1_000; now = performance.now()) {
    while (all.length < ((now - began) / 1_000) * rate)
      all.push(
        call().then((status) => {
          if (status === 200 && performance.now() < began + seconds * 1_000) good++;
          return status;
        }),
      );
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
  return { good: good / seconds, statuses: tally(await Promise.all(all)) };
}

/** Somebody who asks, waits for the answer, and asks again after a while. */
async function patiently(seconds: number, pauseMs: number, call: () => Promise<number>): Promise<number[]> {
  const heard: number[] = [];
  const until = performance.now() + seconds * 1_000;
  do {
    heard.push(await call());
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs);
    });
  } while (performance.now() < until);
  return heard;
}

withRedis(
  "a node that is sent three times what it gets done goes on doing four fifths of it; the rest is refused before it is sent, and its other actions answer",
  async (url) => {
    await worker(url, "crowded");
    const broker = await callerOf(url, 1);
    const [{ pid }] = workers as [ChildProcess];
    const ratios: number[] = [];
    let most = 0,
      refused = 0;
    for (let round = 0; round < 5; round++) {
      const [best, more] = await correctedFor(pid!, () => capacity(broker, 2, 16, 4));
      most = Math.max(most, best);
      const [[{ good, statuses }, others], moreThen] = await correctedFor(pid!, () =>
        Promise.all([
          openly(4, most * 3, () => ask(broker, "share.work", 4)),
          // Three who wait for their answers never have more under way than every action is granted, whatever waits of
          // another and however slow the machine.
          Promise.all(Array.from({ length: 3 }, () => patiently(4, 600, () => ask(broker, "share.other")))),
        ]),
      );
      const ratio = (good * moreThen) / (best * more);
      ratios.push(ratio);
      refused += statuses["503"] ?? 0;
      process.stderr.write(
        `one node: ${Math.round(best)}/s; at three times that ${Math.round(good)}/s, ratio ${ratio.toFixed(2)}, ${JSON.stringify(statuses)}\n`,
      );
      expect(Object.keys(statuses).filter((status) => !["200", "503"].includes(status))).toEqual([]);
      expect(new Set(others.flat())).toEqual(new Set([200]));
    }
    expect(refused).toBeGreaterThan(0);
    expect([...ratios].sort((a, b) => a - b)[2]).toBeGreaterThanOrEqual(0.8);
  },
);

withRedis("what only waits is not refused, however much of it is under way", async (url) => {
  await worker(url, "patient");
  const broker = await callerOf(url, 1);
  const pongs: number[] = [];
  broker.localBus.on("$node.pong", ({ elapsedTime }: { elapsedTime: number }) => pongs.push(elapsedTime));
  // Calls come all the while, so that most find many others under way. A machine that answers a ping late has a queue
  // indeed: then it is done once more.
  const round = async (): Promise<{ statuses: Record<string, number>; latest: number; pings: number }> => {
    pongs.length = 0;
    const calls: Promise<number>[] = [];
    for (let n = 0; n < 30; n++) {
      for (let at = 0; at < 10; at++) calls.push(ask(broker, "share.wait", 1_500));
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
    return { statuses: tally(await Promise.all(calls)), latest: Math.max(...pongs), pings: pongs.length };
  };
  const { statuses } = await eventually(round, ({ latest, pings }) => pings >= 5 && latest < 50, 90_000);
  expect(statuses).toEqual({ 200: 300 });
});

withRedis("by latency a slow node gets clearly less", async (url) => {
  await Promise.all([worker(url, "quick-1"), worker(url, "quick-2"), worker(url, "slow", 600)]);
  const broker = await callerOf(url, 3, { BALANCING: "latency" });
  const until = performance.now() + 4_000;
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      while (performance.now() < until) await ask(broker, "share.wait", 100);
    }),
  );
  const counts = await Promise.all(
    ["quick-1", "quick-2", "slow"].map((nodeID) => broker.call<number, object>("share.asked", {}, { nodeID })),
  );
  process.stderr.write(`by latency, two quick nodes and one seven times as slow: ${counts.join(", ")}\n`);
  const [one, two, slow] = counts as [number, number, number];
  expect(slow).toBeGreaterThan(0);
  expect(slow).toBeLessThan(Math.min(one, two) / 3);
});

withRedis("a further node of a service takes its part as soon as it is ready", async (url) => {
  await Promise.all([worker(url, "first"), worker(url, "second")]);
  const broker = await callerOf(url, 2);
  const answers = new Map<string, number>();
  const asked: string[] = [];
  const ends = new AbortController();
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!ends.signal.aborted) {
        const ctx = broker.call("share.wait", { ms: 5 }) as Promise<string> & { ctx: { nodeID: string } };
        asked.push(ctx.ctx.nodeID);
        await ctx;
        answers.set(ctx.ctx.nodeID, (answers.get(ctx.ctx.nodeID) ?? 0) + 1);
      }
    }),
  );
  await eventually(
    () => answers.size,
    (size) => size === 2,
  );
  await worker(url, "third");
  asked.length = 0;
  const ready = performance.now();
  await eventually(
    () => answers.get("third"),
    (count) => count !== undefined,
  );
  const took = performance.now() - ready;
  // News of it left before it said that it is ready, so it is here before the answer to any question that was asked
  // since: each of the four asks once in ignorance at most, and then it is its turn among three.
  expect(asked.indexOf("third")).toBeLessThan(4 + 3);
  answers.clear();
  await eventually(
    () => Math.min(...["first", "second", "third"].map((id) => answers.get(id) ?? 0)),
    (least) => least >= 60,
  );
  ends.abort();
  await load;
  process.stderr.write(
    `a further node was asked ${Math.round(took)} ms after it was ready; then ${JSON.stringify(Object.fromEntries(answers))}\n`,
  );
  const even = [...answers.values()].reduce((sum, count) => sum + count, 0) / 3;
  for (const count of answers.values()) expect(Math.abs(count - even)).toBeLessThanOrEqual(even * 0.1);
});
