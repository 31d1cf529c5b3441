import type { DatabaseSync } from "node:sqlite";
import { matcherOf } from "../../recheck.ts";

const KEPT = 500;
const patterns = new Map<string, RegExp>();

/**
 * Gives a connection the two functions that compiled queries call: `regexp(flags/source, text)` (the `regexp` operator)
 * and `matches(document, query)`, both arguments JSON.
 */
export function defineFunctions(database: DatabaseSync): void {
  const options = { deterministic: true, directOnly: true } as const;
  database.function("regexp", options, (pattern, text) =>
    typeof text === "string" && regExp(pattern as string).test(text) ? 1 : 0,
  );
  database.function("matches", options, (document, query) =>
    matcherOf(query as string)(JSON.parse(document as string) as object) ? 1 : 0,
  );
}

function regExp(pattern: string): RegExp {
  let compiled = patterns.get(pattern);
  if (!compiled) {
    if (patterns.size >= KEPT) patterns.clear();
    const slash = pattern.indexOf("/");
    compiled = new RegExp(pattern.slice(slash + 1), pattern.slice(0, slash));
    patterns.set(pattern, compiled);
  }
  return compiled;
}
