import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { invalid } from "../../../../core/problem.ts";
import { Instant, paging, TextId } from "../../../../core/records/entity.ts";
import { hlcAt, msOf, tick } from "../../../../core/sync/hlc.ts";
import { ENTITIES, kindsOf } from "../../../../core/sync/kinds.ts";
import {
  basesOf,
  conflictsOf,
  dotsOf,
  headOf,
  HUB,
  isDeleted,
  shownOf,
  type Change,
  type Json,
} from "../../../../core/sync/merge.ts";
import { JsonValue } from "../../../../core/sync/wire.ts";
import { EdgeNode } from "../nodes/nodes.ts";
import { apply, demandSeen } from "../records/applying.ts";
import { MESH, NOUNS } from "../records/carrying.ts";
import { given, syncState, SyncRecord } from "../records/records.ts";

const set = "problemSetId";
const READ = "edge-sync:read";
const reading = { set, may: READ };

const Value = z.object({
  dot: z.string().describe("Names the value; send it back in `seen`."),
  value: JsonValue,
  at: Instant,
  node: z.string().nullable().describe("Name of its edge node; null for a change made here."),
  by: PersonId.optional().describe("Whose edge node that is."),
});
const ConflictView = z
  .object({
    id: z.string(),
    entity: z.enum(ENTITIES),
    recordId: z.string(),
    problemSetId: z.string().optional(),
    compartments: z.array(z.string()),
    name: z.string(),
    since: Instant,
    isDeleted: z
      .boolean()
      .describe("Somebody deleted it who had not seen these values; it stays deleted until it is decided."),
    fields: z.array(z.object({ field: z.string(), shown: JsonValue, values: z.array(Value) })),
    seen: z.array(z.string()).describe("Everything that is named here: send it with your decision."),
  })
  .meta({ id: "EdgeConflict" });

const nodeOf = (dot: string): string => dot.slice(0, dot.lastIndexOf(":"));

async function shown(host: Host, records: readonly SyncRecord[]): Promise<z.output<typeof ConflictView>[]> {
  const ids = new Set(records.flatMap((record) => dotsOf(syncState(record)).map(nodeOf)));
  const nodes = new Map((await host.store(EdgeNode).many(MESH, [...ids])).map((node) => [node.id, node]));
  return records.map((record) => view(record, nodes));
}

function view(record: SyncRecord, nodes: ReadonlyMap<string, EdgeNode>): z.output<typeof ConflictView> {
  const state = syncState(record);
  const valueOf = (dot: string, value: Json, hlc: string) => ({
    ...{ dot, value: value as never, at: iso(msOf(hlc)) },
    node: nodes.get(nodeOf(dot))?.name ?? null,
    by: nodes.get(nodeOf(dot))?.userId,
  });
  const deleted = isDeleted(state);
  const [open, kinds] = [conflictsOf(state, kindsOf(record.entity)), kindsOf(record.entity)];
  const heads = Object.entries(state.fields).filter(([field, all]) =>
    deleted ? kinds[field] === "heads" && all.length : open.includes(field),
  );
  const { id, entity, recordId, problemSetId, compartments, name, conflictedAt } = record;
  return {
    ...{ id, entity, recordId, compartments, name, since: conflictedAt!, isDeleted: deleted },
    ...(problemSetId !== undefined && { problemSetId }),
    fields: heads.map(([field, all]) => ({
      field,
      shown: headOf(state, field)!.value as never,
      values: all.map(({ dot, value, hlc }) => valueOf(dot, value, hlc)),
    })),
    seen: deleted ? dotsOf(state) : heads.flatMap(([field]) => basesOf(state, field)),
  };
}

