import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

// What a supervisor, or a person at a terminal, starts is npm: what they send must reach the node behind it.

it.each([
  ["SIGTERM that a supervisor sends to npm alone", "SIGTERM", 1],
  ["Ctrl-C, which a terminal sends to all that run there and npm hands on once more", "SIGINT", -1],
] as const)(
  "`npm start` finishes what it accepted on %s",
  async (_, signal, who) => {
    const folder = await mkdtemp(join(tmpdir(), "signalmesh-npm-"));
    const env = { PATH: process.env["PATH"]!, HOME: folder, PORT: "0", DATA_DIR: folder, DRAIN_SECONDS: "1" };
    const npm = spawn("npm", ["start"], { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let log = "";
    const ready = new Promise<void>((resolve) => {
      for (const stream of [npm.stdout, npm.stderr])
        stream.on("data", (chunk: Buffer) => {
          log += String(chunk);
          if (log.includes("Health ")) resolve();
        });
    });
    try {
      await Promise.race([ready, once(npm, "exit")]);
      process.kill(npm.pid! * who, signal);
      // The pipes close with the last process that holds them: none is left behind npm.
      const [code] = (await once(npm, "close", { signal: AbortSignal.timeout(30_000) })) as [number | null];
      expect([code, log.match(/finishing what was accepted|NODE is ignored/g)]).toEqual([
        0,
        ["finishing what was accepted"],
      ]);
      // A store that was closed has put its log away.
      expect([existsSync(join(folder, "signalmesh.db")), existsSync(join(folder, "signalmesh.db-wal"))]).toEqual([
        true,
        false,
      ]);
    } finally {
      if (isThere(-npm.pid!)) process.kill(-npm.pid!, "SIGKILL");
      await rm(folder, { recursive: true, force: true });
    }
  },
  60_000,
);

function isThere(group: number): boolean {
  try {
    return process.kill(group, 0);
  } catch {
    return false;
  }
}
