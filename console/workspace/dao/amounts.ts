import type { Rules, VoteKind } from "./dao-types.ts";

/** Part of a whole from 0 to 1, for amounts of any size. */
export const shareOf = (part: string, whole: string): number =>
  BigInt(whole) === 0n ? 0 : Number((BigInt(part) * 1_000_000n) / BigInt(whole)) / 1_000_000;

/** 2_500 basis points as "25 %". */
export const percentWords = (basisPoints: number): string => `${basisPoints / 100} %`;
/** What a field in percent says, in basis points. */
export const basisPointsOf = (percent: string): number => Math.round(Number(percent) * 100);

/** A whole number of any size with its thousands apart. */
export const amountWords = (amount: string): string => BigInt(amount).toLocaleString("en");

/** Power in the units that it rests on. */
export function powerWords(amount: string, basis: Rules["basis"]): string {
  const unit = basis === "token" ? "token" : basis === "role" ? "weight" : "vote";
  return `${amountWords(amount)} ${unit}${amount === "1" ? "" : "s"}`;
}

/** What an option got: power, or in a quadratic vote millionths of a vote. */
export const scoreWords = (kind: VoteKind, score: string): string =>
  kind === "quadratic"
    ? (Number(score) / 1_000_000).toLocaleString("en", { maximumFractionDigits: 2 })
    : amountWords(score);

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** 5_400 seconds as "1 hour 30 minutes". */
export function durationWords(seconds: number): string {
  let left = seconds;
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count ? [`${count} ${unit}${count === 1 ? "" : "s"}`] : [];
  });
  return parts.length ? parts.join(" ") : "none";
}

export type DurationUnit = "days" | "hours" | "minutes" | "seconds";
export const DURATION_UNITS: readonly DurationUnit[] = ["days", "hours", "minutes", "seconds"];
const lengthOf = (unit: string): number => UNITS.find(([name]) => `${name}s` === unit)?.[1] ?? 1;

/** Seconds as a field and its unit show them: in the largest unit that needs no fraction. */
export function durationParts(seconds: number): { amount: number; unit: DurationUnit } {
  const [unit, length] = UNITS.find((one) => seconds > 0 && seconds % one[1] === 0) ?? UNITS[0];
  return { amount: seconds / length, unit: `${unit}s` };
}

/** Seconds of what a field and its unit say. */
export const secondsOf = (amount: string, unit: string | undefined): number =>
  Math.round(Number(amount) * lengthOf(unit ?? "seconds"));
