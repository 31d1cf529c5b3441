import { setImmediate as nextTurn } from "node:timers/promises";
import { asSystem, type Caller, type Ctx } from "../../access/caller.ts";
import { hiderOf } from "../../access/set-reference.ts";
import type { MeshService, DomainParts, Host } from "../../contract/endpoint.ts";
import type { Entity } from "../entity.ts";

/**
 * What a domain holds about a person. Every domain declares its own (`domain({ personal: [...] })`), so that an export
 * misses nothing and an erasure forgets nothing, whichever node the domain runs on. A person's id is random and stays
 * in records that are kept (who wrote what, the audit chains): once the account, the profile and the identifiers are
 * gone, it leads to nobody, which is what pseudonymised means.
 */
export type Holding = { /** Heading in the export: what it is, in a person's words. */ what: string } & (
  | OfEntity
  | OfItsOwn
);

/** Records of one entity that name the person in one field, which wants an index. */
interface OfEntity {
  entity: Entity;
  /** The field with the person's id; `id` where the record is the person's own. */
  by: string;
  /** Removes the records, clears fields of them, keeps them, for the reason given, or ends them as the domain does. */
  erasure:
    | "remove"
    | { clear: readonly string[] }
    | { keep: string }
    | { end(this: any, userId: string): Promise<unknown> };
  /** What is removed with the person is seen by others of its place too: it counts among what lies in a compartment. */
  shared?: true;
}

/** What somebody had a part in together with others: it stays, by an id that leads to nobody. */
export const commonWork = (what: string, entity: Entity, by = "createdBy"): Holding => ({
  what,
  entity,
  by,
  erasure: { keep: "Who had a part in common work stays on record, by an id that leads to nobody." },
});

/** Anything else: gathered and erased by functions of the domain. Erasing may be repeated after a kill. */
interface OfItsOwn {
  gather(this: any, userId: string, caller: Caller): Promise<readonly unknown[]>;
  erase(this: any, userId: string): Promise<unknown>;
}

/** What one domain holds about a person: heading → records. */
export type Gathered = Record<string, readonly unknown[]>;

/** More records under one heading than this are cut off, and the heading says so. */
export const MOST_GATHERED = 10_000;

const ERASURE = asSystem("erasure");
export const GATHER = "personal:gather";
export const ERASE = "personal:erase";

/** Names of the services that hold something about persons. */
export function holders(services: Iterable<MeshService>): string[] {
  return [...services]
    .filter(({ mixins = [] }) => mixins.some((layer) => (layer as { domain?: DomainParts }).domain?.personal?.length))
    .map(({ name }) => name)
    .sort();
}

async function gatherOf(
  host: Host,
  { entity, by }: OfEntity,
  userId: string,
  caller: Caller,
): Promise<readonly unknown[]> {
  const query = { [by === "id" ? "_id" : by]: userId };
  // The export's answer has no shape by which this would be done, as it is in other answers.
  const hide = hiderOf(entity.view);
  const rows: unknown[] = [];
  let cursor: string | undefined;
  do {
    const { data, meta } = await host.store(entity).feed(caller, { cursor, limit: 100 }, query);
    rows.push(...data.map((record) => entity.view.parse(record)).map((row) => hide?.(row, caller.meta.actor) ?? row));
    cursor = meta.next ?? undefined;
  } while (cursor && rows.length < MOST_GATHERED);
  return rows;
}

/**
 * Everything these holdings have of a person. The caller is the person: what lies behind a barrier they no longer pass
 * is not theirs to take along.
 */
export async function gather(
  host: Host,
  holdings: readonly Holding[],
  userId: string,
  caller: Caller,
): Promise<Gathered> {
  const gathered: Gathered = {};
  for (const holding of holdings) {
    await nextTurn();
    const rows =
      "entity" in holding
        ? await gatherOf(host, holding, userId, caller)
        : await holding.gather.call(host, userId, caller);
    if (rows.length)
      gathered[rows.length > MOST_GATHERED ? `${holding.what} (the first ${MOST_GATHERED})` : holding.what] =
        rows.slice(0, MOST_GATHERED);
  }
  return gathered;
}

/**
 * Does to these holdings what a person's erasure asks for; harmless when repeated. What records still had to tell is
 * told.
 */
export async function erase(host: Host, holdings: readonly Holding[], userId: string): Promise<void> {
  for (const holding of holdings) {
    if (!("entity" in holding)) {
      await holding.erase.call(host, userId);
      continue;
    }
    const { entity, by, erasure } = holding;
    const query = { [by === "id" ? "_id" : by]: userId };
    if (erasure === "remove") await host.store(entity).removeAll(ERASURE, query);
    else if ("clear" in erasure)
      await host.store(entity).collection.updateMany(query, {
        $unset: Object.fromEntries(erasure.clear.map((field) => [field, 1 as const])),
        $inc: { rev: 1 },
      });
    else if ("end" in erasure) await erasure.end.call(host, userId);
  }
}

/** The internal actions by which a domain is asked. A person may have their own gathered; only the mesh erases. */
export function personalActions(holdings: readonly Holding[]): Record<string, object> {
  if (!holdings.length) return {};
  return {
    [GATHER]: {
      visibility: "public",
      handler(this: Host, ctx: Ctx<{ userId: string }>): Promise<Gathered> {
        const { actor } = ctx.meta;
        if (actor?.via === "agent" || (actor?.via !== "system" && actor?.userId !== ctx.params.userId))
          throw new TypeError("Nobody gathers what is held about somebody else.");
        return gather(this, holdings, ctx.params.userId, ctx);
      },
    },
    [ERASE]: {
      visibility: "public",
      async handler(this: Host, ctx: Ctx<{ userId: string }>): Promise<null> {
        if (ctx.meta.actor?.via !== "system") throw new TypeError("Only the mesh erases.");
        await erase(this, holdings, ctx.params.userId);
        return null;
      },
    },
  };
}
