import { readFileSync } from "node:fs";
import { sha256 } from "../../core/ids.ts";

export type LabelledHalf = "tune" | "held";

/**
 * Which half a labelled item is in follows from its text: rules are chosen by misses of `tune` alone, and of `held` only
 * the figures are looked at.
 */
export const halfOf = (text: string): LabelledHalf =>
  Number.parseInt(sha256(text).slice(0, 2), 16) % 2 === 0 ? "tune" : "held";

/** The rows of a table whose first line names its columns. */
export function rowsIn(file: URL): Record<string, string>[] {
  const [head, ...lines] = readFileSync(file, "utf8").trim().split("\n");
  const columns = head!.split("\t");
  return lines.map((line) => {
    const cells = line.split("\t");
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ""]));
  });
}
