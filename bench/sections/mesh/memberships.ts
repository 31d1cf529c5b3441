import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { lacking, Nodes, startStage, type MeshNode } from "../../../test/nodes.ts";
import { isQuick, many, median } from "../../measure.ts";

const MANY_SETS = many(1_000, 40);
const ROUNDS = many(24, 2);
const PASSWORD = "correct horse battery staple 43";
/** What a change leaves to be told is told by then, and what a read sets off is done. */
const SETTLED_MS = isQuick ? 20 : 150;
const QUIET_MS = 25;
/** Reads in a row by one person after none of their access changed. */
const AGAIN = many(10, 2);
const AT_ONCE = 8;

/** Processor microseconds of a process so far, all of its threads: the scheduler counts them by the nanosecond. */
function microsOf({ pid }: MeshNode): number {
  const tasks = readdirSync(`/proc/${pid}/task`).map((task) => readFileSync(`/proc/${pid}/task/${task}/schedstat`));
  return tasks.reduce((sum, told) => sum + Number(told.toString().split(" ")[0]) / 1_000, 0);
}

const WARM = "warm";
const READS = { "a set": "/api/problem-sets/", "its messages": "/api/messages?problemSetId=" };

interface Reader {
  token: string;
  set: string;
  isArchived: boolean;
}
/** Processor time of each node, and milliseconds on the clock. */
type Cost = number[];

/** What a read by somebody in one problem set costs the nodes of a mesh, and by somebody in a thousand. */
export async function memberships(): Promise<string> {
  const title = "## Memberships in a mesh";
  if (lacking) return `${title}\n\nNot measured: ${lacking}.\n`;
  const stage = await startStage();
  const mesh = new Nodes(stage);
  try {
    const areas = ["gateway,identity,platform", "workspace", "picture"];
    const nodes = await Promise.all(areas.map((one) => mesh.start(one)));
    await mesh.knows(["/api/problem-sets/me", "/api/messages/channels"]);

    const readers: Reader[] = [];
    for (const sets of [1, MANY_SETS]) {
      const email = `reader-${sets}@example.org`;
      await asked(mesh, await mesh.token(), "POST", "/api/auth/users", { email, password: PASSWORD, role: "analyst" });
      const { token } = await asked(mesh, null, "POST", "/api/auth/login", { email, password: PASSWORD });
      const set = await open(mesh, token, "Set");
      for (let left = sets - 1; left > 0; left -= AT_ONCE)
        await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => open(mesh, token, "Another set")));
      readers.push({ token, set, isArchived: false });
    }
    const costs = new Map<string, Cost[]>();
    const note = async (what: string, read: () => Promise<unknown>, times = 1): Promise<void> => {
      const before = nodes.map(microsOf);
      const began = performance.now();
      for (let n = 0; n < times; n++) await read();
      const took = (performance.now() - began) / times;
      await pause(QUIET_MS);
      const spent = nodes.map((node, at) => (microsOf(node) - before[at]!) / times);
      const noted = costs.get(what) ?? [];
      costs.set(what, [...noted, [...spent, took]]);
    };
    // The first rounds meet code that is not compiled yet.
    for (let n = -2; n < ROUNDS; n++)
      for (const [at, reader] of readers.entries())
        for (const [what, path] of Object.entries(READS)) {
          await change(mesh, reader);
          const read = (): Promise<unknown> => asked(mesh, reader.token, "GET", path + reader.set);
          await note(`${n < 0 ? WARM : `${what}, right after a change`} ${at}`, read);
          await note(`${n < 0 ? WARM : `${what}, again`} ${at}`, read, AGAIN);
        }
    const figure = (what: string, at: number, node: number): number =>
      median(costs.get(`${what} ${at}`)!.map((cost) => cost[node]!));
    const rows = [...costs.keys()]
      .filter((name) => name.endsWith(" 0") && !name.startsWith(WARM))
      .map((name) => name.slice(0, -2))
      .flatMap((what) =>
        [...nodes.keys(), nodes.length].map((node) => {
          const [one, thousand] = [figure(what, 0, node), figure(what, 1, node)];
          const name = areas[node] ?? "on the clock";
          return `| ${what} | ${name} | ${Math.round(one)} | ${Math.round(thousand)} | ${(thousand / one).toFixed(2)} |`;
        }),
      );
    return [
      title,
      "",
      `Reads by somebody in one problem set and in ${MANY_SETS.toLocaleString("en")}, in turns, on three processes over Redis and a server of the MongoDB protocol; right after a change of their access in one set, and ${AGAIN} more of the same. Processor microseconds of each process a read, milliseconds on the clock; medians of ${ROUNDS} rounds. The sets are of \`workspace\`, messages of \`picture\`.`,
      "",
      `| Read | node | in one | in ${MANY_SETS.toLocaleString("en")} | ratio |`,
      "|---|---|---|---|---|",
      ...rows,
      "",
      "The aim is 1.3.",
      "",
    ].join("\n");
  } finally {
    await mesh.stop();
    await stage.redis.stop();
  }
}

const open = async (mesh: Nodes, token: string, name: string): Promise<string> =>
  (await asked(mesh, token, "POST", "/api/problem-sets", { name })).id;

/** The reader's set goes into the archive, or comes back: another membership of all its members. */
async function change(mesh: Nodes, reader: Reader): Promise<void> {
  const path = `/api/problem-sets/${reader.set}`;
  if (reader.isArchived) await asked(mesh, await mesh.token(), "POST", `${path}/restore`);
  else await asked(mesh, reader.token, "DELETE", path);
  reader.isArchived = !reader.isArchived;
  await pause(SETTLED_MS);
}

async function asked(mesh: Nodes, token: string | null, method: string, path: string, body?: object): Promise<any> {
  const reply = await mesh.http(method, path, { token, ...(body && { body }) });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body?.data;
}

if (import.meta.main) {
  console.log(await memberships());
  process.exit(0);
}
