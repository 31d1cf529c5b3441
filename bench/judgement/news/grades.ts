import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The grades that readers gave who knew nothing of the product: a line each, the grade before its text. */
export const gradesIn = (file: string): Map<string, number> =>
  new Map(
    readFileSync(join(import.meta.dirname, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => [line.slice(2), Number(line[0])]),
  );
