import { asJson } from "../../config/broker.ts";
import { systemActor } from "../../core/access/access.ts";
import { sayWhereThingsAre } from "../../scripts/where-things-are.ts";
import { itInside, world } from "../mesh.ts";
import { startNode } from "../process.ts";

it("puts one object on a line, with what was given as fields of its own", () => {
  const [line] = asJson(
    "error",
    ["GET /api/x failed", { requestId: "r-1", level: "forged" }, new Error("broken\nbadly")],
    { nodeID: "n", mod: "gateway" },
  );
  expect(line).not.toContain("\n");
  expect(JSON.parse(line!)).toMatchObject({
    level: "error",
    requestId: "r-1",
    message: expect.stringContaining("GET /api/x failed Error: broken"),
    nodeID: "n",
    mod: "gateway",
    time: expect.stringMatching(/Z$/),
  });
});

it("a node logs JSON alone, its addresses among it", async () => {
  const node = await startNode({ DATA_DIR: ":memory:", LOG_FORMAT: "json", LOG_LEVEL: "debug" });
  await node.stop();
  const lines = node.log
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) expect(line).toMatchObject({ level: expect.any(String), message: expect.any(String) });
  expect(lines.filter(({ message }) => /^Signalmesh is ready after \d+ ms\.$/.test(message))).toEqual([
    expect.objectContaining({ api: `${node.url}/api`, health: `${node.url}/health/ready` }),
  ]);
});

itInside("a node of identity logs the link for the first administrator, wherever the gateway is", async () => {
  const at = await world({ ADMIN_EMAIL: "", ADMIN_PASSWORD: "", PUBLIC_URL: "https://mesh.example" });
  const node = at.nodes.find(({ broker }) => broker.getLocalService("auth"))!;
  const logger = node.broker.getLogger("mesh");
  const { info } = logger;
  const said: unknown[] = [];
  logger.info = (line) => void said.push(line);
  try {
    await sayWhereThingsAre({ ...node, url: undefined });
    const token = await at.call("auth.setupToken", {}, systemActor("test"));
    expect(said.at(-1)).toBe(`First administrator: open https://mesh.example/setup#${token}`);
  } finally {
    logger.info = info;
    await at.stop();
  }
});

it("a gateway that listens on all addresses and knows none of them says what lacks", async () => {
  const at = await world({ LOG_FORMAT: "json" });
  const logger = at.mesh.broker.getLogger("mesh");
  const { info, warn } = logger;
  const said: unknown[] = [];
  logger.info = () => undefined;
  logger.warn = (line) => void said.push(line);
  const inContainer = (settings: object) =>
    sayWhereThingsAre({
      ...at.mesh,
      world: { ...at.mesh.world, env: { ...at.env, HOST: "0.0.0.0", ...settings } },
    });
  try {
    await inContainer({ PUBLIC_URL: "https://mesh.example" });
    expect(said).toEqual([]);
    await inContainer({ PUBLIC_URL: undefined });
    expect(said).toEqual([expect.stringMatching(/^PUBLIC_URL is not set: .*passkeys/)]);
  } finally {
    Object.assign(logger, { info, warn });
    await at.stop();
  }
});
