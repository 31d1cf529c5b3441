import { setTimeout as pause } from "node:timers/promises";
import { Flood, text } from "../../../test/faults/load/flood.ts";
import { lacking, Nodes, startStage, type MeshNode } from "../../../test/nodes.ts";
import { cpuOf, isQuick, many, median, round } from "../../measure.ts";

const SCALES = isQuick ? [1] : [1, 2, 4];
const ROUNDS = many(3);
const SECONDS = many(3);
const REST_SECONDS = many(2);
const CONNECTIONS = 32;
const SCALED = "news,workspace";

/** What each process spends a second when nothing is asked: schedules, heartbeats, the followers of change streams. */
async function atRest(all: readonly MeshNode[]): Promise<number[]> {
  const before = all.map(cpuOf);
  await pause(REST_SECONDS * 1_000);
  return all.map((node, at) => (cpuOf(node) - before[at]!) / REST_SECONDS);
}

interface Figures {
  rate: number;
  gateway: number;
  area: number;
  shares: number[];
}

/**
 * One round: what came through, what it cost the gateway and the area's nodes a request, and how the nodes shared it.
 */
async function measured(
  flood: Flood,
  gateway: MeshNode,
  area: readonly MeshNode[],
  rest: readonly number[],
  request: string,
): Promise<Figures> {
  const all = [gateway, ...area];
  const before = all.map(cpuOf);
  const began = performance.now();
  const { good, sent, failed } = await flood.run(gateway.url, {
    requests: [request],
    seconds: SECONDS,
    connections: CONNECTIONS,
  });
  if (Object.keys(failed).length) throw new Error(`not answered as it should be: ${JSON.stringify(failed)}`);
  const seconds = (performance.now() - began) / 1_000;
  const [own, ...others] = all.map((node, at) => Math.max(0, cpuOf(node) - before[at]! - rest[at]! * seconds));
  const total = others.reduce((sum, cpu) => sum + cpu, 0);
  return {
    rate: good / SECONDS,
    gateway: own! / sent,
    area: total / sent,
    shares: others.map((cpu) => (cpu / total) * 100),
  };
}

const by = (all: readonly Figures[], pick: (figures: Figures) => number): number => median(all.map(pick));
const row = (what: string, count: number, all: readonly Figures[]): string => {
  const shares = all[0]!.shares.map((_, at) => Math.round(by(all, (figures) => figures.shares[at]!)));
  return `| ${what} | ${count} | ${Math.round(by(all, ({ rate }) => rate))} | ${round(
    by(all, ({ gateway }) => gateway),
    0,
  )} | ${round(
    by(all, ({ area }) => area),
    0,
  )} | ${shares.join(", ")} |`;
};

/** Throughput of a mesh of processes with an area on 1, 2 and 4 nodes, for a cheap read and a write. */
export async function nodes(): Promise<string> {
  const title = "## A mesh with an area on 1, 2 and 4 nodes";
  if (lacking) return `${title}\n\nNot measured: ${lacking}.\n`;
  const stage = await startStage();
  const mesh = new Nodes(stage);
  const flood = new Flood();
  try {
    const [gateway] = await Promise.all(["gateway", "identity,platform"].map((areas) => mesh.start(areas)));
    const area: MeshNode[] = [];
    const rows: string[] = [];
    for (const count of SCALES) {
      while (area.length < count) area.push(await mesh.start(SCALED));
      await mesh.knows(["/api/sources", "/api/problem-sets/me"]);
      const token = await mesh.token();
      const rest = await atRest([gateway!, ...area]);
      const requests = [
        ["read", text("GET", "/api/sources/lists?limit=5", token)],
        ["write", text("POST", "/api/problem-sets", token, { name: "bench" })],
      ] as const;
      for (const [what, request] of requests) {
        await measured(flood, gateway!, area, rest, request);
        const all: Figures[] = [];
        for (let n = 0; n < ROUNDS; n++) all.push(await measured(flood, gateway!, area, rest, request));
        rows.push(row(what, count, all));
      }
    }
    return [
      title,
      "",
      `Gateway, \`identity,platform\` and so many nodes of \`${SCALED}\` as processes of their own on Redis and a server of the MongoDB protocol; ${CONNECTIONS} connections, each waiting for its answer; median of ${ROUNDS} rounds of ${SECONDS} s. Read: a page of source lists. Write: a new problem set, with its commander, audit entry and facts. CPU microseconds a request, without what each process spends at rest.`,
      "",
      "| Request | nodes | a second | gateway, µs | area's nodes together, µs | share of each node, % |",
      "|---|---|---|---|---|---|",
      ...rows,
      "",
    ].join("\n");
  } finally {
    flood.end();
    await mesh.stop();
    await stage.redis.stop();
  }
}

if (import.meta.main) {
  console.log(await nodes());
  process.exit(0);
}
