import { writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { barriers } from "./sections/barriers.ts";
import { calls } from "./sections/calls.ts";
import { command } from "./sections/command.ts";
import { cop } from "./sections/cop.ts";
import { discovery } from "./sections/discovery.ts";
import { agents } from "./sections/agents.ts";
import { edgeSync } from "./sections/edge-sync.ts";
import { dao } from "./sections/dao.ts";
import { gateway } from "./sections/gateway.ts";
import { graph } from "./sections/graph.ts";
import { ingestion } from "./sections/ingestion.ts";
import { judgement } from "./judgement/news/score.ts";
import { keys } from "./sections/keys.ts";
import { liveEvents } from "./sections/live.ts";
import { isQuick } from "./measure.ts";
import { messages } from "./sections/messages.ts";
import { nodes } from "./sections/nodes.ts";
import { orchestration } from "./sections/orchestration.ts";
import { overload } from "./sections/overload.ts";
import { remote } from "./sections/remote.ts";
import { replies } from "./sections/replies.ts";
import { search } from "./sections/search.ts";
import { soak } from "./sections/soak.ts";
import { startup } from "./sections/startup.ts";
import { store } from "./sections/store.ts";
import { strangers } from "./sections/strangers.ts";
import { texts } from "./sections/texts.ts";
import { telemetry } from "./sections/telemetry.ts";
import { verification } from "./sections/verification.ts";
import { writes } from "./sections/writes.ts";

/**
 * `npm run bench [section…]`: measures, prints, and with no section named writes bench/results.md. Never a test;
 * `--quick` runs each section for a moment and writes nothing, to see that they run.
 */
const SECTIONS = {
  gateway,
  graph,
  calls,
  remote,
  nodes,
  store,
  writes,
  barriers,
  ingestion,
  search,
  live: liveEvents,
  startup,
  dao,
  agents,
  orchestration,
  replies,
  command,
  cop,
  discovery,
  keys,
  messages,
  soak,
  overload,
  strangers,
  verification,
  texts,
  judgement,
  telemetry,
  "edge-sync": edgeSync,
};
const wanted = process.argv.slice(2).filter((name) => name !== "--quick");
const unknown = wanted.filter((name) => !(name in SECTIONS));
if (unknown.length) {
  console.error(`unknown: ${unknown.join(", ")}; there are ${Object.keys(SECTIONS).join(", ")}`);
  process.exit(2);
}
const head = [
  "# Measured",
  "",
  `Node ${process.version} on ${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${new Date().toISOString().slice(0, 10)}.`,
  "The headline is CPU microseconds an operation, which repeats where wall time does not; contenders run side by side in one run, in turns.",
  "",
].join("\n");
const parts = [head];
for (const [name, measure] of Object.entries(SECTIONS)) {
  if (wanted.length && !wanted.includes(name)) continue;
  const part = await measure();
  console.log(part);
  parts.push(part);
}
if (!wanted.length && !isQuick) await writeFile(join(import.meta.dirname, "results.md"), parts.join("\n"));
process.exit(0);
