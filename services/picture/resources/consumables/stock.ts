const DAY_MS = 86_400_000;
/** How fast what was used is forgotten. */
const MEMORY_DAYS = 7;
/** What was used within less tells of no day: a count that is put right at once would look like the end of the stock. */
const LEAST_DAYS = 1 / 24;
/** How far above the level that made it short a stock must be to count as sufficient again. */
const CLEARED = 1.1;

/** How fast something is used up, as far as its decreases tell. */
export interface UsageRate {
  /** Decreases, each worth less the longer ago it was: what was used up, by days of memory. */
  used: number;
  /** Days that were observed. */
  days: number;
}

export type ReorderReason = "minimum" | "forecast";

/** Days that decreases weigh in, of so many observed. */
const weightOf = (days: number): number => MEMORY_DAYS * (1 - Math.exp(-days / MEMORY_DAYS));

/**
 * What is known of the use after a change of level, so many milliseconds after the one before; less than none where it
 * is told late: it weighs as what is so old, of a time that is observed then. What came in says nothing of what was used
 * meanwhile: that time is left out.
 */
export function usedUp({ used, days }: UsageRate, decrease: number, elapsedMs: number): UsageRate {
  if (decrease < 0) return { used, days };
  const passed = elapsedMs / DAY_MS;
  if (passed < 0) return { used: used + decrease * Math.exp(passed / MEMORY_DAYS), days: Math.max(days, -passed) };
  return { used: used * Math.exp(-passed / MEMORY_DAYS) + decrease, days: days + passed };
}

/** Units a day; 0 where less than an hour was observed. */
export const perDay = ({ used, days }: UsageRate): number => (days < LEAST_DAYS ? 0 : used / weightOf(days));

export interface Stock extends UsageRate {
  level: number;
  minimum: number;
  leadTimeDays?: number | undefined;
}

/** For how many days it lasts; undefined where nothing is used, or so little that it lasts longer than all numbers. */
export function daysLeft({ level, ...use }: Stock): number | undefined {
  const rate = perDay(use);
  const left = level / rate;
  return rate > 0 && Number.isFinite(left) ? left : undefined;
}

/** Why something is short: exactly at its minimum or below, or used up before more can come. */
export function shortage(stock: Stock): ReorderReason | null {
  if (stock.level <= stock.minimum) return "minimum";
  const left = daysLeft(stock);
  return stock.leadTimeDays !== undefined && left !== undefined && left < stock.leadTimeDays ? "forecast" : null;
}

/** Whether something that was short is so no more, by a tenth, so that it is not told of again and again. */
export function isSufficient(stock: Stock): boolean {
  if (stock.level <= stock.minimum * CLEARED) return false;
  const left = daysLeft(stock);
  return stock.leadTimeDays === undefined || left === undefined || left >= stock.leadTimeDays * CLEARED;
}
