/**
 * Rejects with Error(`message`) what takes longer than `ms` milliseconds; an answer that has come while this process
 * itself stood still is read first.
 */
export function inTime<T>(answer: Promise<T>, ms: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => setImmediate(reject, new Error(message))), ms);
  });
  answer.catch(() => {}); // may end after nobody waits for it
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
