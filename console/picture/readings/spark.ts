export interface SeriesReading {
  at: string;
  value: number | boolean | string;
}

export interface Spark {
  /** Lines of an SVG path's `d`, with nothing drawn over gaps. */
  path: string;
  first: number;
  last: number;
  lowest: number;
  highest: number;
  /** Where the value `bound` would lie, from the top; undefined outside of what is drawn. */
  heightOf(bound: number): number | undefined;
}

/** A series as a line in a box of so many units; undefined where it has no numbers. */
export function sparkOf(
  segments: readonly (readonly SeriesReading[])[],
  width: number,
  height: number,
): Spark | undefined {
  const lines = segments
    .map((segment) =>
      segment.flatMap(({ at, value }) => (typeof value === "number" ? [{ at: Date.parse(at), value }] : [])),
    )
    .filter((segment) => segment.length);
  const all = lines.flat();
  if (!all.length) return undefined;
  const [lowest, highest] = [Math.min(...all.map(({ value }) => value)), Math.max(...all.map(({ value }) => value))];
  const [from, to] = [all[0]!.at, all.at(-1)!.at];
  const x = (at: number): number => (to === from ? width / 2 : ((at - from) / (to - from)) * width);
  const y = (value: number): number =>
    highest === lowest ? height / 2 : height - ((value - lowest) / (highest - lowest)) * height;
  const short = (value: number): number => Number(value.toFixed(1));
  const path = lines
    .map((segment) => segment.map(({ at, value }, i) => `${i ? "L" : "M"}${short(x(at))} ${short(y(value))}`).join(""))
    .join("");
  return {
    ...{ path, lowest, highest },
    first: all[0]!.value,
    last: all.at(-1)!.value,
    heightOf: (bound) => (bound < lowest || bound > highest ? undefined : short(y(bound))),
  };
}

/** UCUM units as people write them. */
const UNITS: Record<string, string> = { Cel: "°C", m3: "m³", "m3/h": "m³/h", "[degF]": "°F", deg: "°", "m/s2": "m/s²" };
export const unitInWords = (unit: string | undefined): string => (unit === undefined ? "" : (UNITS[unit] ?? unit));

/** "17 %", "yes". */
export function valueInWords(value: SeriesReading["value"] | undefined, unit?: string): string {
  if (value === undefined) return "none yet";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  const words = unitInWords(unit);
  return `${value.toLocaleString("en", { maximumFractionDigits: 2 })}${words && ` ${words}`}`;
}

interface ThresholdSaid {
  when?: "above" | "below";
  raise?: number;
  clear?: number;
  forSeconds?: number;
  noDataForSeconds?: number;
}
const lengthInWords = (seconds: number): string =>
  seconds % 3_600 === 0 ? `${seconds / 3_600} h` : seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;

/** When a threshold raises an alarm: "below 20 % for 5 min, until above 30 %". */
export function thresholdInWords(
  { when, raise, clear, forSeconds, noDataForSeconds }: ThresholdSaid,
  unit?: string,
): string {
  const parts: string[] = [];
  if (when && raise !== undefined) {
    const lasting = forSeconds ? ` for ${lengthInWords(forSeconds)}` : "";
    const back =
      clear !== undefined && clear !== raise
        ? `, until ${when === "below" ? "above" : "below"} ${valueInWords(clear, unit)}`
        : "";
    parts.push(`${when} ${valueInWords(raise, unit)}${lasting}${back}`);
  }
  if (noDataForSeconds) parts.push(`no reading for ${lengthInWords(noDataForSeconds)}`);
  return parts.join("; or ");
}
