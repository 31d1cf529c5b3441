import { mkdtemp, rm } from "node:fs/promises";
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../mesh.ts";
import { startNode } from "../process.ts";

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

it("a node without a gateway says on its port how it is, and stops when asked", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-health-"));
  const port = await freePort();
  const child = spawn(process.execPath, ["scripts/start.ts"], {
    stdio: "ignore",
    env: { PATH: process.env["PATH"]!, SERVICES: "platform", PORT: String(port), DATA_DIR: dataDir },
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const ask = async (path: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => ({ status: 0 }))).status;
  try {
    await eventually(
      () => ask("/health/ready"),
      (status) => status === 200,
    );
    expect(await ask("/health/live")).toBe(200);
    expect(await ask("/api/sources")).toBe(404);
  } finally {
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    await rm(dataDir, { recursive: true, force: true });
  }
});

for (const [way, why, meet] of [
  ["refuses connections", /Background work: Search is not available at the moment\. · .*ECONNREFUSED/, undefined],
  ["is connected and silent", /Health, search: no answer in time/, () => {}],
] as const)
  it(`a node whose Elasticsearch ${way} says so where operators look, and serves all else`, async () => {
    const silent = createServer(meet);
    const port = await freePort();
    if (meet) await new Promise<void>((resolve) => void silent.listen(port, "127.0.0.1", resolve));
    const node = await startNode({
      DATA_DIR: ":memory:",
      ELASTICSEARCH_URL: `http://127.0.0.1:${port}`,
    });
    try {
      const answer = await fetch(`${node.url}/health/ready`);
      expect([answer.status, await answer.json()]).toEqual([
        200,
        {
          status: "ready",
          checks: [
            { name: "documents", ok: true },
            { name: "search", ok: false, message: expect.stringMatching(/nothing can be searched/) },
          ],
        },
      ]);
      const told = await eventually(
        () => node.log.split("\n").filter((line) => /Search is not available|Health, search/.test(line)),
        ({ length }) => length > 0,
      );
      expect(told).toEqual([expect.stringMatching(why)]);
    } finally {
      await node.stop();
      silent.close();
    }
  });
