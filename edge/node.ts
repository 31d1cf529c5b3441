import { iso, SKEW_MS, type Clock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import { conflict, notFound, Problem } from "../core/problem.ts";
import { tick } from "../core/sync/hlc.ts";
import { ENTITIES } from "../core/sync/kinds.ts";
import type { Change } from "../core/sync/merge.ts";
import type { Rejection } from "./sync/batches.ts";
import { checkedId, creation, draftOf, kindsOf, withFormer, type ChangeDraft, type Wish } from "./edits.ts";
import { latestStamp, recordView, recordStateOf, type HeldRecord, type LocalRecord } from "./records.ts";
import type { RecordKey, EdgeStore, Rows } from "./store.ts";
import { demandValues, type Values } from "./values.ts";

/** As whom the hub knows the node. */
export interface Enrolled {
  hub: string;
  /** The node's id there. */
  node: string;
  did: string;
  name: string;
}

/** What the hub said when it would not speak to the node, or that it could not be reached. */
export interface HubState {
  /** `refused`: until a person does something about it. */
  state: "well" | "unreachable" | "waits" | "refused";
  code?: string;
  message?: string;
  at: string;
}

/** How the node's own clock stands to the hub's. */
export interface ClockReading {
  /** Hub minus node, in ms. */
  offsetMs: number;
  at: string;
}

/** Names of what is kept beside records and changes. */
export const FACT = {
  enrolled: "enrolled",
  lastSeq: "lastSeq",
  stamp: "stamp",
  cursor: "cursor",
  batch: "batch",
  clock: "clock",
  standing: "standing",
  syncedAt: "syncedAt",
  rewrite: "rewrite",
  values: "values",
} as const;

const MOST_LISTED = 500;

/** The node as whoever sits at it works with it: it asks no hub for anything. */
export class EdgeNode {
  readonly store: EdgeStore;
  readonly clock: Clock;
  /** Told after each change that is to be sent. */
  onChange: () => void = () => {};

  constructor(store: EdgeStore, clock: Clock) {
    this.store = store;
    this.clock = clock;
  }

  /** @throws 409 where no hub knows the node */
  enrolled(rows: Rows): Enrolled {
    const enrolled = rows.fact<Enrolled>(FACT.enrolled);
    if (!enrolled) throw conflict("The node is not enrolled at a hub yet.");
    return enrolled;
  }

  list(entity: string, after = "", limit = 100): Promise<LocalRecord[]> {
    kindsOf(entity);
    return this.store.look((rows) =>
      rows.idsOf(entity, after, Math.min(limit, MOST_LISTED)).flatMap((id) => this.#shown(rows, { entity, id }) ?? []),
    );
  }

  /** @throws 404 */
  read(at: RecordKey): Promise<LocalRecord> {
    kindsOf(at.entity);
    return this.store.look((rows) => this.#demand(rows, at));
  }

  /** Makes a record, under an id of the node's own. */
  async make(entity: string, value: Record<string, unknown>, id = newId()): Promise<LocalRecord> {
    const at = { entity, id: checkedId(id) };
    const draft = creation(entity, value);
    return this.#changed((rows) => {
      this.#judge(rows, entity, draft);
      if (this.#shown(rows, at)) throw conflict("There is a record under this id.");
      this.#add(rows, at, draft, "");
      return this.#demand(rows, at);
    });
  }

  /** Takes one or several changes of a record, all of them or none. `match`: its etag as it was read. */
  async edit(at: RecordKey, wishes: readonly Wish[], match?: string): Promise<LocalRecord> {
    kindsOf(at.entity);
    return this.#changed((rows) => {
      const before = this.#demand(rows, at);
      if (match !== undefined && match !== "*" && match !== before.etag)
        throw new Problem(412, "PRECONDITION_FAILED", "The record changed since it was read; read it again.");
      const { node } = this.enrolled(rows);
      for (const wish of wishes) {
        const unsent = rows.changesOf<Change>(at);
        const state = recordStateOf(at, rows.record<HeldRecord>(at), unsent, node)!;
        const draft = draftOf(at.entity, state, wish);
        this.#judge(rows, at.entity, draft);
        this.#add(rows, at, withFormer(draft, unsent, node), latestStamp(state));
      }
      return this.#demand(rows, at);
    });
  }

  conflicts(): Promise<LocalRecord[]> {
    return this.store.look((rows) =>
      ENTITIES.flatMap((entity) =>
        rows.idsOf(entity, "", Number.MAX_SAFE_INTEGER).flatMap((id) => this.#shown(rows, { entity, id }) ?? []),
      ).filter(({ conflicts }) => conflicts.length),
    );
  }

  rejections(): Promise<Rejection[]> {
    return this.store.look((rows) => rows.rejections<Rejection>());
  }

  /** Somebody has read it. Throws 404. */
  async dismiss(seq: number): Promise<void> {
    if (!(await this.store.change((rows) => rows.dropRejection(seq)))) throw notFound("rejection", seq);
  }

  waiting(limit = 100): Promise<Change[]> {
    return this.store.look((rows) => rows.waiting<Change>(Math.min(limit, MOST_LISTED)));
  }

  status() {
    return this.store.look((rows) => {
      const clock = rows.fact<ClockReading>(FACT.clock);
      return {
        enrolled: rows.fact<Enrolled>(FACT.enrolled) ?? null,
        hub: rows.fact<HubState>(FACT.standing) ?? null,
        syncedAt: rows.fact<string>(FACT.syncedAt) ?? null,
        records: rows.recordCount(),
        unsent: rows.waitingCount(),
        rejections: rows.rejections().length,
        clock: clock ? { ...clock, warning: clockWarning(clock) ?? null } : null,
      };
    });
  }

  /** The time as the hub has it, as far as the node was told. */
  now(rows: Rows): number {
    return this.clock.now() + (rows.fact<ClockReading>(FACT.clock)?.offsetMs ?? 0);
  }

  /** By what the hub said last of its fields; before it said anything, all is judged there. */
  #judge(rows: Rows, entity: string, draft: ChangeDraft): void {
    demandValues(rows.fact<Values>(FACT.values)?.[entity], kindsOf(entity), draft);
  }

  #shown(rows: Rows, at: RecordKey): LocalRecord | undefined {
    return recordView(at, rows.record<HeldRecord>(at), rows.changesOf<Change>(at), this.enrolled(rows).node);
  }

  #demand(rows: Rows, at: RecordKey): LocalRecord {
    const record = this.#shown(rows, at);
    if (!record) throw notFound(at.entity, at.id);
    return record;
  }

  async #changed<T>(work: (rows: Rows) => T): Promise<T> {
    const answer = await this.store.change(work);
    this.onChange();
    return answer;
  }

  /** The next number and the next stamp, in the same transaction as the change: no number is left out or used twice. */
  #add(rows: Rows, { entity, id }: RecordKey, draft: ChangeDraft, seen: string): void {
    this.enrolled(rows);
    const seq = (rows.fact<number>(FACT.lastSeq) ?? 0) + 1;
    const last = rows.fact<string>(FACT.stamp) ?? "";
    const after = last > seen ? last : seen;
    const hlc = tick(after || undefined, this.now(rows));
    rows.keepFact(FACT.lastSeq, seq);
    rows.keepFact(FACT.stamp, hlc);
    const change: Change = { seq, entity, id, ...draft, hlc };
    rows.addChange(change);
  }
}

/** What to tell somebody whose node's clock is off; undefined where it is right. */
function clockWarning({ offsetMs }: ClockReading): string | undefined {
  if (Math.abs(offsetMs) <= SKEW_MS) return undefined;
  const direction = offsetMs > 0 ? "behind" : "ahead of";
  return `This node's clock is ${span(Math.abs(offsetMs))} ${direction} the hub's.`;
}

function span(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.round(ms / 1_000)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes} min`;
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export const hubStateOf = (clock: Clock, state: HubState["state"], code?: string, message?: string): HubState => ({
  state,
  ...(code !== undefined && { code }),
  ...(message !== undefined && { message }),
  at: iso(clock.now()),
});
