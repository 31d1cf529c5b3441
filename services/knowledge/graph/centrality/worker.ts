import { parentPort, workerData } from "node:worker_threads";
import { atOnce } from "../../../../core/work/turns.ts";
import { centralitiesOf } from "./centrality.ts";
import type { Task } from "./thread.ts";

if (!parentPort) throw new Error("This module runs in a worker thread only.");
const { network, weighted } = workerData as Task;
const found = atOnce(centralitiesOf(network, weighted));
const arrays = Object.values(found.measures).flatMap(({ values, low, high }) => [values, low, high]);
parentPort.postMessage(
  found,
  arrays.flatMap((array) => (array ? [array.buffer as ArrayBuffer] : [])),
);
