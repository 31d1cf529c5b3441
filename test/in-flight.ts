/**
 * How many requests a claim over all operations keeps under way: enough that commits are grouped and no wait stands
 * alone.
 */
const UNDER_WAY = 12;

/** Does something with each item, several at a time, and answers what came of each in the items' order. */
export async function inFlight<T, R>(
  items: Iterable<T>,
  deed: (item: T) => Promise<R>,
  underWay = UNDER_WAY,
): Promise<R[]> {
  const waiting = [...items].entries();
  const results: R[] = [];
  const next = async (): Promise<void> => {
    for (const [at, item] of waiting) results[at] = await deed(item);
  };
  await Promise.all(Array.from({ length: underWay }, next));
  return results;
}
