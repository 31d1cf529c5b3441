import { ServiceBroker, type ServiceSchema } from "moleculer";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { lineOf, type TransportLine } from "../../adapters/transporter/index.ts";
import { openWorld } from "../../adapters/world.ts";
import { brokerOptions } from "../../config/broker.ts";
import { readEnv } from "../../config/env.ts";
import { asSystem } from "../../core/access/caller.ts";
import type { Host, MeshService } from "../../core/contract/endpoint.ts";
import { entity } from "../../core/records/entity.ts";
import { event, on } from "../../core/events/event.ts";
import { LINE_CHANGED } from "../../core/contract/live.ts";
import { isAway } from "../../core/problem.ts";
import { commonsOf, domain, equip } from "../../mixins/domain.mixin.ts";
import { guarded } from "../../mesh/guards/guards.ts";
import { problemOf } from "../../services/gateway/http/refuse.ts";
import { Wire } from "../cut.ts";
import { eventually } from "../mesh.ts";
import { freePort, itWithRedis, startRedis, type TestRedis } from "../redis.ts";

const CUTS = 5;
const CUT_MS = 600;
const RESTARTS = 3;

interface Node {
  broker: ServiceBroker;
  line: TransportLine;
  stop(): Promise<void>;
}

let redis: TestRedis | undefined;
let running: Node[] = [];
beforeAll(async () => {
  redis = await startRedis();
});
afterEach(async () => {
  await Promise.all(running.map((node) => node.stop()));
  running = [];
});
afterAll(() => redis?.stop());
const withRedis = (name: string, story: (at: TestRedis) => Promise<void>): void =>
  itWithRedis(name, () => story(redis!), 120_000);

let meshes = 0;
const mesh = (): string => `line${process.pid}x${++meshes}`;

/** A node with these services, by a transporter's address; `known` are the domain services of the whole mesh. */
async function node(
  url: string,
  namespace: string,
  id: string,
  services: readonly object[],
  known?: readonly MeshService[],
): Promise<Node> {
  const env = readEnv({
    TRANSPORTER: url,
    NAMESPACE: namespace,
    NODE_ID: id,
    DATA_DIR: ":memory:",
    LOG_LEVEL: "fatal",
  });
  const line = lineOf(env);
  const broker = new ServiceBroker(
    guarded({ ...brokerOptions(env), ...line.options, logger: false, skipProcessEventRegistration: true }),
  );
  const world = known && (await openWorld(env));
  if (world) equip(broker, world, known);
  for (const service of services) broker.createService(service as ServiceSchema);
  await broker.start();
  if (world) commonsOf(broker).start();
  const made: Node = {
    broker,
    line,
    async stop() {
      if (world) await commonsOf(broker).stop();
      await broker.stop();
      await world?.close();
    },
  };
  running.push(made);
  return made;
}

async function cuts(wire: Wire, count = CUTS): Promise<void> {
  for (let n = 0; n < count; n++) {
    await pause(300);
    wire.cut();
    await pause(CUT_MS);
    wire.mend();
  }
}

/** Calls as fast as eight callers can, while something happens; what was done how often, and what was answered. */
async function underLoad(
  url: string,
  way: string,
  happens: () => Promise<void>,
): Promise<{ done: Map<number, number>; answered: number[]; failed: number[]; near: Node; far: Node }> {
  const namespace = mesh();
  const done = new Map<number, number>();
  const worker = {
    name: "drill",
    actions: {
      act: {
        handler: ({ params: { n } }: { params: { n: number } }) => {
          done.set(n, (done.get(n) ?? 0) + 1);
          return n;
        },
      },
    },
  };
  const far = await node(way, namespace, "far", [worker]);
  const near = await node(url, namespace, "near", []);
  await near.broker.waitForServices("drill", 10_000);
  const over = new AbortController();
  const answered: number[] = [];
  const failed: number[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const n = next++;
      await near.broker.call("drill.act", { n }, { timeout: 8_000 }).then(
        () => answered.push(n),
        () => failed.push(n),
      );
      await pause(2);
    }
  };
  const callers = Promise.all(Array.from({ length: 8 }, caller));
  await happens();
  await pause(500);
  over.abort();
  await callers;
  return { done, answered, failed, near, far };
}

