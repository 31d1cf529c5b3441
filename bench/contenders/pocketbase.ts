import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { text } from "../../test/faults/load/flood.ts";
import { isQuick } from "../measure.ts";

const MODULE = join(import.meta.dirname, "pocketbase");
export const VERSION = "v0.39.0";
const BUILT = join(import.meta.dirname, "../../.cache/pocketbase", `pocketbase-${VERSION}`);
const PERSON = { identity: "bench@example.org", password: "correct-horse-battery" };

export interface PocketBase {
  pid: number;
  url: string;
  /** Makes one record of a name, under a token. */
  request: string;
  end(): Promise<void>;
}

/** Builds it with Go, once; answers whether it is there. A glance at the benches builds nothing. */
function isBuilt(): boolean {
  if (existsSync(BUILT) || isQuick) return existsSync(BUILT);
  mkdirSync(join(BUILT, ".."), { recursive: true });
  return spawnSync("go", ["build", "-o", BUILT, "."], { cwd: MODULE, stdio: "ignore" }).status === 0;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** PocketBase as a process of its own with one collection; undefined where it cannot be built. */
export async function startPocketBase(): Promise<PocketBase | undefined> {
  if (!isBuilt()) return undefined;
  const dir = await mkdtemp(join(tmpdir(), "pocketbase-"));
  spawnSync(BUILT, ["superuser", "upsert", PERSON.identity, PERSON.password, "--dir", dir]);
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(BUILT, ["serve", "--http", address, "--dir", dir], { stdio: "ignore" });
  const url = `http://${address}`;
  const post = async (path: string, body: object, token?: string): Promise<{ token?: string }> => {
    const headers = { "content-type": "application/json", ...(token && { authorization: token }) };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`PocketBase ${path}: ${await answer.text()}`);
    return (await answer.json()) as { token?: string };
  };
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(`${url}/api/health`).catch(() => undefined)) break;
    await pause(100);
  }
  const { token } = await post("/api/collections/_superusers/auth-with-password", PERSON);
  await post(
    "/api/collections",
    { name: "lists", type: "base", fields: [{ name: "name", type: "text" }], createRule: '@request.auth.id != ""' },
    token,
  );
  return {
    pid: child.pid!,
    url,
    request: text("POST", "/api/collections/lists/records", token, { name: "Bench" }),
    async end() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
