import { lazily, lexiconFile } from "../../../core/text/lexicon.ts";

/**
 * In which words people who do not know ours ask for an operation, by `METHOD /path` (`data/lexicons/asked.tsv`). An
 * operation that is not in it is found by its summary and path alone.
 */
export const wordings = lazily(
  (): ReadonlyMap<string, readonly string[]> =>
    new Map(
      new TextDecoder()
        .decode(lexiconFile("asked.tsv"))
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t"))
        .map(([operation, ...phrases]) => [operation!, phrases] as const),
    ),
);
