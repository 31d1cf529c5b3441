import { parentPort, workerData } from "node:worker_threads";
import { atOnce } from "../../../../core/work/turns.ts";
import { centralitiesOf } from "./centrality.ts";
import { comparedOf } from "./ranking.ts";
import type { CentralityTask } from "./thread.ts";

/** Loaded outside of a thread, by a test or a tool, it does nothing. */
if (parentPort && (workerData as Partial<CentralityTask> | null)?.network) {
  const { ids, network, weighted } = workerData as CentralityTask;
  const found = atOnce(centralitiesOf(network, weighted));
  parentPort.postMessage(atOnce(comparedOf(ids, found, { edges: network.edges, weighted })), []);
}
