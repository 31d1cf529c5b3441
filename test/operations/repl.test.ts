import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { columns } from "../../scripts/repl/text.ts";
import { eventually } from "../mesh.ts";
import { signIn, startNode, type NodeProcess } from "../process.ts";
import { itWithRedis, startRedis, type TestRedis } from "../redis.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

// An operator at a terminal joins a mesh that runs in another process, over Redis.

const FEED = `<rss version="2.0"><channel><title>Harbour</title><item><title>Ferry returns to the northern quay</title><link>http://127.0.0.1/ferry</link><guid>1</guid><pubDate>${new Date().toUTCString()}</pubDate></item></channel></rss>`;

let redis: TestRedis, node: NodeProcess, operator: Terminal, feeds: Server, token: string;
const folders: string[] = [];
const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), "signalmesh-repl-"));
  folders.push(made);
  return made;
};
const api = async (method: string, path: string, body?: object): Promise<any> =>
  (
    await fetch(node.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    })
  ).json();

beforeAll(async () => {
  redis = (await startRedis())!;
  feeds = createServer((_req, res) => res.writeHead(200, { "content-type": "application/rss+xml" }).end(FEED)).listen(
    0,
    "127.0.0.1",
  );
  const mesh = { TRANSPORTER: redis.url, NAMESPACE: `repl${process.pid}`, SECRET: "11".repeat(32) };
  node = await startNode({ ...mesh, DATA_DIR: await folder(), NODE_ID: "main", SMTP_URL: "smtp://127.0.0.1:9" });
  token = await signIn(node.url);
  const { port } = feeds.address() as AddressInfo;
  await api("POST", "/api/sources", {
    // A mark that names written from right to left may have.
    name: "Harbour שער\u200f Gazette",
    url: `http://127.0.0.1:${port}/feed.xml`,
    domain: "economics",
  });
  operator = openTerminal(["scripts/repl.ts"], { ...mesh, DATA_DIR: await folder(), HOME: await folder() });
  await operator.waitFor(/signalmesh \$ $/);
}, 90_000);

afterAll(async () => {
  await operator?.end();
  await node?.stop();
  feeds?.close();
  await redis?.stop();
  for (const one of folders) await rm(one, { recursive: true, force: true });
}, 60_000);

const story = (name: string, tell: () => Promise<void>): void => itWithRedis(name, tell, 60_000);

story("helps: every command with what it does, and one of them in detail", async () => {
  const help = await operator.enter("help");
  for (const line of [
    "sources [health]",
    "ingest [options] [source]",
    "reindex",
    "jobs [status]",
    "retry [options] <id>",
    "password [options] <email>",
    "audit [what]",
    "scale",
    "sets",
    "gates",
    "nodes",
  ])
    expect(help).toContain(line);
  expect(await operator.enter("help ingest")).toMatch(
    /Fetch one source now, or all that are active[^]*--yes\s+Do not ask/,
  );
});

story("completes commands, arguments and what changes from day to day", async () => {
  operator.type("rein\t");
  await operator.waitFor(/reindex/);
  operator.type("\u0015jobs fai\t");
  await operator.waitFor(/jobs failed/);
  operator.type("\u0015ingest --\t");
  await operator.waitFor(/ingest --yes/);
  operator.type("\u0015call sources.exp\t");
  await operator.waitFor(/sources\.exportOpml/);
  operator.type("\u0015");
});

story("sees the mesh: nodes, services, sources in words that no feed can forge", async () => {
  expect(await operator.enter("scale")).toMatch(/sources\s+1\s+main/);
  const listed = await operator.enter("sources");
  expect(listed).toContain("Harbour שער\\u200f Gazette");
  // Names of before have whatever their feeds and people gave them.
  expect(columns([{ name: "Harbour \u001b]0;owned\u0007Gazette" }])).toContain("Harbour \\u001b]0;owned\\u0007Gazette");
  expect(await operator.enter("sources failed")).toContain("(none)");
  expect(await operator.enter("index")).toMatch(/engine\s+embedded/);
});

