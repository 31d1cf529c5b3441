import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signIn, startNode, type NodeProcess } from "../process.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

// An operator at a terminal, without Redis: beside a node that runs, and where none does.

const FEED = `<rss version="2.0"><channel><title>Harbour</title><item><title>Ferry returns</title><link>http://127.0.0.1/ferry</link><guid>1</guid></item></channel></rss>`;

let folder: string, home: string, feeds: Server;
let node: NodeProcess | undefined, terminal: Terminal | undefined;
let asked = 0;
const socket = (): string => join(folder, "operator.sock");
const operator = (...flags: string[]): Terminal =>
  (terminal = openTerminal(["scripts/repl.ts", ...flags], { DATA_DIR: folder, HOME: home }));
const api = async (path: string, body?: object): Promise<any> => {
  const headers = { authorization: `Bearer ${await signIn(node!.url)}`, "content-type": "application/json" };
  const given = body ? { method: "POST", body: JSON.stringify(body) } : {};
  return (await fetch(node!.url + path, { headers, ...given })).json();
};

/** Everything that is stored, in one number. */
function digest(): string {
  const db = new DatabaseSync(join(folder, "signalmesh.db"), { readOnly: true });
  const tables = db.prepare("select name from sqlite_master where type = 'table' order by name").all();
  const hash = createHash("sha256");
  for (const { name } of tables)
    hash.update(`${name} ${JSON.stringify(db.prepare(`select * from "${name}"`).all())}\n`);
  db.close();
  return hash.digest("hex");
}

beforeAll(async () => {
  [folder, home] = [await mkdtemp(join(tmpdir(), "mesh-")), await mkdtemp(join(tmpdir(), "home-"))];
  feeds = createServer((_req, res) => {
    asked++;
    res.writeHead(200, { "content-type": "application/rss+xml" }).end(FEED);
  }).listen(0, "127.0.0.1");
  node = await startNode({ DATA_DIR: folder, NODE_ID: "main" });
  const url = `http://127.0.0.1:${(feeds.address() as AddressInfo).port}/feed.xml`;
  await api("/api/sources", { name: "Harbour", url, domain: "economics" });
}, 60_000);
afterAll(async () => {
  await terminal?.end();
  await node?.stop();
  feeds?.close();
  for (const one of [folder, home]) await rm(one, { recursive: true, force: true });
}, 60_000);

it("carries out lines that are piped one after the other, to the last", async () => {
  const env = { PATH: process.env["PATH"]!, DATA_DIR: folder, HOME: home };
  const { stdin, stdout, stderr } = spawn(process.execPath, ["scripts/repl.ts"], { env });
  const faults = stderr.toArray();
  stdin.end("nothing\naudit verify\njobs failed\nscale up\nscale\n");
  const text = (await stdout.toArray()).join("");
  expect(text).toMatch(/no such command[^]*chains hold[^]*\(none\)[^]*service +nodes/);
  expect(text).not.toContain("undefined");
  // Wrong arguments are told once, with how it is used.
  const told = (await faults).join("");
  expect(told).toMatch(/too many arguments for 'scale'[^]*Usage: /);
  expect(told + text).not.toMatch(/CommanderError|\n +at /);
});

it("joins the node that runs, by a socket of the folder's owner alone, and asks before it changes something", async () => {
  expect(statSync(socket()).mode & 0o777).toBe(0o600);
  const seen = operator();
  expect(await seen.waitFor(/signalmesh \$ $/)).toContain("This is node main");
  expect(await seen.enter("scale")).toMatch(/sources\s+1\s+main/);
  const unknown = await seen.enter("source");
  expect(unknown).toContain("There is no such command; did you mean `sources`? `help` lists all.");
  expect(unknown).not.toContain("Usage:");
  expect(await seen.enter("sources")).toMatch(/1\s+Harbour\s+economics/);
  expect(await seen.enter("sizes all")).toMatch(
    /collection\s+documents\s+bytes\s+indexBytes[^]*\ssources\s+1\s+\d+\s+\d+/,
  );
  expect(await seen.enter("sizes 2")).toMatch(/and \d+ smaller ones/);
  const before = asked;
  await seen.enter("ingest 1", /Type yes to go on: $/);
  expect(await seen.enter("no")).toContain("Nothing was done.");
  expect(asked).toBe(before);
  await seen.enter("ingest 1", /Type yes to go on: $/);
  expect(await seen.enter("yes")).toMatch(/1\s+Harbour/);
  expect(await seen.enter("job nothing")).toMatch(/That failed: .*nothing/);
  expect(await seen.enter("audit recent")).toMatch(/system:operator:\S+\s+sources\.refresh/);
  expect((await api("/api/sources/1")).data.health).toBe("active");
}, 60_000);

it("a line that is none ends its connection, and nothing else", async () => {
  const stranger = connect(socket());
  const closed = new Promise((resolve) => stranger.once("close", resolve));
  stranger.resume().write("this is no JSON\n");
  await closed;
  expect(await terminal!.enter("sources")).toContain("Harbour");
});

it("ends with the node; where none runs it only looks, if somebody says yes", async () => {
  const ended = terminal!.waitFor(/The platform was stopped\./);
  await node!.stop();
  await ended;
  await terminal!.end();
  expect(existsSync(socket())).toBe(false);
  const before = digest();
  const refused = operator();
  expect(await refused.waitFor(/Type yes to go on: $/)).toContain("No platform runs here on");
  refused.type("no\r");
  await refused.end();
  const look = operator("--look");
  expect(await look.waitFor(/signalmesh \$ $/)).toContain("This is a look at the store, and changes nothing.");
  expect(await look.enter("sources")).toMatch(/1\s+Harbour\s+economics\s+active/);
  expect(await look.enter("audit")).toMatch(/\d+ entries in \d+ chains hold\./);
  const count = asked;
  for (const command of ["ingest 1", "ingest --yes", "reindex --yes"])
    expect(await look.enter(command)).toContain("This is a look at the store, and changes nothing.");
  const asAdmin = `--#actor.userId system:me --#actor.via system --#actor.permits.0 * --#actor.omniscient`;
  expect(await look.enter(`call sources.refresh --id 1 ${asAdmin}`)).not.toMatch(/"message":/);
  await look.end();
  expect(asked).toBe(count);
  expect(digest()).toBe(before);
}, 90_000);

it("makes no folder where there is none", async () => {
  const nowhere = join(home, "nowhere");
  const lost = (terminal = openTerminal(["scripts/repl.ts"], { DATA_DIR: nowhere, HOME: home }));
  await lost.waitFor(/No platform runs here on/);
  await lost.end();
  expect(existsSync(nowhere)).toBe(false);
}, 30_000);
