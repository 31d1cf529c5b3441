import type { Data } from "../../../api/client.ts";

export type Band = Data<"GET /discovery/em/snapshot">["bands"][number];
export type OwnFootprint = Data<"GET /discovery/em/own-footprint">;
export type OwnEmitter = OwnFootprint["emitters"][number];

const UNITS: readonly (readonly [size: number, unit: string])[] = [
  [1e9, "GHz"],
  [1e6, "MHz"],
  [1e3, "kHz"],
  [1, "Hz"],
];
/** "46.5 MHz" */
export function inHertz(hertz: number): string {
  const [size, unit] = UNITS.find(([one]) => hertz >= one) ?? [1, "Hz"];
  return `${(hertz / size).toLocaleString("en", { maximumFractionDigits: 3 })} ${unit}`;
}
/** "−3.0 dBm" */
export const inDbm = (dbm: number | null): string =>
  dbm === null ? "–" : `${dbm.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })} dBm`;

/** How the power of a band changed in words, against the five minutes before. */
export function trendWords({ trend, changeDb }: Pick<Band, "trend" | "changeDb">): string {
  const by = changeDb === null ? "" : ` by ${Math.abs(changeDb).toFixed(1)} dB`;
  return {
    rising: `louder${by}`,
    falling: `quieter${by}`,
    steady: "as before",
    new: "heard anew",
    gone: "silent now",
    silent: "silent",
  }[trend];
}

export const liesInBand = ({ lowHz, highHz }: Band, { frequencyHz }: OwnEmitter): boolean =>
  frequencyHz >= lowHz && frequencyHz < highHz;
