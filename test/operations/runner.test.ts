import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { ADMIN, signIn } from "../process.ts";
import { startRedis } from "../redis.ts";
import { openTerminal } from "./terminal.ts";

// Moleculer's own runner with its REPL, as somebody types it who knows Moleculer and not us.

it("runs the platform with moleculer-runner, beside a service of one's own, and stops as clean as npm start", async () => {
  const [dir, redis] = [await mkdtemp(join(tmpdir(), "signalmesh-runner-")), await startRedis()];
  const settings = {
    PORT: "0",
    DATA_DIR: dir,
    HOME: dir,
    LOG_LEVEL: "warn",
    NODE_ID: "runner",
    RATE_LIMIT_TIER: "development",
    NAMESPACE: `runner${process.pid}`,
    ...(redis && { TRANSPORTER: redis.url }),
    ...ADMIN,
  };
  const runner = openTerminal(
    [
      "node_modules/moleculer/bin/moleculer-runner.js",
      "--repl",
      "--config",
      "moleculer.config.ts",
      "services/**/*.service.ts",
      "test/fixtures/extra/notes.service.cjs",
    ],
    settings,
  );
  try {
    const url = /API\s+(http\S+)\/api\s/.exec(await runner.waitFor(/signalmesh \$ $/))![1]!;
    const token = await signIn(url);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const made = await fetch(`${url}/api/sources`, {
      method: "POST",
      headers,
      body: JSON.stringify({ name: "Harbour Gazette", url: "https://example.org/feed.xml", domain: "economics" }),
    });
    expect(made.status).toBe(201);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);

    expect(await runner.enter("services")).toMatch(/sources\s+.*OK/);
    expect(await runner.enter("sources")).toContain("Harbour Gazette");
    await runner.enter("ingest", /Type yes to go on: $/);
    expect(await runner.enter("no")).toContain("Nothing was done.");
    expect(await runner.enter('call notes.create --title "Ferry at nine"')).toContain("Ferry at nine");
    expect(await runner.enter("call notes.count")).toMatch(/>> Response:\s+1/);
    expect((await fetch(`${url}/api/notes`, { headers })).status).toBe(404);
    if (redis) expect(await clientsOf(redis.url)).toEqual(expect.arrayContaining(["runner:in", "runner:out"]));

    expect(await runner.stop()).toBe(0);
    // A store that was closed has put its log away.
    expect(existsSync(join(dir, "signalmesh.db"))).toBe(true);
    expect(existsSync(join(dir, "signalmesh.db-wal"))).toBe(false);
  } finally {
    await runner.end();
    await redis?.stop();
    await rm(dir, { recursive: true, force: true });
  }
}, 60_000);

/** Names under which clients are connected to a Redis. */
async function clientsOf(url: string): Promise<string[]> {
  const redis = new Redis(url);
  const listed = (await redis.client("LIST")) as string;
  redis.disconnect();
  return [...listed.matchAll(/ name=(\S+)/g)].map(([, name]) => name!);
}
