import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A real Redis of a test's own. `pause` stops it from answering, connections open: the worst way to be away. */
export interface TestRedis {
  url: string;
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export const redisIsInstalled = spawnSync("redis-server", ["--version"], { stdio: "ignore" }).status === 0;

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/**
 * Starts a Redis on loopback that keeps nothing, on a free port unless one is given; undefined where none is installed,
 * and a failure where it does not start.
 */
export async function startRedis(wanted?: number): Promise<TestRedis | undefined> {
  if (!redisIsInstalled) return undefined;
  const [dir, port] = await Promise.all([mkdtemp(join(tmpdir(), "signalmesh-redis-")), wanted ?? freePort()]);
  const server = spawn(
    "redis-server",
    ["--bind", "127.0.0.1", "--port", String(port), "--dir", dir, "--save", "", "--appendonly", "no"],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  // A worker that ends early must not leave it behind.
  const orphan = (): void => void server.kill("SIGKILL");
  process.once("exit", orphan);
  const ended = once(server, "exit");
  const lines = createInterface({ input: server.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => {
      if (line.includes("Ready to accept connections")) resolve();
    });
    void ended.then(([code]) => reject(new Error(`redis-server ended with ${code}`)));
  });
  const signal = (name: NodeJS.Signals): Promise<void> => Promise.resolve(void server.kill(name));
  return {
    url: `redis://127.0.0.1:${port}`,
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    async stop() {
      server.kill("SIGCONT");
      server.kill("SIGTERM");
      await ended;
      process.off("exit", orphan);
      lines.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/**
 * Tells a story, unless something that it needs is missing: then it counts as skipped, never as passed, and the log
 * says why.
 */
export function itUnless(
  missing: string | undefined,
  name: string,
  tell: () => Promise<void>,
  timeoutMs?: number,
): void {
  if (missing) process.emitWarning(`${missing}; not tested: ${name}`);
  (missing ? it.skip : it)(name, tell, timeoutMs);
}

/** Tells a story that needs a Redis of its own. */
export const itWithRedis = (name: string, tell: () => Promise<void>, timeoutMs?: number): void =>
  itUnless(redisIsInstalled ? undefined : "redis-server is not installed", name, tell, timeoutMs);
