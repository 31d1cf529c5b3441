import type { ActionSchema } from "moleculer";
import { MODES } from "../../core/access/training-mode.ts";
import { z } from "zod";
import { bare } from "../../core/contract/answer.ts";
import { endpoint, type Host } from "../../core/contract/endpoint.ts";
import type { Doc, Query } from "../../core/records/documents.ts";
import type { Entity } from "../../core/records/entity.ts";
import { CARRIED, TRACE } from "../../core/events/traces.ts";
import type { Json } from "../../core/sync/merge.ts";
import type { SyncedEntity } from "../../core/sync/kinds.ts";
import { JsonValue } from "../../core/sync/wire.ts";

type Values = Record<string, Json>;
interface Call {
  action: string;
  params: object;
}

/** How edge sync reads and writes a noun of another domain: through that domain's own actions, with its rights. */
export interface SyncedNoun {
  entity: SyncedEntity;
  /** The domain: the scope that a credential needs, and the service with the actions of `syncedActions`. */
  domain: string;
  /** Before the names of those actions, with a dot, where the domain has several nouns. */
  at: string;
  /** By field: what it may hold (of a set, each of its values), and what a role must allow whoever changes it. */
  fields: Readonly<Record<string, { schema: z.ZodType; may: string }>>;
  /** What a role must allow whoever makes or removes one. */
  may: string;
  /** The synced fields of a record as the domain shows it; null for what is not there. */
  valuesOf(record: any): Values;
  /** `at`: when it was made on its node. */
  makes(values: Values, at: string): Call;
  /** What the domain takes of a new record, by field. */
  begins: Readonly<Record<string, z.ZodType>>;
  /** Fields that a new record cannot be given: they are set once it is there. */
  later: readonly string[];
  /** Fields that are not carried, and that a record has again when it is restored: they name no other record. */
  besides: readonly string[];
  /** The call that brings a field of a record to a value; a counter by a difference. `at`: when it was observed. */
  changes(id: string, field: string, value: Json, at: string): Call;
  removes(id: string): Call;
}

/** A record as whoever follows its changes sees it. */
export const Traced = z.object({
  id: z.string(),
  rev: z.int(),
  problemSetId: z.string().optional(),
  compartments: z.array(z.string()),
  audience: z.enum(MODES).optional(),
  updatedAt: z.string(),
  carried: z.string().optional(),
  values: z.record(z.string(), JsonValue),
  besides: z.record(z.string(), JsonValue).optional(),
  goneAt: z.string().optional().describe("It was removed, which was not told to everybody yet."),
});
export type Traced = z.output<typeof Traced>;

const MOST = 500;
const NOTHING = { rev: 0, compartments: [], updatedAt: "", values: {} };
const Asked = {
  ids: z.array(z.string()).max(MOST).optional().describe("These; otherwise those that changed unseen, or a place's."),
  problemSetId: z.string().optional(),
  audience: z.enum(MODES).optional(),
  after: z.string().optional().describe("Of a place, those after this id."),
  limit: z.int().min(1).max(MOST).default(MOST),
};

/** The actions by which a domain's records are followed: those that changed, and that a change was seen. */
export function syncedActions(
  of: Entity,
  { at, valuesOf, besides }: Pick<SyncedNoun, "at" | "valuesOf" | "besides">,
  leaving: (
    host: Host,
    of: Entity,
    ids: readonly string[],
  ) => Promise<readonly { id: string | number; since: string }[]>,
): Record<string, ActionSchema> {
  const shown = ({ _id, [CARRIED]: carried, ...record }: Doc): Traced => {
    const kept = besides.filter((field) => record[field] !== undefined).map((field) => [field, record[field]]);
    return {
      ...record,
      ...{ id: _id, values: valuesOf({ ...record, id: _id }), besides: Object.fromEntries(kept) },
      ...(carried && { carried }),
    } as never;
  };
  return {
    [`${at}traces`]: endpoint({
      summary: `Read records of the kind ${of.title} as edge sync follows them`,
      permit: "internal",
      body: Asked,
      returns: bare(z.array(Traced)),
      async handler(ctx) {
        const { ids, problemSetId, audience, after, limit } = ctx.params;
        const { collection } = this.store(of);
        if (ids) {
          const found = (await collection.findByIds(ids)).map(shown);
          const missing = ids.filter((id) => !found.some((one) => one.id === id));
          const gone = missing.length ? await leaving(this, of, missing) : [];
          return [...found, ...gone.map(({ id, since }) => ({ ...NOTHING, id: String(id), goneAt: since }))];
        }
        const place = problemSetId !== undefined ? { problemSetId } : audience && { audience };
        const query: Query = place ? { ...place, ...(after && { _id: { $gt: after } }) } : { [TRACE]: { $gte: 1 } };
        return (await collection.find({ query, sort: [place ? "_id" : TRACE], limit })).map(shown);
      },
    }),

    [`${at}traces.clear`]: endpoint({
      summary: `Note which revisions of records of the kind ${of.title} were seen`,
      permit: "internal",
      // A move makes no revision: without the moment, one that came since would go unseen.
      body: {
        seen: z.array(z.object({ id: z.string(), rev: z.int(), updatedAt: z.string().optional() })).max(MOST),
      },
      returns: bare(z.null()),
      async handler(ctx) {
        const writes = ctx.params.seen.map(({ id, rev, updatedAt }) => ({
          update: { _id: id, rev, ...(updatedAt !== undefined && { updatedAt }) },
          with: { $unset: { [TRACE]: 1 } },
        }));
        if (writes.length) await this.store(of).bulk(writes);
        return null;
      },
    }),
  };
}
