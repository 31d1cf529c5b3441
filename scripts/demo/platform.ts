import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockFolder } from "../../adapters/folder-lock.ts";
import { readEnv } from "../../config/env.ts";
import { startMesh } from "../../mesh/mesh.ts";
import { serveOperators } from "../../mesh/operator-socket.ts";
import { originOf } from "../../core/access/origin.ts";
import { StartRefused } from "../../core/start-refused.ts";
import { Client } from "./client.ts";
import { serveDemoFeeds } from "./feeds.ts";
import { plan, report } from "./papers.ts";
import { drawValley } from "./valley.ts";
import { sayWhyNot } from "../refusal.ts";

/**
 * `npm run demo -- serve [port]`: the platform of the README's tour, with sample feeds and data, until Ctrl-C, on PORT
 * where none is named. It begins anew each time, so that everybody sees the same.
 */
const FOLDER = "./data/tour";
const MARK = join(FOLDER, "made-by-the-demo");
const ME = { email: "me@example.org", password: "a long pass phrase of mine" };
const COLLEAGUE = { email: "colleague@example.org", password: "another long pass phrase" };

function emptyFolder(): void {
  if (existsSync(FOLDER) && !existsSync(MARK))
    throw new StartRefused(`${FOLDER} was not made by this demo, which begins with an empty one: move it away.`);
  mkdirSync(FOLDER, { recursive: true });
  // Another demo, that runs, keeps it.
  lockFolder(FOLDER)();
  rmSync(FOLDER, { recursive: true });
  mkdirSync(FOLDER);
  writeFileSync(MARK, "");
}

async function follow(me: Client, feeds: Awaited<ReturnType<typeof serveDemoFeeds>>): Promise<void> {
  // One after the other, so that everybody sees the same ids.
  for (const { name, path, domain, items } of feeds.sources) {
    const { id } = await me.done("POST", "/api/sources", { name, url: feeds.base + path, domain });
    await me.done("POST", `/api/sources/${id}/refresh`);
    await me.until(`/api/articles?sourceId=${id}&limit=1`, ({ meta }) => meta.total >= items.length);
  }
  const wanted = feeds.sources.reduce((sum, { items }) => sum + items.length, 0);
  await me.until("/api/search/status", ({ data }) => data.waiting === 0 && data.indexed >= wanted);
  const { id } = await me.done("POST", "/api/briefings/generate", { hours: 48 });
  await me.until(`/api/briefings/${id}`, ({ data }) => data.status !== "generating");
}

async function openWorkspace(me: Client): Promise<void> {
  const { problemSetId } = await me.done("POST", "/api/problem-sets/from-scenario", { scenarioId: "river-flood" });
  await me.done("POST", "/api/auth/users", { ...COLLEAGUE, name: "Jana", role: "analyst" });
  const colleague = await me.signIn(COLLEAGUE.email, COLLEAGUE.password);
  const { code } = await me.done("POST", `/api/problem-sets/${problemSetId}/invite`, { role: "deputy" });
  await colleague.done("POST", "/api/problem-sets/invite/accept-by-code", { code });
  await drawValley(me, colleague, problemSetId);
  await report(me, colleague, problemSetId);
  await plan(colleague, problemSetId);
}

async function main(port: string): Promise<void> {
  emptyFolder();
  console.log("A platform with sample feeds and data is being made …");
  const feeds = await serveDemoFeeds();
  // A port that is taken is an event of the server's: nobody waits for it.
  process.once("uncaughtException", sayWhyNot);
  const mesh = await startMesh(
    readEnv({
      PORT: port,
      DATA_DIR: FOLDER,
      ADMIN_EMAIL: ME.email,
      ADMIN_PASSWORD: ME.password,
      ALLOW_PRIVATE_FEEDS: "on",
      LOG_LEVEL: "error",
    }),
  );
  process.off("uncaughtException", sayWhyNot);
  const endOperators = await serveOperators(mesh);
  let ending: Promise<void> | undefined;
  const end = (): void => {
    ending ??= Promise.resolve()
      .then(endOperators)
      .then(() => mesh.stop())
      .then(() => process.exit(0));
  };
  process.on("SIGINT", end).on("SIGTERM", end);
  const me = await new Client(mesh.url!).signIn(ME.email, ME.password);
  await me.done("POST", "/api/user-profile", { displayName: "Ilona" });
  await follow(me, feeds);
  await openWorkspace(me);
  console.log(`
The platform of the tour is ready: six sample feeds were read, a briefing is made, a workspace is open.

  API      ${mesh.url}/api
  Browser  ${originOf(mesh.world.env, Number(new URL(mesh.url!).port))}
  You      ${ME.email}, "${ME.password}"
  Jana     ${COLLEAGUE.email}, "${COLLEAGUE.password}"

Ctrl-C ends it; the next time it begins anew.`);
}

await main(process.argv[3] ?? process.env["PORT"] ?? "3000").catch(sayWhyNot);
