import { existsSync, readFileSync } from "node:fs";

/**
 * Nanoseconds that the main thread of a process ran, and that it was ready to run while others had the processor
 * (Linux; zeros elsewhere).
 */
function used(pid: number): [ran: number, waited: number] {
  const file = `/proc/${pid}/schedstat`;
  const [ran, waited] = existsSync(file) ? readFileSync(file, "utf8").split(" ").map(Number) : [0, 0];
  return [ran!, waited!];
}

/**
 * Runs something and answers by how much the process would have done more, had it had a processor whenever it wanted
 * one: what others do on the machine in one half of a comparison must not pass for a difference.
 */
export async function correctedFor<T>(pid: number, run: () => Promise<T>): Promise<[T, number]> {
  const [ran, waited] = used(pid);
  const result = await run();
  const [ranThen, waitedThen] = used(pid);
  const running = ranThen - ran;
  return [result, running ? (running + waitedThen - waited) / running : 1];
}
