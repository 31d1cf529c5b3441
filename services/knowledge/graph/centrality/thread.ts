import { workerBeside } from "../../../../core/work/thread.ts";
import { Worker } from "node:worker_threads";
import type { Compared } from "./comparison.ts";
import type { Network } from "./network.ts";

export interface CentralityTask {
  ids: readonly string[];
  network: Network;
  weighted: boolean;
}

const WORKER = workerBeside(import.meta.url, "./worker.ts", "./graph-worker.mjs");

/**
 * Measures a network in a thread of its own, so that the main loop goes on. Throws the signal's reason when it fires,
 * and what ended the thread.
 */
export async function inThread(task: CentralityTask, signal?: AbortSignal): Promise<Compared> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Compared>();
  const worker = new Worker(WORKER, { workerData: task, env: {}, execArgv: [] });
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("The thread that measures a graph ended without an answer.")));
  const abandon = (): void => reject(signal!.reason);
  signal?.addEventListener("abort", abandon, { once: true });
  try {
    return await promise;
  } finally {
    signal?.removeEventListener("abort", abandon);
    await worker.terminate();
  }
}
