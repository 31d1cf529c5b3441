import { asSystem, type Caller } from "../../../../core/access/caller.ts";
import { systemActor } from "../../../../core/access/access.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { DuplicateKey, type Query } from "../../../../core/records/documents.ts";
import { entity } from "../../../../core/records/entity.ts";
import { overtaken } from "../../../../core/problem.ts";
import { z } from "zod";
import { Statement } from "./statements.ts";

/** How often the statements of a set changed, under the set's id: whoever keeps a view knows by it that it is old. */
export const GraphMark = entity("graph.marks", {
  title: "mark of a graph",
  fields: { changes: z.int() },
  barrier: { set: "id" },
});

/** The mesh's own hand. */
export const US = asSystem("graph");
/** The mesh's hand in somebody's name, for what they asked for. */
export const inNameOf = (userId: string): Caller => ({
  meta: { actor: { ...systemActor("graph"), userId } },
  locals: {},
});

/** Says that views of a set are old; after what changed is durable. */
export async function mark(host: Host, problemSetId: string): Promise<void> {
  const { collection } = host.store(GraphMark);
  if (await collection.updateById(problemSetId, { $inc: { changes: 1, rev: 1 } })) return;
  await host.store(GraphMark).createOnce(US, { id: problemSetId, changes: 0 });
  await collection.updateById(problemSetId, { $inc: { changes: 1, rev: 1 } });
}

export async function changesOf(host: Host, problemSetId: string): Promise<number> {
  return ((await host.store(GraphMark).collection.findById(problemSetId))?.["changes"] as number | undefined) ?? 0;
}

/** A statement that is to be kept; its id is derived from what it says and where. */
export type NewStatement = Omit<
  z.input<typeof Statement.record>,
  "rev" | "createdAt" | "updatedAt" | "createdBy" | "createdByName"
>;

const SLICE = 200;

/** Keeps statements that are not there yet, in somebody's name; answers how many are new. */
export async function keep(host: Host, by: string, statements: readonly NewStatement[]): Promise<number> {
  const store = host.store(Statement);
  const once = [...new Map(statements.map((one) => [one.id, one])).values()];
  let made = 0;
  for (let from = 0; from < once.length; from += SLICE) {
    const slice = once.slice(from, from + SLICE);
    made += await retryOnConflict(async () => {
      const there = new Set(
        (
          await store.many(
            US,
            slice.map(({ id }) => id),
          )
        ).map(({ id }) => id),
      );
      const missing = slice.filter(({ id }) => !there.has(id));
      if (missing.length)
        await store.createMany(inNameOf(by), missing).catch((error: unknown) => {
          throw error instanceof DuplicateKey ? overtaken(Statement.title, { id: missing[0]!.id, rev: 0 }) : error;
        });
      return missing.length;
    });
  }
  for (const set of new Set(once.map(({ problemSetId }) => problemSetId))) await mark(host, set);
  return made;
}

/** Takes statements of one source back, and nothing else. */
export async function takeBack(
  host: Host,
  { problemSetId, source, ...narrower }: { problemSetId: string; source: string } & Query,
): Promise<number> {
  const gone = await host.store(Statement).removeAll(US, { source, ...narrower });
  // Though nothing was left: a kill may have come before the mark.
  await mark(host, problemSetId);
  return gone;
}
