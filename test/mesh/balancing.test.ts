import { ServiceBroker } from "moleculer";
import { lineOf } from "../../adapters/transporter/index.ts";
import { brokerOptions } from "../../config/broker.ts";
import { readEnv } from "../../config/env.ts";
import { guarded } from "../../mesh/guards/guards.ts";
import { problemOf } from "../../services/gateway/http/refuse.ts";
import { eventually } from "../mesh.ts";
import { itWithRedis, startRedis, type TestRedis } from "../redis.ts";

// How calls are spread over nodes, and what guards the callers: counted on real brokers over Redis.

let redis: TestRedis | undefined;
let brokers: ServiceBroker[] = [];
let meshes = 0;
let namespace = "";
beforeAll(async () => {
  redis = await startRedis();
});
beforeEach(() => {
  namespace = `even${process.pid}x${++meshes}`;
});
afterEach(async () => {
  await Promise.all(brokers.map((broker) => broker.stop()));
  brokers = [];
});
afterAll(() => redis?.stop());
const withRedis = (name: string, story: (url: string) => Promise<void>): void =>
  itWithRedis(name, () => story(redis!.url), 60_000);

type Handler = (ctx: { params: Record<string, unknown> }) => unknown;

async function node(
  url: string,
  id: string,
  actions: Record<string, Handler> = {},
  settings: Record<string, string> = {},
): Promise<ServiceBroker> {
  const env = readEnv({ TRANSPORTER: url, NAMESPACE: namespace, NODE_ID: id, ...settings });
  const broker = new ServiceBroker(
    guarded({ ...brokerOptions(env), ...lineOf(env).options, logger: false, skipProcessEventRegistration: true }),
  );
  brokers.push(broker);
  if (Object.keys(actions).length)
    broker.createService({
      name: "share",
      actions: Object.fromEntries(Object.entries(actions).map(([name, handler]) => [name, { handler }])),
    } as never);
  await broker.start();
  if (broker.transit) await broker.registry.discoverer.sendLocalNodeInfo();
  return broker;
}

const knows = (broker: ServiceBroker, count: number): Promise<number> =>
  eventually(
    () =>
      (broker.registry.getServiceList({ onlyAvailable: true }) as { name: string }[]).filter(
        ({ name }) => name === "share",
      ).length,
    (found) => found === count,
  );

withRedis(
  "three nodes share calls within a tenth of evenly, and a fourth takes its part as soon as it is there",
  async (url) => {
    const counts = new Map<string, number>();
    const worker = (id: string): Promise<ServiceBroker> =>
      node(url, id, {
        act: () => {
          counts.set(id, (counts.get(id) ?? 0) + 1);
        },
      });
    await Promise.all(["one", "two", "three"].map(worker));
    const caller = await node(url, "caller");
    await knows(caller, 3);
    await Promise.all(Array.from({ length: 300 }, () => caller.call("share.act")));
    for (const id of ["one", "two", "three"]) expect(Math.abs(counts.get(id)! - 100)).toBeLessThanOrEqual(10);
    counts.clear();
    await worker("four");
    await knows(caller, 4);
    await Promise.all(Array.from({ length: 200 }, () => caller.call("share.act")));
    expect(Math.abs(counts.get("four")! - 50)).toBeLessThanOrEqual(5);
  },
);

withRedis("what stalls is given up in time, its circuit opens, tries again half open, and closes", async (url) => {
  let stalls = true;
  let asked = 0;
  await node(url, "slow", {
    act: () => {
      asked++;
      return stalls
        ? new Promise((resolve) => {
            setTimeout(resolve, 3_000);
          })
        : "well";
    },
  });
  const caller = await node(url, "caller", {}, { REQUEST_TIMEOUT_MS: "200" });
  await knows(caller, 1);
  const fail = (): Promise<string> =>
    caller.call("share.act").then(
      () => "answered",
      (error: Error) => `${problemOf(error).code} ${error.name}`,
    );
  expect(new Set(await Promise.all(Array.from({ length: 25 }, fail)))).toEqual(new Set(["504 RequestTimeoutError"]));
  const before = asked;
  expect(await fail()).toBe("503 ServiceNotAvailableError"); // refused here: nothing was sent
  expect(asked).toBe(before);
  stalls = false;
  // The 200 ms were for what stalls; what is well again has as long as it needs.
  const patiently = (): Promise<unknown> => caller.call("share.act", {}, { timeout: 20_000 });
  expect(
    await eventually(
      () => patiently().catch(() => undefined),
      (answer) => answer !== undefined,
      15_000,
    ),
  ).toBe("well");
  expect(new Set(await Promise.all(Array.from({ length: 20 }, patiently)))).toEqual(new Set(["well"]));
});

withRedis(
  "a flood of one action is refused beyond its bulkhead with 503 and Retry-After, and the others answer",
  async (url) => {
    const open = new Set<() => void>();
    await node(url, "flooded", {
      act: () =>
        new Promise<string>((resolve) => {
          open.add(() => resolve("done"));
        }),
      other: () => "unharmed",
    });
    const caller = await node(url, "caller");
    await knows(caller, 1);
    const flood = Array.from({ length: 1_500 }, () =>
      caller.call("share.act").then(
        () => 200,
        (error: Error) => {
          const { status, data } = problemOf(error);
          return data.headers?.["Retry-After"] ? status : 0;
        },
      ),
    );
    await eventually(
      () => open.size,
      (count) => count === 200,
    );
    expect(await caller.call("share.other")).toBe("unharmed");
    const ends = setInterval(() => {
      for (const end of open) {
        open.delete(end);
        end();
      }
    }, 5);
    const answers = await Promise.all(flood);
    clearInterval(ends);
    // 200 at work, 1,000 waiting: all of them were served; the rest heard at once that they should come later.
    expect(answers.filter((status) => status === 200)).toHaveLength(1_200);
    expect(answers.filter((status) => status === 503)).toHaveLength(300);
  },
);
