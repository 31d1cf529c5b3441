import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { StartRefused } from "../core/start-refused.ts";
import { HubRefusal } from "../edge/sync/hub.ts";
import { Unreachable } from "../edge/sync/link.ts";
import type { HubState } from "../edge/node.ts";
import { openEdge, type RunningEdge } from "../edge/open.ts";
import { sayWhyNot } from "./refusal.ts";
import { whenToldToStop } from "./stopping.ts";

const USAGE = `usage: npm run edge -- --data DIR [--hub URL --token-file FILE --name NAME] [--port PORT]

  --data DIR         where the node keeps its key, its records and what it has not sent
  --hub URL          the hub to enrol at; needed once
  --token-file FILE  holds the token of the node's person, or an API key; - asks for it. It is no argument, so that no
                     list of processes shows it. Given again later, it renews what the node shows its hub.
  --name NAME        what the node is called at the hub (edge)
  --set ID           a problem set that it carries, again for each; without it everything that its person sees
  --port PORT        of the local face on 127.0.0.1; any free one without it

docs/edge.md tells more.`;

/** `npm run edge`: a node that works without its hub, and comes together with it whenever it is there. */
const OPTIONS = {
  data: { type: "string" },
  hub: { type: "string" },
  "token-file": { type: "string" },
  name: { type: "string" },
  set: { type: "string", multiple: true },
  port: { type: "string", default: "0" },
  help: { type: "boolean" },
} as const;

async function main(): Promise<void> {
  // Whatever the node writes is its owner's alone.
  process.umask(0o077);
  const { data, hub, name, port, set, "token-file": file } = options();
  const settings = {
    folder: data,
    hub,
    name,
    port,
    problemSetIds: set,
    token: file === undefined ? undefined : await tokenOf(file),
  };
  const edge = await openEdge({ ...settings, tell }).catch(explain);
  whenToldToStop(() => void edge.close().then(() => process.exit(0)));
  sayWhereItIs(edge);
  edge.loop.start();
}

function options() {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const port = Number(values.port);
    if (values.data === undefined) throw new Error("--data is missing.");
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error("--port is a number up to 65535.");
    if (values.hub !== undefined && !/^https?:$/.test(URL.parse(values.hub)?.protocol ?? ""))
      throw new Error("--hub is an http or https address.");
    return { ...values, data: values.data, port };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

/** From a file, or typed without being shown. */
async function tokenOf(file: string): Promise<string> {
  const text = file === "-" ? await typed() : readFileSync(file, "utf8");
  if (!text.trim()) throw new StartRefused(`There is no token in ${file === "-" ? "what was typed" : file}.`);
  return text.trim();
}

async function typed(): Promise<string> {
  process.stderr.write("Token of the node's person: ");
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: process.stdin.isTTY === true });
  try {
    const { value } = await lines[Symbol.asyncIterator]().next();
    return (value as string | undefined) ?? "";
  } finally {
    process.stderr.write("\n");
    lines.close();
  }
}

/** What the hub or the network said is the operator's to read; the rest goes its usual way. */
function explain(error: unknown): never {
  if (error instanceof HubRefusal)
    throw new StartRefused(`the hub did not enrol this node (${error.code}): ${error.message}`, { cause: error });
  if (error instanceof Unreachable)
    throw new StartRefused(`the hub cannot be reached, and the node is not enrolled yet: ${error.message}`, {
      cause: error,
    });
  throw error;
}

function sayWhereItIs({ enrolled, url, token, node }: RunningEdge): void {
  console.log(`The edge node ${enrolled.name} is ready, with or without its hub.

  Hub      ${enrolled.hub}
  Node     ${enrolled.node}, ${enrolled.did}
  Face     ${url}
  Token    ${token}

Ask its face with the header "Authorization: Bearer" and the token; docs/edge.md has the paths.`);
  void node.status().then(({ unsent, rejections, clock }) => {
    if (unsent) console.log(`${unsent} changes wait to be sent.`);
    if (rejections) console.log(`${rejections} changes were refused by the hub: GET ${url}/rejections`);
    if (clock?.warning) console.log(clock.warning);
  });
}

const WORDS: Record<HubState["state"], string> = {
  well: "in step with the hub",
  unreachable: "the hub is not there; work goes on here",
  waits: "the hub asks to wait; work goes on here",
  refused: "the hub refuses this node until somebody does something about it; work goes on here",
};
const tell = ({ state, code, message, at }: HubState): void =>
  console.log(`${at}  ${WORDS[state]}${message ? ` (${code ? `${code}: ` : ""}${message})` : ""}`);

await main().catch(sayWhyNot);