story("joins a mesh whose document store is away: then most of all somebody wants to look", async () => {
  const mesh = { TRANSPORTER: redis.url, NAMESPACE: `repl${process.pid}`, SECRET: "11".repeat(32) };
  const other = openTerminal(["scripts/repl.ts"], {
    ...mesh,
    MONGO_URL: "mongodb://127.0.0.1:1/away?serverSelectionTimeoutMS=1000",
    HOME: await folder(),
  });
  await other.waitFor(/signalmesh \$ $/);
  expect(await other.enter("scale")).toMatch(/sources\s+1\s+main/);
  await other.end();
});

story("asks before it changes something; only yes is a yes", async () => {
  const before = (await api("GET", "/api/search/status")).data.reindex;
  for (const answer of ["no", "", "y", "\u0003"]) {
    await operator.enter("reindex", /Type yes to go on: $/);
    expect(await operator.enter(answer)).toContain("Nothing was done.");
  }
  expect((await api("GET", "/api/search/status")).data.reindex).toEqual(before);
  await operator.enter("reindex", /Type yes to go on: $/);
  expect(await operator.enter("yes")).toMatch(/queued: search/);
  await eventually(
    () => api("GET", "/api/search/status"),
    ({ data }) => data.reindex?.status === "completed",
  );
  operator.type("job search\t");
  const completed = await operator.waitFor(/search[.\w-]*:index/);
  expect(await operator.enter("")).toMatch(/status\s+completed/);
  expect(await operator.enter("jobs completed")).toContain(/search[.\w-]*:index/.exec(completed)![0]);
});

story("fetches a source now, or all of them once asked", async () => {
  expect(await operator.enter("ingest 1", /Type yes to go on: $/)).toMatch(/Fetch Harbour .* now\?/);
  expect(await operator.enter("yes")).toMatch(/1\s+Harbour/);
  await eventually(
    () => api("GET", "/api/articles"),
    ({ meta }) => meta.total === 1,
  );
  const asked = await operator.enter("ingest", /Type yes to go on: $/);
  expect(asked).toContain("Fetch all 1 active sources now?");
  expect(await operator.enter("yes")).toMatch(/1\s+Harbour/);
  expect(await operator.enter("ingest --yes")).toMatch(/1\s+Harbour/);
});

story("lets somebody in again who lost every way in", async () => {
  expect(await operator.enter("password nobody@example.org --yes")).toMatch(/That failed: No account has the address/);
  const question = await operator.enter("password admin@example.org", /Type yes to go on: $/);
  expect(question).toContain("Give the system_admin admin@example.org a new password");
  const said = await operator.enter("yes");
  const password = /^[\w-]{20}$/m.exec(said.replaceAll("\r", ""))![0];
  expect((await api("GET", "/api/auth/me")).error.code).toBe("UNAUTHENTICATED");
  const answer = await fetch(`${node.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "admin@example.org", password }),
  });
  expect(answer.status).toBe(200);
  token = ((await answer.json()) as any).data.token;
});

story("tells of work, deliveries and workspaces without what lies behind barriers", async () => {
  await api("POST", "/api/problem-sets", { name: "Operation Heron" });
  const sets = await operator.enter("sets");
  expect(sets).toMatch(/active\s+operational\s+1/);
  expect(sets).not.toContain("Heron");
  expect(await operator.enter("gates")).toContain("(none)");
  expect(await operator.enter("deliveries")).toContain("(none)");
  expect(await operator.enter("job search.reindex:nothing")).toMatch(/That failed: .*nothing/);
});

story("says among the background work why something did not succeed", async () => {
  await api("POST", "/api/auth/users", { email: "invited@example.org" });
  await eventually(
    () => operator.enter("jobs"),
    (told) => /auth\.link .*The mail server cannot be reached/.test(told),
  );
});

story("verifies the audit log, in which its own acts stand", async () => {
  expect(await operator.enter("audit")).toMatch(/\d+ entries in \d+ chains hold\./);
  expect(await operator.enter("audit recent")).toMatch(/system:operator:\S+\s+search\.reindex/);
  expect(
    JSON.parse((await operator.enter("audit checkpoint")).replace(/^[^\n]*\n/, "").replace(/signalmesh \$ $/, "")),
  ).toHaveProperty("heads");
});

story("says in a line what failed, and goes on", async () => {
  expect(await operator.enter("ingest zero")).toContain('That failed: "zero" is no number of a source.');
  expect(await operator.enter("ingest 4711")).toMatch(/That failed: .*4711/);
  expect(await operator.enter("scale")).toContain("main");
});
