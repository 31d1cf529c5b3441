import { onBehalfOf } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { DuplicateKey, type Query } from "../../../../core/records/documents.ts";
import { overtaken } from "../../../../core/problem.ts";
import type { z } from "zod";
import { changing, MESH } from "./marks.ts";
import { Statement } from "./statements.ts";

/** A statement that is to be kept; its id is derived from what it says and where. */
export type NewStatement = Omit<
  z.input<typeof Statement.record>,
  "rev" | "createdAt" | "updatedAt" | "createdBy" | "createdByName"
>;

const SLICE = 200;

async function missingAmong(host: Host, slice: readonly NewStatement[]): Promise<NewStatement[]> {
  const ids = slice.map(({ id }) => id);
  const there = new Set((await host.store(Statement).many(MESH, ids)).map(({ id }) => id));
  return slice.filter(({ id }) => !there.has(id));
}

async function keepSlice(host: Host, by: string, slice: readonly NewStatement[]): Promise<number> {
  return retryOnConflict(async () => {
    const missing = await missingAmong(host, slice);
    if (missing.length)
      await host
        .store(Statement)
        .createMany(onBehalfOf("graph", by), missing)
        .catch((error: unknown) => {
          throw error instanceof DuplicateKey ? overtaken(Statement.title, { id: missing[0]!.id, rev: 0 }) : error;
        });
    return missing.length;
  });
}

/** Keeps statements that are not there yet, in somebody's name; answers how many are new. */
export async function keep(host: Host, by: string, statements: readonly NewStatement[]): Promise<number> {
  const once = [...new Map(statements.map((one) => [one.id, one])).values()];
  let made = 0;
  for (const [problemSetId, own] of Map.groupBy(once, (one) => one.problemSetId))
    for (let from = 0; from < own.length; from += SLICE) {
      const missing = await missingAmong(host, own.slice(from, from + SLICE));
      const about = [...new Set(missing.map(({ source }) => source))];
      if (missing.length) made += await changing(host, problemSetId, about, () => keepSlice(host, by, missing));
    }
  return made;
}

/** Takes statements of one source back, and nothing else. */
export const takeBack = (
  host: Host,
  { problemSetId, source, ...narrower }: { problemSetId: string; source: string } & Query,
): Promise<number> =>
  changing(host, problemSetId, [source], () => host.store(Statement).removeAll(MESH, { source, ...narrower }));
