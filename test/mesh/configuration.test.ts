import { setTimeout as pause } from "node:timers/promises";
import { modelStandIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import { Wire } from "../cut.ts";
import { eventually } from "../mesh.ts";
import { ADMIN } from "../process.ts";
import { itOnStage, Nodes, startStage, type MeshNode, type Stage } from "../nodes.ts";

// Three whole nodes, of which one is asked to set what all of them go by. What each holds is asked of the node itself.

const AREAS = "gateway,identity,staff,platform";
/** `CHANGES=200` gives figures for bench/results.md; so many tell the story. */
const CHANGES = Number(process.env["CHANGES"] ?? 20);
/** Changes while questions are asked all the time, each until several were asked under it. */
const FLIPS = 8;
let stage: Stage | undefined;
let nodes: Nodes;
let model: StandIn;
let second: StandIn;
let toRedis: Wire;
let all: MeshNode[];
let apart: MeshNode;

beforeAll(async () => {
  stage = await startStage();
  toRedis = await Wire.to(stage.redis.url);
  [model, second] = await Promise.all([modelStandIn(), modelStandIn()]);
  nodes = new Nodes(stage, { LLM_BASE_URL: model.baseUrl, LLM_MODEL: "stand-in-1" });
  const first = await Promise.all(["one", "two"].map((name) => nodes.start(AREAS, { NODE_ID: `gateway-${name}` })));
  apart = await nodes.start(AREAS, { NODE_ID: "gateway-three" }, { TRANSPORTER: toRedis });
  all = [...first, apart];
  for (const at of all) await nodes.knows(["/api/admin/config/nodes"], at);
}, 240_000);
afterAll(async () => {
  await nodes?.stop();
  await Promise.all([toRedis?.stop(), model?.close(), second?.close()]);
  await stage?.redis.stop();
}, 60_000);
const story = (name: string, tell: () => Promise<void>): void => itOnStage(name, tell, 240_000);

const signedIn = async (): Promise<string> => {
  const body = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD };
  return (await nodes.http("POST", "/api/auth/login", { token: null, at: all[0]!, body })).body.data.token;
};
const put = async (value: object, { at = all[0]!, force = false } = {}): Promise<number> => {
  const { headers } = await nodes.http("GET", "/api/admin/config/llm", { at: all[0]! });
  const set = await nodes.http("PUT", `/api/admin/config/llm?force=${force}`, {
    at,
    body: { value },
    // Whoever changes it proved who they are within minutes.
    token: await signedIn(),
    headers: { "if-match": headers.get("etag")! },
  });
  expect([set.status, set.body.error]).toEqual([200, undefined]);
  return set.body.data.version;
};
/** The version that a node goes by, as it says itself; undefined while it cannot be asked. */
async function heldBy(at: MeshNode): Promise<number | undefined> {
  const { body } = await nodes.http("GET", "/api/admin/config/nodes", { at });
  return body.data?.nodes.find(({ node }: { node: string }) => node === at.id)?.versions?.llm;
}
const everywhere = (version: number) =>
  eventually(
    () => Promise.all(all.map(heldBy)),
    (held) => held.every((one) => one === version),
    30_000,
  );

story("what an administrator sets holds on all three, without a restart", async () => {
  for (const timeoutMs of [1_000, 2_000, 3_000]) await everywhere(await put({ timeoutMs }));
  const { body } = await nodes.http("GET", "/api/admin/config/nodes", { at: all[1]! });
  expect([body.data.complete, body.data.nodes.length]).toEqual([true, 3]);
});

story("a node that does not hear of it sees it all the same", async () => {
  toRedis.cut();
  await everywhere(await put({ timeoutMs: 4_000 }));
  toRedis.mend();
});

story(
  "a node that stood still drops what it remembered, and goes by what was set meanwhile, once it is back",
  async () => {
    await eventually(
      () => nodes.http("GET", "/api/admin/config/nodes", { at: all[0]! }),
      ({ body }) => body.data?.nodes.length === 3 && body.data.complete,
      60_000,
    );
    apart.pause();
    const dropped = await nodes.http("POST", "/api/admin/cache/invalidate", { at: all[0]!, body: { scope: "all" } });
    expect(dropped.body.data).toMatchObject({
      complete: false,
      nodes: expect.arrayContaining([{ node: apart.id, count: null }]),
    });
    const version = await put({ timeoutMs: 5_000 });
    apart.resume();
    await everywhere(version);
  },
);

