import { writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { barriers } from "./sections/platform/barriers.ts";
import { briefings } from "./sections/news/briefings.ts";
import { calls } from "./sections/mesh/calls.ts";
import { command } from "./sections/staff/command.ts";
import { cop } from "./sections/picture/cop.ts";
import { discovery } from "./sections/picture/discovery.ts";
import { agents } from "./sections/staff/agents.ts";
import { edgeSync } from "./sections/picture/edge-sync.ts";
import { dao } from "./sections/staff/dao.ts";
import { gateway } from "./sections/mesh/gateway.ts";
import { graph } from "./sections/staff/graph.ts";
import { ingestion } from "./sections/news/ingestion.ts";
import { judgement } from "./judgement/news/score.ts";
import { keys } from "./sections/platform/keys.ts";
import { liveEvents } from "./sections/mesh/live.ts";
import { isQuick } from "./measure.ts";
import { memberships } from "./sections/mesh/memberships.ts";
import { messages } from "./sections/picture/messages.ts";
import { nodes } from "./sections/mesh/nodes.ts";
import { orchestration } from "./sections/staff/orchestration.ts";
import { overload } from "./sections/mesh/overload.ts";
import { records } from "./sections/platform/records.ts";
import { remote } from "./sections/mesh/remote.ts";
import { replies } from "./sections/mesh/replies.ts";
import { search } from "./sections/news/search.ts";
import { soak } from "./sections/platform/soak.ts";
import { startup } from "./sections/platform/startup.ts";
import { store } from "./sections/platform/store.ts";
import { strangers } from "./sections/mesh/strangers.ts";
import { texts } from "./sections/news/texts.ts";
import { telemetry } from "./sections/picture/telemetry.ts";
import { verification } from "./sections/news/verification.ts";
import { writes } from "./sections/platform/writes.ts";

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
  memberships,
  store,
  writes,
  records,
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
  briefings,
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
