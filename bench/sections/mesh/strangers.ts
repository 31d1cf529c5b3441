import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Flood, text } from "../../../test/faults/load/flood.ts";
import { signIn, startNode, type NodeProcess } from "../../../test/process.ts";
import { cpuOf, many, median, round } from "../../measure.ts";

const ROUNDS = many(5);
const SECONDS = many(3);
const MEMBERS = 16;
const RATE = 250;
const SILENT = many(1_000, 20);

const DID = "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK";
const people = Array.from({ length: 400 }, (_, n) => `stranger-${n}@example.org`);

/** What somebody without a credential may ask for, by kind. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  pages: [
    "/api/openapi.json",
    "/api/asyncapi.json",
    "/api/docs",
    "/api/docs/swagger-ui-bundle.js",
    "/api/docs/swagger-ui.css",
  ].map((path) => text("GET", path)),
  DIDs: [`/api/identity/resolve/${DID}`, "/.well-known/did.json", "/identities/nobody/did.json"].map((path) =>
    text("GET", path),
  ),
  registrations: people.map((email) => text("POST", "/api/auth/register", undefined, { email, name: "Stranger" })),
  "wrong passwords": people.map((email, n) =>
    text("POST", "/api/auth/login", undefined, {
      email: n % 4 ? email : "admin@example.org",
      password: "a wrong horse battery",
    }),
  ),
};
/** One of each kind in turn. */
const mixed = people.flatMap((_, n) => Object.values(ASKED).map((kind) => kind[n % kind.length]!));

interface Round {
  members: number;
  ratio: number;
  answered: number;
  refused: number;
}

/** Members ask as fast as they are answered: first alone, then while a stranger asks at a steady rate. */
async function besides(
  node: NodeProcess,
  members: Flood,
  stranger: Flood,
  requests: readonly string[],
  asked: readonly string[],
): Promise<Round> {
  /** Answers, and the node's processor seconds meanwhile. */
  const run = async (): Promise<[answers: number, spent: number]> => {
    const before = cpuOf(node);
    const { good } = await members.run(node.url, { requests, seconds: SECONDS, connections: MEMBERS });
    return [good, (cpuOf(node) - before) / 1e6];
  };
  const [alone, spent] = await run();
  const flood = stranger.run(node.url, { requests: asked, seconds: SECONDS, connections: 500, rate: RATE });
  const [beside, spentThen] = await run();
  const { good, refused, failed } = await flood;
  const answered = good + Object.values(failed).reduce((sum, count) => sum + count, 0);
  return { members: alone / spent, ratio: beside / spentThen / (alone / spent), answered, refused };
}

async function goodput(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
  const node = await startNode({
    DATA_DIR: folder,
    RATE_LIMIT_TIER: "default",
    LOG_LEVEL: "fatal",
  });
  const [members, stranger] = [new Flood(), new Flood()];
  try {
    const token = await signIn(node.url);
    const requests = ["/api/sources/lists?limit=5", "/api/articles?limit=5", "/api/problem-sets/me"].map((path) =>
      text("GET", path, token),
    );
    await members.run(node.url, { requests, seconds: SECONDS * 2, connections: MEMBERS });
    const rows: string[] = [];
    for (const [name, asked] of [["all in turn", mixed] as const, ...Object.entries(ASKED)]) {
      const rounds: Round[] = [];
      for (let n = 0; n < ROUNDS; n++) rounds.push(await besides(node, members, stranger, requests, asked));
      const of = (figure: keyof Round): number => median(rounds.map((one) => one[figure]));
      rows.push(
        `| ${name} | ${Math.round(of("members")).toLocaleString("en")} | ${round(of("ratio"), 2)} | ${Math.round(of("answered") / SECONDS)} | ${Math.round(of("refused") / SECONDS)} |`,
      );
    }
    return rows;
  } finally {
    members.end();
    stranger.end();
    await node.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resident memory of a process, in MB; the most it ever was with `VmHWM`. */
const memoryOf = (pid: number, what: "VmRSS" | "VmHWM"): number =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1_024;

/** What a client that never reads asks for: as many requests as one connection may send ahead. */
const unread = (path: string, token?: string): string => text("GET", path, token).repeat(16);

/** Memory while a thousand connections ask, again and again, and never read. */
async function memory(): Promise<string[]> {
  const rows: string[] = [];
  for (const [name, path, isMember] of [
    ["the API description", "/api/openapi.json"],
    ["the event description", "/api/asyncapi.json"],
    ["the docs bundle", "/api/docs/swagger-ui-bundle.js"],
    ["a page of 100 records", "/api/sources/lists?limit=100", true],
  ] as const) {
    const folder = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
    const node = await startNode({ DATA_DIR: folder, LOG_LEVEL: "fatal" });
    const sockets: Socket[] = [];
    try {
      const token = await signIn(node.url);
      const { port } = new URL(node.url);
      for (let n = 0; n < (isMember ? 100 : 0); n++)
        await fetch(`${node.url}/api/sources/lists`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
          body: JSON.stringify({ name: `List ${n} ${"x".repeat(100)}`, sourceIds: [] }),
        });
      for (let n = 0; n < 100; n++)
        await fetch(`${node.url}${path}`, { headers: { authorization: `Bearer ${token}` } }).then((answer) =>
          answer.bytes(),
        );
      await pause(1_000);
      const before = memoryOf(node.pid, "VmRSS");
      for (let n = 0; n < SILENT; n++) {
        const socket = connect({ host: "127.0.0.1", port: Number(port) })
          .on("error", () => {})
          .pause();
        socket.write(unread(path, isMember && token));
        sockets.push(socket);
        if (n % 20 === 0) await pause(10);
      }
      let most = 0;
      for (const until = performance.now() + many(10_000, 500); performance.now() < until; await pause(100))
        most = Math.max(most, memoryOf(node.pid, "VmRSS"));
      rows.push(`| ${name} | ${Math.round(before)} | ${Math.round(most - before)} |`);
    } finally {
      for (const socket of sockets) socket.destroy();
      await node.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }
  return rows;
}

/** What strangers, and clients that never read, cost everybody else. */
export async function strangers(): Promise<string> {
  const [served, kept] = [await goodput(), await memory()];
  return [
    "## Strangers",
    "",
    `The whole platform in one process with its default settings. Members ask over ${MEMBERS} connections as fast as they are answered, alone and while somebody without a credential asks ${RATE} times a second; answers a processor second of the whole process, which is what is scarce when it is asked for all it can do. Median of ${ROUNDS} rounds of ${SECONDS} s, each ratio of its own round.`,
    "",
    "| The stranger asks for | members alone, answers a processor second | beside it | the stranger is answered a second | and told to come later |",
    "|---|---|---|---|---|",
    ...served,
    "",
    "The aim is 0.8.",
    "",
    `${SILENT.toLocaleString("en")} connections that ask 16 times each and never read; the most resident memory over ten seconds against that before.`,
    "",
    "| They ask for | MB before | MB more |",
    "|---|---|---|",
    ...kept,
    "",
    `The aim is ${150} MB.`,
    "",
  ].join("\n");
}

if (import.meta.main) {
  console.log(await strangers());
  process.exit(0);
}