/** The decision of a person as a change of the hub's. Throws 400, 409. */
function decided(record: SyncRecord, asked: Decision, now: number): Omit<Change, "seq"> {
  const state = syncState(record);
  const about = { entity: record.entity, id: record.recordId };
  const { field, value, keep, seen } = asked;
  if ((field === undefined) === (keep === undefined))
    throw invalid([{ path: "field", message: "Decide on a field, or on whether the record is kept." }]);
  if (keep !== undefined) {
    if (!isDeleted(state)) throw invalid([{ path: "keep", message: "Nobody deleted it: decide on its fields." }]);
    const bases = dotsOf(state);
    demandSeen(bases, seen);
    if (keep === "deleted") return { ...about, op: "delete", bases, hlc: hlcAt(now) };
    const values = given(record.seen.values as Record<string, Json>);
    return { ...about, op: "restore", value: values, bases: state.deletes.map(({ dot }) => dot), hlc: hlcAt(now) };
  }
  if (isDeleted(state)) throw invalid([{ path: "keep", message: "It was deleted: decide on that first." }]);
  if (value === undefined) throw invalid([{ path: "value", message: "Say what holds; null for nothing." }]);
  const bases = basesOf(state, field!);
  demandSeen(bases, seen);
  return { ...about, op: "set", field: field!, value, bases, hlc: tick(headOf(state, field!)?.hlc, now) };
}
interface Decision {
  field?: string | undefined;
  value?: Json | undefined;
  keep?: "record" | "deleted" | undefined;
  seen: string[];
}

export const conflictActions = {
  "conflicts.list": endpoint({
    rest: "GET /conflicts",
    summary: "List the records with edit conflicts that await a decision",
    permit: READ,
    within: reading,
    beyond: true,
    query: { problemSetId: TextId.optional(), entity: z.enum(ENTITIES).optional(), ...paging },
    returns: list(ConflictView),
    tool: "list_edge_conflicts",
    description:
      "Every value says when it was set, and on whose edge node. Until a decision, the one with the latest stamp is shown.",
    async handler(ctx) {
      const { data: found, meta } = await this.store(SyncRecord).page(
        ctx,
        { ...ctx.params, sort: "-conflictedAt" },
        { conflictedAt: { $exists: true } },
      );
      return { data: await shown(this, found), meta };
    },
  }),

  "conflicts.resolve": endpoint({
    rest: "POST /conflicts/:id/resolve",
    summary: "Resolve an edit conflict of a record",
    permit: "signed-in",
    within: reading,
    on: SyncRecord,
    beyond: true,
    body: {
      field: z.string().min(1).max(40).optional().describe("The field to decide on;"),
      value: JsonValue.optional().describe("its new value: one of the existing values, or another one."),
      keep: z.enum(["record", "deleted"]).optional().describe("For a deleted record: whether to restore it."),
      seen: z.array(z.string().max(100)).max(500).describe("The values that you saw, by their dots."),
    },
    returns: data(z.object({ id: z.string(), resolved: z.boolean().describe("The record has no conflict any more.") })),
    errors: {
      409: "Other values came meanwhile (`details.unseen`).",
      422: "Edge nodes do not carry this field (`NOT_SYNCED`).",
    },
    example: { field: "description", value: "Both lanes are passable.", seen: ["hub:3", "0198f2a0:12"] },
    description:
      "Requires the right to change the field, or to remove the record. The decision is stored as a " +
      "change of the hub and reaches every node. A restored record has the same id and the values it " +
      "had when it was deleted, with its series, thresholds, external id and planned coverage; not its readings, " +
      "DID and links to other records.",
    async handler(ctx, record) {
      const author = { by: HUB, actor: ctx.meta.actor! };
      const now = this.world.clock.now();
      await apply(this, author, { ...decided(record, ctx.params, now), seq: 0 });
      const store = this.store(SyncRecord);
      let after = await store.get(MESH, record.id);
      if (ctx.params.keep === "record") after = await alignLater(this, author, after);
      return { id: record.id, resolved: after.conflictedAt === undefined };
    },
  }),
};

/** Brings what a new record cannot be given to what is shown of it. */
async function alignLater(host: Host, author: Parameters<typeof apply>[1], record: SyncRecord): Promise<SyncRecord> {
  for (const field of NOUNS[record.entity].later) {
    const state = syncState(record);
    const value = shownOf(state)[field];
    if (value === undefined || (state.fields[field]?.length ?? 0) !== 1) continue;
    const hlc = tick(headOf(state, field)!.hlc, host.world.clock.now());
    const change = { entity: record.entity, id: record.recordId, op: "set" as const, field, value };
    await apply(host, author, { ...change, bases: basesOf(state, field), hlc, seq: 0 });
  }
  return host.store(SyncRecord).get(MESH, record.id);
}