withRedis("a call under cuts is done once or not at all, and one that was answered was done", async ({ url }) => {
  const wire = await Wire.to(url);
  const { done, answered, failed, near, far } = await underLoad(url, wire.of(url), () => cuts(wire));
  expect(answered.length).toBeGreaterThan(100);
  expect([...done.values()].filter((times) => times > 1)).toEqual([]);
  expect(answered.filter((n) => !done.has(n))).toEqual([]);
  // On a slow machine the cuts together last longer than a silence may: the next beat brings the other back.
  await near.broker.waitForServices("drill", 10_000);
  expect(await near.broker.call("drill.act", { n: -1 })).toBe(-1);
  // Eight callers, and each cut can catch each of them in one call whose packet was in Redis's buffers: never more.
  expect(failed.length).toBeLessThanOrEqual(CUTS * 8);
  // Two connections for life, each made anew after each cut; a stock node would have more each time.
  expect(wire.count).toBeLessThanOrEqual(2 * (CUTS + 1));
  expect(far.line.incoming.repeated).toBeGreaterThanOrEqual(0);
  await wire.stop();
});

itWithRedis(
  "Redis restarted under load: a call is done once or not at all, and one that was answered was done",
  async () => {
    const port = await freePort();
    let server = (await startRedis(port))!;
    const { done, answered, near } = await underLoad(server.url, server.url, async () => {
      for (let n = 0; n < RESTARTS; n++) {
        await pause(500);
        await server.stop();
        await pause(200);
        server = (await startRedis(port))!;
      }
      await pause(1_000);
    });
    expect(answered.length).toBeGreaterThan(200);
    expect([...done.values()].filter((times) => times > 1)).toEqual([]);
    expect(answered.filter((n) => !done.has(n))).toEqual([]);
    expect(
      await eventually(
        () => near.broker.call("drill.act", { n: -1 }).catch(() => undefined),
        (answer) => answer === -1,
        15_000,
      ),
    ).toBe(-1);
    await Promise.all(running.map((one) => one.stop()));
    running = [];
    await server.stop();
  },
  120_000,
);

withRedis("a node that started before Redis handles each packet once", async ({ url }) => {
  const wire = await Wire.to(url);
  wire.cut();
  const namespace = mesh();
  let acted = 0;
  let heard = 0;
  const worker = {
    name: "early",
    actions: {
      act: {
        handler: () => {
          acted++;
        },
      },
    },
    events: {
      "early.hint": {
        context: true,
        handler: () => {
          heard++;
        },
      },
    },
  };
  const starting = node(wire.of(url), namespace, "early", [worker]);
  await pause(1_500);
  wire.mend();
  await starting;
  const other = await node(url, namespace, "other", []);
  await other.broker.waitForServices("early", 10_000);
  for (let n = 0; n < 50; n++) {
    await other.broker.call("early.act");
    await other.broker.broadcast("early.hint", { n });
  }
  await eventually(
    () => heard,
    (count) => count >= 50,
  );
  expect([acted, heard]).toEqual([50, 50]);
  expect(wire.count).toBe(2);
  await wire.stop();
});

withRedis("a packet that is sent twice is handled once", async ({ url }) => {
  const namespace = mesh();
  let acted = 0;
  const worker = await node(url, namespace, "worker", [
    { name: "twice", actions: { act: { handler: () => ++acted } } },
  ]);
  const caller = await node(url, namespace, "caller", []);
  await caller.broker.waitForServices("twice", 10_000);
  const transporter = (
    caller.broker.transit as unknown as { tx: { send(topic: string, data: Buffer, about: object): Promise<void> } }
  ).tx;
  const { send } = transporter;
  transporter.send = async (topic, data, about) => {
    await Promise.all([send.call(transporter, topic, data, about), send.call(transporter, topic, data, about)]);
  };
  expect(await caller.broker.call("twice.act")).toBe(1);
  await pause(100);
  expect(acted).toBe(1);
  expect(worker.line.incoming.repeated).toBeGreaterThan(0);
});

withRedis("a call goes elsewhere when its node is gone without a word", async ({ url }) => {
  const namespace = mesh();
  const wire = await Wire.to(url);
  const worker = { name: "pair", actions: { who: { handler: (ctx: { broker: ServiceBroker }) => ctx.broker.nodeID } } };
  await node(url, namespace, "stays", [worker]);
  await node(wire.of(url), namespace, "goes", [worker]);
  const caller = await node(url, namespace, "caller", []);
  await eventually(
    () =>
      (
        caller.broker.registry as unknown as {
          getServiceList(o: object): { name: string; nodeID: string; available: boolean }[];
        }
      )
        .getServiceList({ onlyAvailable: true })
        .filter(({ name }) => name === "pair").length,
    (count) => count === 2,
  );
  wire.cut();
  const answers: string[] = [];
  for (let n = 0; n < 40; n++) answers.push(await caller.broker.call("pair.who", {}, { timeout: 5_000 }));
  expect(new Set(answers)).toEqual(new Set(["stays"]));
  await wire.stop();
});

