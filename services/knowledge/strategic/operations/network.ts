/** The scheduling fields of a task. */
export interface TimedTask {
  key: string;
  days: number;
  dependsOn: readonly string[];
}

export interface Timing {
  /** Days from the beginning. */
  earliestStart: number;
  earliestFinish: number;
  latestStart: number;
  latestFinish: number;
  /** Days that it may slip without delaying the whole. */
  slack: number;
  critical: boolean;
}

export interface TaskSchedule {
  /** Duration of the whole in days. */
  days: number;
  /** One longest chain, from its first task to its last. */
  criticalPath: string[];
  tasks: Map<string, Timing>;
}

/** Sums of fractions of days differ in their last bits. */
const SAME = 1e-9;

/** Tasks in an order in which each comes after its dependencies; those on cycles and after them are omitted. */
function ordered<T extends TimedTask>(tasks: readonly T[]): T[] {
  const followers = Map.groupBy(
    tasks.flatMap((task) => [...new Set(task.dependsOn)].map((before) => ({ before, task }))),
    ({ before }) => before,
  );
  const waiting = new Map(tasks.map(({ key, dependsOn }) => [key, new Set(dependsOn).size]));
  const order = tasks.filter(({ dependsOn }) => !dependsOn.length);
  for (let at = 0; at < order.length; at++)
    for (const { task } of followers.get(order[at]!.key) ?? []) {
      const left = waiting.get(task.key)! - 1;
      waiting.set(task.key, left);
      if (left === 0) order.push(task);
    }
  return order;
}

/** One cycle of dependencies: each task depends on the next, the last on the first; null without one. */
export function cycleIn(tasks: readonly TimedTask[]): string[] | null {
  const placed = new Set(ordered(tasks).map(({ key }) => key));
  const left = new Map(tasks.filter(({ key }) => !placed.has(key)).map((task) => [task.key, task]));
  const [first] = left.keys();
  if (first === undefined) return null;
  // Every remaining task depends on another remaining one, so following dependencies leads into a cycle.
  const path: string[] = [];
  const seen = new Map<string, number>();
  for (let key = first; ; key = left.get(key)!.dependsOn.find((before) => left.has(before))!) {
    const before = seen.get(key);
    if (before !== undefined) return path.slice(before);
    seen.set(key, path.length);
    path.push(key);
  }
}

/** The critical path method over tasks without a cycle, with all dependencies among them. */
export function schedule(tasks: readonly TimedTask[]): TaskSchedule {
  const order = ordered(tasks);
  const finish = new Map<string, number>();
  const start = new Map<string, number>();
  for (const { key, days, dependsOn } of order) {
    const begins = Math.max(0, ...dependsOn.map((before) => finish.get(before)!));
    start.set(key, begins);
    finish.set(key, begins + days);
  }
  const days = Math.max(0, ...finish.values());
  const latest = new Map(order.map(({ key }) => [key, days]));
  for (const { key, days: own, dependsOn } of order.toReversed())
    for (const before of dependsOn) latest.set(before, Math.min(latest.get(before)!, latest.get(key)! - own));
  const timings = new Map(
    order.map(({ key, days: own }): [string, Timing] => {
      const slack = latest.get(key)! - finish.get(key)!;
      const isCritical = slack <= SAME;
      return [
        key,
        {
          earliestStart: start.get(key)!,
          earliestFinish: finish.get(key)!,
          latestStart: latest.get(key)! - own,
          latestFinish: latest.get(key)!,
          slack: isCritical ? 0 : slack,
          critical: isCritical,
        },
      ];
    }),
  );
  return { days, criticalPath: longestChain(order, timings, days), tasks: timings };
}

function longestChain(order: readonly TimedTask[], timings: ReadonlyMap<string, Timing>, days: number): string[] {
  const byKey = new Map(order.map((task) => [task.key, task]));
  const endsAt = (key: string, end: number): boolean => Math.abs(timings.get(key)!.earliestFinish - end) <= SAME;
  // A longer chain may end after a task without duration: the last in order that ends with the whole.
  let at = order.findLast(({ key }) => endsAt(key, days))?.key;
  const chain: string[] = [];
  while (at !== undefined) {
    chain.unshift(at);
    const begins = timings.get(at)!.earliestStart;
    at = byKey.get(at)!.dependsOn.find((before) => endsAt(before, begins));
  }
  return chain;
}
