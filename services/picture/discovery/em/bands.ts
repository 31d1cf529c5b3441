import { z } from "zod";

const MHZ = 1e6;
const GHZ = 1e9;

export interface Band {
  band: string;
  lowHz: number;
  highHz: number;
}

/** From `lowHz` up to, and without, `highHz` (IEEE 521, and ITU below 1 GHz). */
export const BANDS: readonly Band[] = [
  { band: "HF", lowHz: 3 * MHZ, highHz: 30 * MHZ },
  { band: "VHF", lowHz: 30 * MHZ, highHz: 300 * MHZ },
  { band: "UHF", lowHz: 300 * MHZ, highHz: GHZ },
  { band: "L", lowHz: GHZ, highHz: 2 * GHZ },
  { band: "S", lowHz: 2 * GHZ, highHz: 4 * GHZ },
  { band: "C", lowHz: 4 * GHZ, highHz: 8 * GHZ },
  { band: "X", lowHz: 8 * GHZ, highHz: 12 * GHZ },
  { band: "Ku", lowHz: 12 * GHZ, highHz: 18 * GHZ },
  { band: "K", lowHz: 18 * GHZ, highHz: 27 * GHZ },
  { band: "Ka", lowHz: 27 * GHZ, highHz: 40 * GHZ },
];

/** Below, the Radio Regulations allocate nothing: a number of megahertz was given as hertz. */
const LEAST_HZ = 8_300;
/** A frequency as people and collectors report it. */
export const FrequencyHz = z
  .number()
  .min(LEAST_HZ, `Must be in hertz: nothing is sent below ${LEAST_HZ}. 435.5 MHz is 435500000.`)
  .max(300e9);

/** One measured emission. */
export interface MeasuredEmission {
  /** Epoch milliseconds. */
  at: number;
  frequencyHz: number;
  bandwidthHz: number;
  powerDbm: number;
}

export const TRENDS = ["rising", "steady", "falling", "new", "gone", "silent"] as const;
export type Trend = (typeof TRENDS)[number];

export interface BandSummary extends Band {
  emissions: number;
  /** Averaged in milliwatts; null where there is none. */
  meanPowerDbm: number | null;
  peakPowerDbm: number | null;
  /** The part of the band that is in use, 0 to 1. */
  occupancy: number;
  trend: Trend;
  /** How much the mean power changed, in dB; null where one of the two times has none. */
  changeDb: number | null;
}

export const WINDOW_MS = 300_000;
/** Changes of less are none. */
const STEADY_DB = 1;

const milliwatts = (dbm: number): number => 10 ** (dbm / 10);
const decibels = (milliwatt: number): number => 10 * Math.log10(milliwatt);

/** The mean of powers as powers: of 0 and −30 dBm it is −3, not −15. */
export function meanDbm(powers: readonly number[]): number | null {
  if (!powers.length) return null;
  return decibels(powers.reduce((sum, dbm) => sum + milliwatts(dbm), 0) / powers.length);
}

/** How much of a band is covered by at least one emission. */
export function occupancyOf({ lowHz, highHz }: Band, emissions: readonly MeasuredEmission[]): number {
  const used = emissions
    .map(({ frequencyHz, bandwidthHz }) => [
      Math.max(lowHz, frequencyHz - bandwidthHz / 2),
      Math.min(highHz, frequencyHz + bandwidthHz / 2),
    ])
    .filter(([from, to]) => to! > from!)
    .sort(([one], [other]) => one! - other!);
  let covered = 0;
  let reached = lowHz;
  for (const [from, to] of used) {
    covered += Math.max(0, to! - Math.max(from!, reached));
    reached = Math.max(reached, to!);
  }
  return covered / (highHz - lowHz);
}

function trendOf(before: number | null, after: number | null): Pick<BandSummary, "trend" | "changeDb"> {
  if (before === null || after === null)
    return { trend: after !== null ? "new" : before !== null ? "gone" : "silent", changeDb: null };
  const changeDb = after - before;
  return { trend: Math.abs(changeDb) < STEADY_DB ? "steady" : changeDb > 0 ? "rising" : "falling", changeDb };
}

/**
 * The bands in the five minutes until `now`, against the five before. An emission counts to the band of its middle;
 * what it occupies counts to each band that it reaches into.
 */
export function summaries(emissions: readonly MeasuredEmission[], now: number): BandSummary[] {
  const since = (from: number, to: number): MeasuredEmission[] => emissions.filter(({ at }) => at > from && at <= to);
  const present = since(now - WINDOW_MS, now);
  const before = since(now - 2 * WINDOW_MS, now - WINDOW_MS);
  return BANDS.map((band) => {
    const powers = (all: readonly MeasuredEmission[]): number[] =>
      all
        .filter(({ frequencyHz }) => frequencyHz >= band.lowHz && frequencyHz < band.highHz)
        .map(({ powerDbm }) => powerDbm);
    const own = powers(present);
    const meanPowerDbm = meanDbm(own);
    return {
      ...band,
      emissions: own.length,
      meanPowerDbm,
      peakPowerDbm: own.length ? own.reduce((one, other) => Math.max(one, other)) : null,
      occupancy: occupancyOf(band, present),
      ...trendOf(meanDbm(powers(before)), meanPowerDbm),
    };
  });
}
