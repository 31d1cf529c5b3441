import { parentPort, workerData } from "node:worker_threads";
import { atOnce } from "../../../../core/work/turns.ts";
import { centralitiesOf } from "./centrality.ts";
import { comparedOf } from "./ranking.ts";
import type { CentralityTask } from "./thread.ts";

/** Elsewhere than in a thread there is nothing to be done. */
if (parentPort && (workerData as Partial<CentralityTask> | null)?.network) {
  const { ids, network, weighted } = workerData as CentralityTask;
  const found = atOnce(centralitiesOf(network, weighted));
  parentPort.postMessage(atOnce(comparedOf(ids, found, { edges: network.edges, weighted })), []);
}
