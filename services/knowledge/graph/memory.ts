import { behind } from "../../../core/access/barrier.ts";
import type { Caller } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { inTurns, type Steps } from "../../../core/work/turns.ts";
import type { World } from "../../../core/world.ts";
import { judgedFor } from "./judged.ts";
import { BYTES_OF_A_ROW, HeldStatements, MOST_ROWS_READ, sightOf } from "./statements/held.ts";
import { JUDGEMENTS } from "./statements/marks.ts";
import { heldAt, ROW_FIELDS, Statement, type Row } from "./statements/statements.ts";
import { viewOf, type GraphView } from "./view.ts";
import { GrowingView } from "./viewing/growing-view.ts";

/** What a process keeps of graphs: so many bytes, as far as can be told; the view asked for last is kept anyhow. */
const MOST_BYTES = 256 * 2 ** 20;
/** What a view takes for each of its statements, beside the statements: measured, and rounded up. */
const BYTES_OF_A_VIEW = 900;
const LEAST_BYTES = 100_000;
const NONE: readonly Row[] = Object.freeze([]);

/** A view that follows what its reader sees of a set. */
class Following {
  readonly #held: HeldStatements;
  readonly #growing: GrowingView;
  /** What of each source the view has. */
  #rows = new Map<string, readonly Row[]>();
  #position = -1;
  #view: GraphView | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** Whoever asked last; all who ask see the same. */
  caller: Caller | undefined;

  constructor(held: HeldStatements, problemSetId: string) {
    this.#held = held;
    this.#growing = new GrowingView(problemSetId);
  }

  /** Statements that were let go and read again are others. */
  isOf(held: HeldStatements): boolean {
    return this.#held === held;
  }