withRedis("a call whose connection breaks on its way is refused as one whose node is gone", async ({ url }) => {
  const namespace = mesh();
  const wire = await Wire.to(url);
  await node(url, namespace, "far", [{ name: "drill", actions: { act: { handler: () => "done" } } }]);
  const near = await node(wire.of(url), namespace, "near", []);
  await near.broker.waitForServices("drill", 10_000);
  wire.freeze();
  const ends = near.broker.call("drill.act", {}, { timeout: 20_000 }).then(
    () => new Error("It was answered."),
    (error: Error) => error,
  );
  await pause(100);
  wire.cut();
  const error = await ends;
  expect([error.name, isAway(error), problemOf(error).code]).toEqual(["RequestRejectedError", true, 503]);
  await wire.stop();
});

withRedis("a line on which nothing passes any longer is noticed, and mended when something does", async ({ url }) => {
  const namespace = mesh();
  const wire = await Wire.to(url);
  const told: boolean[] = [];
  const worker = {
    name: "silent",
    actions: { act: { handler: () => "here" } },
    events: {
      [LINE_CHANGED]: {
        context: true,
        handler: (ctx: { params: { stands: boolean } }) => {
          told.push(ctx.params.stands);
        },
      },
    },
  };
  await node(wire.of(url), namespace, "silent", [worker]);
  const caller = await node(url, namespace, "caller", []);
  await caller.broker.waitForServices("silent", 10_000);
  wire.freeze();
  await eventually(
    () => told.at(-1),
    (stands) => stands === false,
    30_000,
  );
  wire.mend();
  await eventually(
    () => told.at(-1),
    (stands) => stands === true,
    30_000,
  );
  expect(
    await eventually(
      () => caller.broker.call("silent.act", {}, { timeout: 2_000 }).catch(() => undefined),
      (answer) => answer === "here",
      15_000,
    ),
  ).toBe("here");
  await wire.stop();
});

const Sighting = entity("line.sightings", { id: "number", fields: { n: z.int() } });
const Sighted = event("line.sighting.made", z.object({ n: z.int() }));

withRedis(
  "of 3,000 facts none is lost in five cuts, and their receivers see repetitions by their ids",
  async ({ url }) => {
    const FACTS = Number(process.env["FACTS"] ?? 3_000);
    const wire = await Wire.to(url);
    const namespace = mesh();
    const received = new Map<number, Set<string>>();
    const hints = new Set<number>();
    const post = {
      name: "line-post",
      settings: { rest: "/line-post" },
      mixins: [domain({ entities: [Sighting] })],
    } satisfies MeshService;
    const ear = {
      name: "line-ear",
      settings: { rest: "/line-ear" },
      mixins: [
        domain({
          hears: [
            on(Sighted, ({ n }, { id }) => {
              received.set(n, (received.get(n) ?? new Set()).add(id));
            }),
          ],
        }),
      ],
      events: {
        "line.sighting.hinted": {
          context: true,
          handler(ctx: { params: { n: number } }) {
            hints.add(ctx.params.n);
          },
        },
      },
    } satisfies MeshService;
    const teller = await node(url, namespace, "teller", [post], [post, ear]);
    const hearer = await node(wire.of(url), namespace, "hearer", [ear], [post, ear]);
    await teller.broker.waitForServices("line-ear", 10_000);
    const { store } = teller.broker.getLocalService("line-post") as unknown as Host;
    const cutting = cuts(wire);
    for (let n = 0; n < FACTS; n += 20) {
      await Promise.all(
        Array.from({ length: 20 }, async (_, at) => {
          await store(Sighting).create(
            asSystem("drill"),
            { n: n + at },
            { facts: ({ id }) => [Sighted.fact(id, { n: n + at })] },
          );
          void teller.broker.broadcast("line.sighting.hinted", { n: n + at });
        }),
      );
      await pause(30);
    }
    await cutting;
    await eventually(
      () => received.size,
      (count) => count === FACTS,
      60_000,
    );
    expect([...received.values()].filter((ids) => ids.size !== 1)).toEqual([]);
    process.stderr.write(
      `facts lost: 0 of ${FACTS}; plain hints lost: ${FACTS - hints.size}; packets refused as repetitions: ${hearer.line.incoming.repeated}\n`,
    );
    await wire.stop();
  },
);

