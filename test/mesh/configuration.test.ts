import { standIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import { Wire } from "../cut.ts";
import { eventually } from "../mesh.ts";
import { itOnStage, Nodes, startStage, type MeshNode, type Stage } from "../nodes.ts";

// Three whole nodes, of which one is asked to set what all of them go by. What each holds is asked of the node itself.

const AREAS = "gateway,identity,platform";
let stage: Stage | undefined;
let nodes: Nodes;
let model: StandIn;
let toRedis: Wire;
let all: MeshNode[];
let apart: MeshNode;

beforeAll(async () => {
  stage = await startStage();
  toRedis = await Wire.to(stage.redis.url);
  model = await standIn();
  nodes = new Nodes(stage, { LLM_BASE_URL: model.baseUrl, LLM_MODEL: "stand-in-1" });
  const first = await Promise.all(["one", "two"].map((name) => nodes.start(AREAS, { NODE_ID: `gateway-${name}` })));
  apart = await nodes.start(AREAS, { NODE_ID: "gateway-three" }, { TRANSPORTER: toRedis });
  all = [...first, apart];
  for (const at of all) await nodes.knows(["/api/admin/config/nodes"], at);
}, 120_000);
afterAll(async () => {
  await nodes?.stop();
  await Promise.all([toRedis?.stop(), model?.close()]);
  await stage?.redis.stop();
}, 60_000);
const story = (name: string, tell: () => Promise<void>): void => itOnStage(name, tell, 120_000);

const put = async (value: object): Promise<number> => {
  const { headers } = await nodes.http("GET", "/api/admin/config/llm", { at: all[0]! });
  const set = await nodes.http("PUT", "/api/admin/config/llm", {
    at: all[0]!,
    body: { value },
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
