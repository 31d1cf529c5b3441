import { z } from "zod";
import type { Caller, Ctx } from "../../../core/access/caller.ts";
import { parse } from "../../../core/contract/endpoint.ts";
import { CSV, readTable, type Medium } from "../../../core/contract/input/media.ts";
import { nextId } from "../../../core/contract/repeatable.ts";
import { isAway, isProblem, Problem } from "../../../core/problem.ts";

/** Rows of one import, and how many are written side by side. */
export const MOST_ROWS = 10_000;
const TOGETHER = 100;

export const Rows = z
  .array(z.record(z.string(), z.unknown()))
  .min(1)
  .max(MOST_ROWS)
  .describe("A row is taken whole or refused, whatever becomes of the others.");

const Row = z.object({ index: z.int().describe("Counts from 0."), id: z.string().optional() });
export const Imported = z
  .object({
    dryRun: z.boolean().describe("Nothing was written: this is what would have been."),
    created: z.array(Row),
    updated: z.array(Row).describe("Those that were there under their `externalId`."),
    failed: z.array(z.object({ index: z.int(), code: z.string(), message: z.string(), path: z.string().optional() })),
  })
  .meta({ id: "ImportOutcome" });
export type Imported = z.output<typeof Imported>;

type Cell = (text: string) => unknown;
const asNumber: Cell = (text) => (/^[-+]?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : text);
const parted =
  (between: RegExp): Cell =>
  (text) =>
    text
      .split(between)
      .map((one) => one.trim())
      .filter(Boolean);
/** Values of several words, as "first aid"; and such as never have white space. */
const asPhrases = parted(/[|;,]+/);
const asList = parted(/[|;,\s]+/);

/** Columns of a table that are no text, and those that together make one field. */
interface Columns {
  lists?: readonly string[];
  phrases?: readonly string[];
  numbers?: readonly string[];
}
const PLACE = ["latitude", "longitude", "altitude", "accuracy"];

function rowOf(cells: Record<string, string>, columns: Columns): Record<string, unknown> {
  const { lists = [], phrases = [], numbers = [] } = columns;
  const read = (name: string): Cell =>
    lists.includes(name)
      ? asList
      : phrases.includes(name)
        ? asPhrases
        : numbers.includes(name)
          ? asNumber
          : (cell) => cell;
  const row: [string, unknown][] = [];
  const location: [string, unknown][] = [];
  for (const [name, cell] of Object.entries(cells)) {
    if (PLACE.includes(name)) location.push([name, asNumber(cell)]);
    else row.push([name, read(name)(cell)]);
  }
  return Object.fromEntries(location.length ? [...row, ["location", Object.fromEntries(location)]] : row);
}

/** The same rows as a table, its first line the names of the fields. */
export const table = (columns: Columns): Readonly<Record<string, Medium>> => ({
  [CSV]: {
    description:
      "A table as RFC 4180 has it, in UTF-8, with commas, semicolons or tabs; its first line names the fields. " +
      "Several values of one cell have bars, commas or semicolons between; a place is in `latitude` and `longitude`.",
    read: async (text) => ({ rows: (await readTable(text)).map((cells) => rowOf(cells, columns)) }),
  },
});

/** How rows of one noun are taken in: each checked as it would be written, and written unless it is a dry run. */
interface Import<New, Change, R extends { id: string }> {
  dryRun: boolean;
  noun: string;
  /** What a row of something new has, and one that changes what is there. */
  fresh: z.ZodType<New>;
  change: z.ZodType<Change>;
  /** What is there under this name in another system; null where nothing is. */
  before(externalId: string): Promise<R | null>;
  create(given: New, id: string): Promise<unknown>;
  update(before: R, change: Change): Promise<unknown>;
}

function failureOf(index: number, error: unknown): Imported["failed"][number] {
  if (!isProblem(error) || isAway(error)) throw error;
  const detail = (error.data?.details as { path?: string; message?: string }[] | undefined)?.[0];
  const isNamed = typeof detail?.path === "string";
  return {
    index,
    code: error.type,
    message: isNamed && detail.message ? detail.message : error.message,
    ...(isNamed && { path: detail.path }),
  };
}

/**
 * Takes rows in, each by itself and all by the same code as a dry run. Ids are given out in their order, so that a
 * repetition under one idempotency key makes nothing twice.
 */
export async function importRows<New, Change, R extends { id: string }>(
  ctx: Ctx<unknown> & Caller,
  rows: readonly Record<string, unknown>[],
  how: Import<New, Change, R>,
): Promise<Imported> {
  const outcome: Imported = { dryRun: how.dryRun, created: [], updated: [], failed: [] };
  const firsts = new Map<unknown, number>();
  for (const [index, { externalId }] of rows.entries()) if (!firsts.has(externalId)) firsts.set(externalId, index);
  const ids = rows.map(() => nextId(ctx, how.noun));
  const said = (index: number, id: string) => ({ index, ...(!how.dryRun && { id }) });
  const one = async (row: Record<string, unknown>, index: number): Promise<void> => {
    const { externalId } = row;
    const first = firsts.get(externalId)!;
    if (externalId !== undefined && first < index) throw twice(first);
    const before = typeof externalId === "string" ? await how.before(externalId) : null;
    if (before) {
      await how.update(before, parse(how.change, row));
      outcome.updated.push(said(index, before.id));
    } else {
      await how.create(parse(how.fresh, row), ids[index]!);
      outcome.created.push(said(index, ids[index]!));
    }
  };
  for (let from = 0; from < rows.length; from += TOGETHER)
    await Promise.all(
      rows
        .slice(from, from + TOGETHER)
        .map((row, at) =>
          one(row, from + at).catch((error: unknown) => void outcome.failed.push(failureOf(from + at, error))),
        ),
    );
  for (const list of [outcome.created, outcome.updated, outcome.failed]) list.sort((a, b) => a.index - b.index);
  return outcome;
}

const twice = (first: number): Problem =>
  new Problem(422, "DUPLICATE_ROW", `Row ${first} has the same externalId.`, {
    details: [{ path: "externalId", message: `Row ${first} has the same externalId.` }],
  });