itWithRedis(
  "Redis itself goes and comes back: calls go on",
  async () => {
    const port = await freePort();
    const first = (await startRedis(port))!;
    const namespace = mesh();
    await node(first.url, namespace, "worker", [{ name: "survivor", actions: { act: { handler: () => "here" } } }]);
    const caller = await node(first.url, namespace, "caller", []);
    await caller.broker.waitForServices("survivor", 10_000);
    await first.stop();
    const during = caller.broker.call("survivor.act", {}, { timeout: 8_000 }).then(
      () => "answered",
      (error: Error) => error.name,
    );
    await pause(500);
    const second = await startRedis(port);
    expect(["answered", "NotDelivered"]).toContain(await during);
    expect(
      await eventually(
        () => caller.broker.call("survivor.act").catch(() => undefined),
        (answer) => answer === "here",
        15_000,
      ),
    ).toBe("here");
    await Promise.all(running.map((one) => one.stop()));
    running = [];
    await second!.stop();
  },
  60_000,
);

describe("what a node had in hand when it died ends within ten seconds", () => {
  /** How long a caller waits whose node stands still for so long, six seconds after the other's death. */
  async function waits(url: string, stillMs: number): Promise<number> {
    const namespace = mesh();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const read = { name: "drill", actions: { read: () => (ask(), new Promise(() => {})) } };
    const [near, far] = [await node(url, namespace, "near", []), await node(url, namespace, "far", [read])];
    await near.broker.waitForServices("drill", 10_000);
    // It has just been heard of.
    await pause(3_000);
    const began = performance.now();
    const answer = near.broker.call("drill.read").then(
      () => "answered",
      (error: Error) => error.name,
    );
    await asked;
    // As a kill does: its connections end, and it says nothing.
    const dead = far.broker.transit as unknown as { tx: { disconnect(): Promise<void> } };
    (far.broker.registry.discoverer as unknown as { stopHeartbeatTimers(): void }).stopHeartbeatTimers();
    await dead.tx.disconnect();
    setTimeout(() => {
      for (const until = performance.now() + stillMs; performance.now() < until;);
    }, 6_000);
    expect(await answer).toBe("RequestRejectedError");
    return performance.now() - began;
  }

  withRedis("told by a caller that goes on", async ({ url }) => expect(await waits(url, 0)).toBeLessThan(10_000));
  withRedis("and by one that stood still meanwhile", async ({ url }) =>
    expect(await waits(url, 1_800)).toBeLessThan(10_000),
  );
});

withRedis("a node that stood still does not take the others for dead, and still notices who is", async ({ url }) => {
  const namespace = mesh();
  const [near, far] = [
    await node(url, namespace, "near", []),
    await node(url, namespace, "far", [{ name: "drill", actions: { act: () => 1 } }]),
  ];
  await near.broker.waitForServices("drill", 10_000);
  const lost: string[] = [];
  near.broker.localBus.on("$node.disconnected", ({ node: gone }: { node: { id: string } }) => void lost.push(gone.id));
  interface Beating {
    opts: { heartbeatInterval: number; heartbeatTimeout: number };
    startHeartbeatTimers(): void;
    stopHeartbeatTimers(): void;
  }
  const [nears, fars] = [near, far].map(({ broker }) => broker.registry.discoverer as unknown as Beating) as [
    Beating,
    Beating,
  ];
  for (const beating of [nears, fars]) {
    Object.assign(beating.opts, { heartbeatInterval: 1, heartbeatTimeout: 2 });
    beating.startHeartbeatTimers();
  }
  await pause(2_500);
  // Longer than a term, and again shorter than one, at whatever place in it.
  for (const still of [4_500, 1_900, 1_900]) {
    for (const until = performance.now() + still; performance.now() < until;);
    await pause(300);
  }
  expect(lost).toEqual([]);
  expect(await near.broker.call("drill.act")).toBe(1);
  fars.stopHeartbeatTimers();
  await eventually(
    () => lost,
    ({ length }) => length === 1,
    20_000,
  );
  expect(lost).toEqual(["far"]);
});
