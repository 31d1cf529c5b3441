import { globSync } from "node:fs";
import { join } from "node:path";
import type { TestWorld } from "./mesh.ts";
import type { Person } from "./workspace/people.ts";

/**
 * For every POST a request that succeeds: tests of what holds for all of them (idempotency, mass assignment) take
 * theirs from here, and a new POST without a row fails. `effect` counts what the request brings into being.
 */
export interface ValidRequest {
  path: string;
  body?: unknown;
  raw?: string;
  type?: string;
  as?: string | null;
  /** How many of what it makes there are now. */
  effect?(at: TestWorld): Promise<number>;
}

/** Where records are planted: a problem set and its parent, compartments, and whose hand it is. */
export interface Place {
  problemSetId: string;
  parentId: string;
  compartments: string[];
  by: Person;
  text: string;
}
/** Path templates with their last parameter's value: `{"/api/missions/:id": "0192…"}`; a longer path begins with it. */
export type Planted = Record<string, string>;

/**
 * What a file `test/<area>/<domain>.requests.ts` exports: rows for the POSTs of that domain, reasons for those without,
 * and a hand that plants one record of each noun, with `text` in every field that takes text, for the tests of access
 * and of barriers.
 */
export interface Rows {
  requests: Record<string, (at: TestWorld) => Promise<ValidRequest>>;
  notRepeated?: Record<string, string>;
  plant?(at: TestWorld, place: Place): Promise<Planted>;
}

const files = globSync("*/*.requests.ts", { cwd: import.meta.dirname }).sort();
const domains: Rows[] = await Promise.all(files.map((file) => import(join(import.meta.dirname, file))));

/** Plants one record of each noun of each domain. Answers their ids by path template. */
export async function plant(at: TestWorld, place: Place): Promise<Planted> {
  const planted: Planted = {};
  for (const rows of domains) Object.assign(planted, await rows.plant?.(at, place));
  return planted;
}

/** The rows of all domains together; a POST has one, in one place. */
function gathered<Row>(rowsOf: (domain: Rows) => Record<string, Row>): Record<string, Row> {
  const all = domains.flatMap((domain) => Object.entries(rowsOf(domain)));
  const twice = all.find(([route], at) => all.findIndex(([other]) => other === route) !== at);
  if (twice) throw new TypeError(`${twice[0]} has two rows.`);
  return Object.fromEntries(all);
}

export const requests = gathered((domain) => domain.requests);
/** POSTs that cannot be made to succeed twice here, and why. */
export const NOT_REPEATED = gathered((domain) => domain.notRepeated ?? {});
