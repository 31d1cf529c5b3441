import { createRequire } from "node:module";
import type * as MingoCore from "mingo/core";
import type * as MingoOperators from "mingo/operators/query";
import type * as MingoQuery from "mingo/query";
import type { Query } from "../../core/records/documents.ts";

type Test = (candidate: object) => boolean;
const KEPT = 500;
const load = createRequire(import.meta.url);
let compile: ((query: Query) => Test) | undefined;
const compiled = new Map<string, Test>();

/**
 * A test of plain objects against a checked query, by mingo's interpreter. It answers what SQL cannot: equality with
 * whole objects and arrays, and numbers inside paths. Loaded on first use (40 ms, with the query operators alone), and
 * synchronously, because it is called from within SQL.
 */
export function matcher(query: Query): Test {
  compile ??= engine();
  return compile(query);
}

/** As `matcher`, for a query as JSON; the last 500 are kept compiled. */
export function matcherOf(json: string): Test {
  let test = compiled.get(json);
  if (!test) {
    if (compiled.size >= KEPT) compiled.clear();
    test = matcher(JSON.parse(json) as Query);
    compiled.set(json, test);
  }
  return test;
}

function engine(): (query: Query) => Test {
  const { Query: Interpreter } = load("mingo/query") as typeof MingoQuery;
  const { Context } = load("mingo/core") as typeof MingoCore;
  const query = load("mingo/operators/query") as typeof MingoOperators;
  const context = Context.init({ query: query as never });
  return (condition) => {
    const interpreter = new Interpreter(condition, { context });
    return (candidate) => interpreter.test(candidate as never);
  };
}
