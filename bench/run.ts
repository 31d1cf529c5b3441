import { writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { barriers } from "./barriers.ts";
import { calls } from "./calls.ts";
import { command } from "./command.ts";
import { cop } from "./cop.ts";
import { discovery } from "./discovery.ts";
import { agents } from "./agents.ts";
import { dao } from "./dao.ts";
import { gateway } from "./gateway.ts";
import { graph } from "./graph.ts";
import { ingestion } from "./ingestion.ts";
import { judgement } from "./judgement/news/score.ts";
import { keys } from "./keys.ts";
import { liveEvents } from "./live.ts";
import { isQuick } from "./measure.ts";
import { messages } from "./messages.ts";
import { nodes } from "./nodes.ts";
import { orchestration } from "./orchestration.ts";
import { remote } from "./remote.ts";
import { replies } from "./replies.ts";
import { search } from "./search.ts";
import { soak } from "./soak.ts";
import { startup } from "./startup.ts";
import { store } from "./store.ts";
import { strangers } from "./strangers.ts";
import { texts } from "./texts.ts";
import { telemetry } from "./telemetry.ts";
import { verification } from "./verification.ts";
import { writes } from "./writes.ts";

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
  strangers,
  verification,
  texts,
  judgement,
  telemetry,
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
