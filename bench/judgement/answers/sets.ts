import { readFileSync } from "node:fs";

/** The sets of this folder, each written by somebody who had seen no rule. */
export const SETS = ["stranger", "second", "third", "fourth"] as const;
export type SetName = (typeof SETS)[number];

export interface Labelled {
  records: readonly { id: string; text: string }[];
  questions: readonly Asked[];
}
export interface Asked {
  question: string;
  /** Words of each sentence that answers; none where the records have no answer. */
  phrases: readonly string[];
  /** The records of those sentences. */
  ids: readonly string[];
  kind: string;
}

/** The records and questions of a set. */
export function setOf(name: SetName): Labelled {
  const lines = readFileSync(new URL(`${name}.tsv`, import.meta.url), "utf8").split("\n");
  const cells = lines.map((line) => line.split("\t"));
  const split = (cell: string | undefined, by: string): string[] =>
    (cell ?? "")
      .split(by)
      .map((part) => part.trim())
      .filter(Boolean);
  return {
    records: cells.filter(([mark]) => mark === "R").map(([, id, text]) => ({ id: id!, text: text!.trim() })),
    questions: cells
      .filter(([mark]) => mark === "Q")
      .map(([, question, answer, ids, kind]) => ({
        question: question!.trim(),
        phrases: split(answer, "|"),
        ids: split(ids, ","),
        kind: kind!.trim(),
      })),
  };
}
