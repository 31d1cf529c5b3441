import { asJson } from "../../config/broker.ts";
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

it("a node logs JSON alone, apart from its greeting", async () => {
  const node = await startNode({ DATA_DIR: ":memory:", LOG_FORMAT: "json", LOG_LEVEL: "debug" });
  await node.stop();
  const lines = node.log.split("\n").filter(Boolean);
  const greeting = lines.filter((line) =>
    /^Signalmesh is ready after \d+ ms\.$|^  (API|Docs|Browser|Health) /.test(line),
  );
  expect(greeting).toHaveLength(5);
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines.filter((line) => !greeting.includes(line)))
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), message: expect.any(String) });
});