/** How long each took, in words for bench/results.md. */
function told(what: string, took: readonly number[]): void {
  const sorted = took.toSorted((one, other) => one - other);
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
  if (process.env["SHOW_LOG"])
    console.info(JSON.stringify({ what, changes: took.length, p50: at(0.5), p99: at(0.99), most: at(1) }));
}
/** The model that a node would ask now, as it says itself. */
const modelOf = async (at: MeshNode): Promise<string> =>
  (await nodes.http("GET", "/api/assistant/health", { at })).body.data?.model;
/** Sets one model after the other; answers how long after each answer all of these went by it. */
async function timed(named: string, those: readonly MeshNode[], pauseMs: () => number): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < CHANGES; n++) {
    await pause(pauseMs());
    const value = `${named}-${n}`;
    await put({ model: value }, { force: true });
    const answered = performance.now();
    while (!(await Promise.all(those.map(modelOf))).every((one) => one === value));
    took.push(performance.now() - answered);
  }
  return took;
}

itOnStage(
  `of ${CHANGES} changes each is gone by on all three before another is made`,
  async () => {
    told("hinted", await timed("hinted", all, () => 20));
  },
  600_000,
);

itOnStage(
  `of ${CHANGES} changes each is gone by on a node that hears of none`,
  async () => {
    toRedis.cut();
    // At any moment between two looks.
    told("unheard", await timed("unheard", [apart], () => Math.random() * 1_000));
    toRedis.mend();
    await nodes.knows(["/api/admin/config/nodes"], apart);
  },
  900_000,
);

story("no question of the model's goes by half of a change", async () => {
  const say = async (at: MeshNode, on: () => boolean): Promise<void> => {
    while (on()) {
      await nodes.http("POST", "/api/assistant/global/message", { at, body: { text: "What of the bridge?" } });
      await pause(100);
    }
  };
  // Each change is of address, model and key at once.
  const change = (n: number): Promise<number> => {
    const { baseUrl } = [model, second][n % 2]!;
    return put({ baseUrl, model: `model-${n}`, apiKey: `key-of-${n}` }, { force: true });
  };
  await everywhere(await change(0));
  const from = [model.received.length, second.received.length];
  const asked = () => [model.received.slice(from[0]), second.received.slice(from[1])] as const;
  let isOver = false;
  const saying = all.map((at) => say(at, () => !isOver));
  try {
    for (let n = 1; n <= FLIPS; n++) {
      await change(n);
      const before = asked().flat().length;
      await eventually(
        () => asked().flat().length,
        (count) => count > before + 2,
        30_000,
      );
    }
  } finally {
    isOver = true;
    await Promise.all(saying);
  }
  const torn = asked().flatMap((received, place) =>
    received.filter(({ model: name = "", authorization = "" }) => {
      const version = Number(name.replace("model-", ""));
      return version % 2 !== place || authorization !== `Bearer key-of-${version}`;
    }),
  );
  if (process.env["SHOW_LOG"])
    console.info(JSON.stringify({ asked: asked().map(({ length }) => length), torn: torn.length }));
  expect(torn.map(({ model: name, authorization }) => [name, authorization])).toEqual([]);
  await everywhere(await put({ timeoutMs: 6_000 }));
});

story("a node that is killed before it has told anybody leaves the others right, and the trail whole", async () => {
  const own = await Wire.to(stage!.redis.url);
  try {
    const writer = await nodes.start(AREAS, { NODE_ID: "gateway-writer" }, { TRANSPORTER: own });
    await nodes.knows(["/api/admin/config/nodes"], writer);
    own.freeze();
    const { body: before } = await nodes.http("GET", "/api/admin/config/llm", { at: all[0]! });
    const version = before.data.version + 1;
    // Whether it still answers is its own affair: it dies with the hint unsent.
    const answer = put({ model: "unsaid" }, { at: writer, force: true }).catch(() => 0);
    await eventually(
      () => nodes.http("GET", "/api/admin/config/llm", { at: all[0]! }),
      ({ body }) => body.data.value.model === "unsaid",
      30_000,
    );
    await writer.kill();
    const killed = performance.now();
    await eventually(
      () => Promise.all(all.map(modelOf)),
      (models) => models.every((one) => one === "unsaid"),
      30_000,
    );
    told("killed", [performance.now() - killed]);
    await answer;
    const trail = await eventually(
      () => nodes.http("GET", "/api/admin/config/audit?limit=5", { at: all[1]! }),
      ({ body }) => body.data?.some((one: any) => one.version === version),
      60_000,
    );
    expect(trail.body.data.filter((one: any) => one.version === version).length).toBe(1);
  } finally {
    await own.stop();
  }
});