  get bytes(): number {
    return LEAST_BYTES + BYTES_OF_A_VIEW * (this.#view?.statements ?? 0);
  }

  /** As of now; one change after the other. Rejects where a change failed: it is of no use any more. */
  now(caller: Caller): Promise<GraphView> {
    this.caller = caller;
    const next = this.#queue.then(() => this.#follow(caller));
    this.#queue = next;
    return next;
  }

  async #follow(caller: Caller): Promise<GraphView> {
    if (this.#view && this.#position === this.#held.position) return this.#view;
    const position = this.#held.position;
    const about = this.#position < 0 ? undefined : this.#held.since(this.#position);
    const sources = about ?? new Set([...this.#held.sources(), ...this.#rows.keys()]);
    const judged = !about || about.has(JUDGEMENTS) ? { judged: this.#held.judgedFor(caller) } : {};
    const view = await inTurns(this.#taken(this.#differences(sources, sightOf(caller)), judged));
    this.#position = position;
    return (this.#view = view);
  }

  *#taken(differences: Steps<Difference>, judged: { judged?: GrowingJudged }): Steps<GraphView> {
    const { added, removed, now } = yield* differences;
    for (const [source, rows] of now)
      if (rows.length) this.#rows.set(source, rows);
      else this.#rows.delete(source);
    yield* this.#growing.change({ added, removed, ...judged });
    return yield* this.#growing.frozen();
  }

  *#differences(sources: ReadonlySet<string>, isSeen: (row: Row) => boolean): Steps<Difference> {
    // What is held may change while this goes on in turns.
    const stored = new Map([...sources].map((source) => [source, this.#held.rowsOf(source)] as const));
    const found: Difference = { added: [], removed: [], now: new Map() };
    for (const [source, all] of stored) {
      const now = all.every(isSeen) ? all : all.filter(isSeen);
      const before = this.#rows.get(source) ?? NONE;
      found.now.set(source, now);
      yield;
      const old = new Map(before.map((row) => [row.id, row]));
      for (const row of now) {
        const known = old.get(row.id);
        if (known && JSON.stringify(known) === JSON.stringify(row)) old.delete(row.id);
        else found.added.push(row);
      }
      for (const row of old.values()) found.removed.push(row);
      yield;
    }
    return found;
  }
}
interface Difference {
  added: Row[];
  removed: Row[];
  now: Map<string, readonly Row[]>;
}
type GrowingJudged = ReturnType<HeldStatements["judgedFor"]>;

/** A view of a moment, or of a part of too many statements: made of what there is, and kept until that is another. */
interface Made {
  asOf: string;
  view: Promise<GraphView>;
  bytes: number;
}

interface Memory {
  sets: Map<string, HeldStatements>;
  /** By set, sight and moment; the one asked for last is the last. */
  views: Map<string, { problemSetId: string; of: Following | Made }>;
}
const memories = new WeakMap<World, Memory>();

function memoryOf({ world }: Host): Memory {
  let memory = memories.get(world);
  if (!memory) memories.set(world, (memory = { sets: new Map(), views: new Map() }));
  return memory;
}

/** Readers with the same of it see the same graph. */
const sightIn = (caller: Caller, problemSetId: string): string =>
  JSON.stringify(behind(Statement.barrier, caller.meta.actor, { problemSetId }));

/** Lets the views go that were asked for longest ago, the last one never, and statements that no view is made of. */
function forget({ sets, views }: Memory): void {
  const heldBytes = () => [...sets.values()].reduce((sum, { count }) => sum + count * BYTES_OF_A_ROW, 0);
  const viewBytes = () => [...views.values()].reduce((sum, { of }) => sum + of.bytes, 0);
  for (const key of views.keys()) {
    if (views.size === 1 || heldBytes() + viewBytes() <= MOST_BYTES) return;
    views.delete(key);
    const used = new Set([...views.values()].map(({ problemSetId }) => problemSetId));
    for (const id of sets.keys()) if (!used.has(id)) sets.delete(id);
  }
}

function* seenAt(held: HeldStatements, caller: Caller, at: string): Steps<Row[]> {
  const isSeen = sightOf(caller);
  const rows: Row[] = [];
  for (const source of held.sources()) {
    for (const row of held.rowsOf(source)) if (isSeen(row) && heldAt(row, at)) rows.push(row);
    yield;
  }
  return rows;
}

/** Where there are more statements than are held: the first that the caller sees. */
async function partOf(host: Host, caller: Caller, problemSetId: string, at: string | undefined): Promise<GraphView> {
  const rows: Row[] = [];
  for await (const slice of host.store(Statement).slices(caller, { problemSetId }, { fields: ROW_FIELDS, size: 500 })) {
    for (const row of slice as Row[]) if (at === undefined || heldAt(row, at)) rows.push(row);
    if (rows.length > MOST_ROWS_READ) break;
  }
  const judged = await judgedFor(host, caller, problemSetId);
  const view = await inTurns(viewOf(problemSetId, rows.slice(0, MOST_ROWS_READ), judged));
  return rows.length > MOST_ROWS_READ ? partial(view) : view;
}

const partial = (view: GraphView): GraphView =>
  Object.defineProperty(view, "partial", { value: true, enumerable: true });

function made(memory: Memory, key: string, asOf: string, make: () => Promise<GraphView>): Made {
  const known = memory.views.get(key)?.of;
  if (known && "asOf" in known && known.asOf === asOf) return known;
  const one: Made = { asOf, view: make(), bytes: LEAST_BYTES };
  one.view.then(
    ({ statements }) => (one.bytes += (BYTES_OF_A_VIEW + BYTES_OF_A_ROW) * statements),
    () => memory.views.get(key)?.of === one && memory.views.delete(key),
  );
  return one;
}

/** The statements of a set as this process holds them, caught up. */
async function heldOf(host: Host, problemSetId: string): Promise<HeldStatements> {
  const { sets } = memoryOf(host);
  const held = sets.get(problemSetId) ?? new HeldStatements(host, problemSetId);
  sets.set(problemSetId, held);
  await held.catchUp();
  return held;
}

function* placesIn(held: HeldStatements, isMeant: (row: Row) => boolean): Steps<string[][]> {
  const places = new Map<string, string[]>();
  for (const source of held.sources()) {
    for (const row of held.rowsOf(source)) {
      if (!isMeant(row)) continue;
      const place = [...row.compartments].sort();
      places.set(JSON.stringify(place), place);
    }
    yield;
  }
  return [...places.values()];
}

/** Behind which compartments statements lie that are meant; of a set with too many to hold, none is known. */
export const compartmentSets = async (
  host: Host,
  problemSetId: string,
  isMeant: (row: Row) => boolean,
): Promise<string[][]> => inTurns(placesIn(await heldOf(host, problemSetId), isMeant));

/**
 * The graph of a problem set as the caller sees it, at a moment where one is given. Made when somebody asks for it
 * first; afterwards it takes up what changed of its statements and judgements. Whether the caller is a member is asked
 * before.
 */
export async function graphOf(
  host: Host,
  caller: Caller,
  { problemSetId, at }: { problemSetId: string; at?: string | undefined },
): Promise<GraphView> {
  const memory = memoryOf(host);
  const held = await heldOf(host, problemSetId);
  const key = JSON.stringify([problemSetId, at, sightIn(caller, problemSetId)]);
  const keep = (of: Following | Made): void => {
    // The one asked for last is forgotten last.
    memory.views.delete(key);
    memory.views.set(key, { problemSetId, of });
    forget(memory);
  };
  if (at !== undefined || held.tooMany) {
    const asOf = `${held.tooMany} ${held.position}`;
    const make = async () =>
      held.tooMany
        ? partOf(host, caller, problemSetId, at)
        : inTurns(viewOf(problemSetId, await inTurns(seenAt(held, caller, at!)), held.judgedFor(caller)));
    const one = made(memory, key, asOf, make);
    keep(one);
    return one.view;
  }
  const known = memory.views.get(key)?.of;
  const following = known instanceof Following && known.isOf(held) ? known : new Following(held, problemSetId);
  keep(following);
  try {
    const view = await following.now(caller);
    forget(memory);
    return view;
  } catch (error) {
    if (memory.views.get(key)?.of === following) memory.views.delete(key);
    throw error;
  }
}

/** Readers for whom this process keeps the graph of a set as it is now, one for each sight. */
export const readersOf = (host: Host, problemSetId: string): Caller[] =>
  [...memoryOf(host).views.values()].flatMap(({ problemSetId: of, of: kept }) =>
    of === problemSetId && kept instanceof Following && kept.caller ? kept.caller : [],
  );
