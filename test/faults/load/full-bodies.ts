import type { Asked } from "./watched-node.ts";

const MANY = 40_000;
const MIB = 1_048_576;

const fields = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, n]));
/** A body filled with the same small part up to so many bytes. */
const filled = (head: string, part: string, tail: string, bytes: number): string =>
  head +
  Array.from({ length: Math.floor((bytes - head.length - tail.length + 1) / (part.length + 1)) }, () => part).join(
    ",",
  ) +
  tail;

/** Bodies that are small enough, and hold more than anybody has a use for. */
export function fullBodies(token: string, problemSetId: string): Asked[] {
  const body = (route: string, path: string, text: string): Asked => ({ route, method: "POST", path, text, token });
  const list = "/api/sources/lists",
    bulk = "/api/sources/bulk",
    message = `{"problemSetId":"${problemSetId}","channel":"full","type":"rows.row.made","payload":`;
  return [
    body("40,000 fields that nobody declared", list, JSON.stringify(fields(MANY))),
    body("the same, one of them escaped", list, JSON.stringify(fields(MANY)).replace("field7", "\\u0066ield7")),
    body(
      "40,000 objects for ids",
      list,
      `{"name":"x","sourceIds":${JSON.stringify(Array.from({ length: MANY }, (_, n) => ({ n })))}}`,
    ),
    body("empty objects for ids", list, filled(`{"name":"x","sourceIds":[`, "{}", "]}", MIB)),
    body("empty texts for ids", list, filled(`{"name":"x","sourceIds":[`, `""`, "]}", MIB)),
    body("40,000 fields of free form", "/api/messages", `${message}${JSON.stringify(fields(MANY))}}`),
    body("empty objects of free form", "/api/messages", filled(`${message}{"a":[`, "{}", "]}}", MIB)),
    body("a credential of 40,000 fields", "/api/credentials/hash", `{"credential":${JSON.stringify(fields(MANY))}}`),
    body("events of 100 fields", "/api/cop/reports", filled(`{"events":[`, JSON.stringify(fields(100)), "]}", MIB)),
    body("empty objects, ten megabytes of them", bulk, filled(`{"sources":[`, "{}", "]}", 10 * MIB)),
    body("the same, one of them escaped", bulk, filled(`{"sources":["\\u0061",`, "{}", "]}", 10 * MIB)),
    body("the same, not ended", bulk, filled(`{"sources":[`, "{}", ",", 10 * MIB)),
    body("ten megabytes of deep lists", bulk, filled(`{"sources":[`, "[[[[]]]]", "]}", 10 * MIB)),
    body("a hundred thousand fields in a source", bulk, `{"sources":[${JSON.stringify(fields(100_000))}]}`),
    body("ten megabytes of readings", "/api/resources/telemetry", filled("[", `{"key":"a"}`, "]", 10 * MIB)),
    body("a batch of messages", "/mcp", filled(`[`, `{"jsonrpc":"2.0"}`, "]", MIB)),
  ];
}
