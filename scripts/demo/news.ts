import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeHTML } from "entities";
import { readEnv } from "../../config/env.ts";
import { serveDemoFeeds } from "./feeds.ts";
import { startMesh } from "../../mesh/mesh.ts";
import { bold, yellow } from "./terminal.ts";

/** The main job on sample feeds served from this machine, every step through the gateway as a user would take it. */
const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-demo-"));
const feeds = await serveDemoFeeds();
const password = "a pass phrase for the demo";
const mesh = await startMesh(
  readEnv({
    PORT: "0",
    DATA_DIR: dataDir,
    ADMIN_EMAIL: "demo@example.org",
    ADMIN_PASSWORD: password,
    ALLOW_PRIVATE_FEEDS: "on",
    LOG_LEVEL: "error",
    INGEST_INTERVAL_MINUTES: "1000",
    COMPARE_INTERVAL_MINUTES: "0",
  }),
);

const step = (text: string): void => console.log(`\n${bold(text)}`);
let token = "";
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await fetch(mesh.url + path, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const json: any = answer.status === 204 ? undefined : await answer.json();
  console.log(`  ${method} ${path}  →  ${answer.status}`);
  if (!answer.ok) throw new Error(JSON.stringify(json));
  return json;
}

/** Asks again until the answer fits, at most half a minute. */
async function until(path: string, fits: (body: any) => boolean): Promise<any> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
    const answer = await fetch(mesh.url + path, { headers: { authorization: `Bearer ${token}` } });
    const body = await answer.json();
    if (fits(body)) return body;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${path} did not get there in half a minute`);
}

try {
  step("1. Sign in");
  token = (await call("POST", "/api/auth/login", { email: "demo@example.org", password })).data.token;

  step("2. Follow six feeds (RSS, Atom, JSON Feed), and read them now");
  const {
    data: { created },
  } = await call("POST", "/api/sources/bulk", {
    sources: feeds.sources.map(({ name, path, domain }) => ({ name, url: feeds.base + path, domain })),
  });
  for (const { id } of created) await call("POST", `/api/sources/${id}/refresh`);
  const wanted = feeds.sources.reduce((sum, { items }) => sum + items.length, 0);
  const { data: articles, meta } = await until("/api/articles?limit=100", (body) => body.meta.total >= wanted);
  console.log(`  ${meta.total} articles of ${created.length} sources`);

  step("3. The same wire story from two sources is one story");
  const stories = new Map<string, any[]>();
  for (const article of articles) stories.set(article.storyId, [...(stories.get(article.storyId) ?? []), article]);
  for (const same of stories.values())
    if (same.length > 1)
      console.log(`  “${same[0].title}”: ${same.map((article) => article.source.name).join(" and ")}`);

  step("4. Search");
  await until("/api/search/status", ({ data }) => data.waiting === 0 && data.indexed >= wanted);
  for (const q of ["hospitals gateway", '"wind farm" -nuclear', "copper | wheat", "title:strait source:harbour"]) {
    const found = await until(`/api/search?q=${encodeURIComponent(q)}`, (body) => body.meta !== undefined);
    console.log(`  ${q}   (${found.meta.total} found in ${found.meta.took} ms)`);
    for (const { relevance, title, copies, snippet } of found.data.slice(0, 2)) {
      const also = copies
        ? ` (the same text: ${copies.map((copy: { source: string }) => copy.source).join(", ")})`
        : "";
      const marked = snippet.replace(/<mark>([^<]*)<\/mark>/g, (_mark: string, word: string) => yellow(word));
      console.log(`    ${relevance.toFixed(2)}  ${title}${also}\n          ${decodeHTML(marked)}`);
    }
  }

  step("5. A briefing");
  const {
    data: { id },
  } = await call("POST", "/api/briefings/generate", { hours: 48 });
  const { data: briefing } = await until(`/api/briefings/${id}`, (body) => body.data.status !== "generating");
  if (briefing.status !== "completed") throw new Error(briefing.error);
  console.log(`\n${briefing.content}`);

  step("That was all of it over HTTP, on this machine alone");
  console.log("  npm start                  the platform");
  console.log("  /api/docs                  every endpoint");
  console.log("  npm run demo -- serve      the same feeds, to try for yourself");
} finally {
  await mesh.stop();
  feeds.server.close();
  await rm(dataDir, { recursive: true, force: true });
}
