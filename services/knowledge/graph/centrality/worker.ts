import { parentPort, workerData } from "node:worker_threads";
import { atOnce } from "../../../../core/work/turns.ts";
import { centralitiesOf } from "./centrality.ts";
import type { Task } from "./thread.ts";

/** Elsewhere than in a thread there is nothing to be done. */
if (parentPort && (workerData as Partial<Task> | null)?.network) {
  const { network, weighted } = workerData as Task;
  const found = atOnce(centralitiesOf(network, weighted));
  const arrays = Object.values(found.measures).flatMap(({ values, low, high }) => [values, low, high]);
  parentPort.postMessage(
    found,
    arrays.flatMap((array) => (array ? [array.buffer as ArrayBuffer] : [])),
  );
}
