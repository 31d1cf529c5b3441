import { mkdtemp, rm } from "node:fs/promises";
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../mesh.ts";

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
