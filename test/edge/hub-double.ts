import canonicalize from "canonicalize";
import { readMultibase } from "../../core/did/key-encodings.ts";
import { verifies } from "../../core/did/signatures.ts";
import { KINDS, type SyncedEntity } from "../../core/sync/kinds.ts";
import { isDeleted, merge, type Change, type RecordState } from "../../core/sync/merge.ts";
import type { ChangeAnswer } from "../../edge/sync/batches.ts";
import type { Values } from "../../edge/values.ts";
import { Unreachable, type HubAnswer, type HubLink } from "../../edge/sync/link.ts";

interface Kept {
  entity: SyncedEntity;
  id: string;
  place: number;
  at: number;
  state: RecordState;
}
interface Known {
  did: string;
  lastSeq: number;
  places: Set<number>;
  /** Bodies by batch, and what was answered. */
  batches: Map<string, { body: string; answer: unknown }>;
}

/** The hub's half of the protocol over the pure module, in memory: what the node's half is tried against by itself. */
export class HubDouble {
  readonly nodes = new Map<string, Known>();
  readonly records = new Map<string, Kept>();
  /** Each change that was taken, once. */
  readonly taken: { node: string; change: Change }[] = [];
  /** Cursors up to this number are too old. */
  forgottenUpTo = -1;
  now: () => number = () => Date.now();
  /** Whether a change is refused by the domain. */
  refuses: (change: Change) => string | undefined = () => undefined;
  /** What it says of its fields; nothing, as a hub from before it did. */
  values: Values | undefined;
  #count = 0;

  enrol(node: string, did: string, ...places: number[]): void {
    this.nodes.set(node, { did, lastSeq: 0, places: new Set(places), batches: new Map() });
  }

  /** Something is edited at the hub itself. */
  edit(entity: SyncedEntity, id: string, place: number, change: Omit<Change, "seq" | "entity" | "id">): void {
    const before = this.records.get(`${entity} ${id}`);
    const seq = (before?.state.vector["hub"] ?? 0) + 1;
    this.#put(entity, id, place, "hub", { seq, entity, id, ...change });
  }

  answer(method: string, path: string, body: string | undefined): HubAnswer {
    const url = new URL(path, "http://hub");
    if (method === "POST") return this.#push(body!);
    if (url.pathname.endsWith("/fields")) return this.#fields();
    return this.#delta(url.searchParams);
  }

  #fields(): HubAnswer {
    if (!this.values) return { status: 404, body: { error: { code: "ROUTE_NOT_FOUND" } } } as HubAnswer;
    return { status: 200, body: { data: { entities: this.values, time: "" } } } as HubAnswer;
  }

  #push(text: string): HubAnswer {
    const { signature, ...unsigned } = JSON.parse(text) as {
      signature: string;
      node: string;
      batchId: string;
      changes: Change[];
    };
    const { node, batchId, changes } = unsigned;
    const known = this.nodes.get(node)!;
    const key = readMultibase(known.did.slice("did:key:".length))!;
    if (!verifies(key, Buffer.from(canonicalize(unsigned)!), Buffer.from(signature, "base64url")))
      return refused(403, "INVALID_SIGNATURE");
    const before = known.batches.get(batchId);
    if (before) return before.body === text ? said(before.answer) : refused(409, "BATCH_DIFFERS");
    if (changes[0]!.seq > known.lastSeq + 1) return refused(409, "SEQUENCE", { expected: known.lastSeq + 1 });
    const answers = changes.map((change) => this.#takeOne(node, known, change));
    const answer = { node, batchId, lastSeq: known.lastSeq, answers, time: this.#time() };
    known.batches.set(batchId, { body: text, answer });
    return said(answer);
  }

  #takeOne(node: string, known: Known, change: Change): ChangeAnswer {
    const { seq, entity, id } = change;
    if (seq <= known.lastSeq) return { seq, status: "duplicate" };
    known.lastSeq = seq;
    const rejected = (code: string): ChangeAnswer => ({ seq, status: "rejected", code, message: `It is ${code}.` });
    const before = this.records.get(`${entity} ${id}`);
    if (before ? !known.places.has(before.place) : change.field !== undefined || change.op !== "set")
      return rejected("NOT_FOUND");
    if (before && isDeleted(before.state)) return rejected("GONE");
    const place = before?.place ?? Number((change.value as Record<string, unknown>)["problemSetId"]);
    if (!known.places.has(place)) return rejected("NOT_FOUND");
    const code = this.refuses(change);
    if (code) return rejected(code);
    this.taken.push({ node, change });
    return { seq, status: this.#put(entity as SyncedEntity, id, place, node, change) };
  }

  #put(
    entity: SyncedEntity,
    id: string,
    place: number,
    by: string,
    change: Change,
  ): "applied" | "duplicate" | "conflict" {
    const { state, outcome } = merge(this.records.get(`${entity} ${id}`)?.state, KINDS[entity], by, change);
    this.records.set(`${entity} ${id}`, { entity, id, place, at: ++this.#count, state });
    return outcome;
  }

  #delta(query: URLSearchParams): HubAnswer {
    const known = this.nodes.get(query.get("node")!)!;
    const given = query.get("cursor");
    const cursor: Record<string, number> = given === null ? {} : JSON.parse(given);
    if (Object.values(cursor).some((at) => at <= this.forgottenUpTo)) return refused(410, "CURSOR_EXPIRED");
    const purge = Object.keys(cursor)
      .map(Number)
      .filter((place) => !known.places.has(place));
    for (const place of purge) delete cursor[place];
    for (const place of known.places) cursor[place] ??= 0;
    const fresh = [...this.records.values()]
      .filter(({ place, at }) => known.places.has(place) && at > cursor[place]!)
      .sort((one, other) => one.at - other.at);
    const records = fresh.slice(0, Number(query.get("limit")));
    for (const { place, at } of records) cursor[place] = at;
    return said({
      reset: given === null,
      records: records.map(({ entity, id, place, state }) => ({ entity, id, place, state })),
      tombstones: [],
      purge,
      cursor: JSON.stringify(cursor),
      upToDate: records.length === fresh.length,
      time: this.#time(),
    });
  }

  #time(): string {
    return new Date(this.now()).toISOString();
  }
}

const said = (data: unknown): HubAnswer => ({
  status: 200,
  body: { data: structuredClone(data) },
  date: undefined,
  retryAfterMs: undefined,
});
const refused = (status: number, code: string, details?: unknown): HubAnswer => ({
  status,
  body: { error: { code, message: code, details } },
  date: undefined,
  retryAfterMs: undefined,
});

/** What the line does with the next request. */
export type Fate = "well" | "lost" | "answer lost" | "twice";

/** A line to a hub on which requests and answers get lost and come twice, as `fate` says for each. */
export class FaultyLine implements HubLink {
  readonly #to: HubLink["ask"];
  readonly #link: HubLink | undefined;
  fate: () => Fate = () => "well";

  /** `link`: what is closed with the line. */
  constructor(to: HubLink["ask"], link?: HubLink) {
    this.#to = to;
    this.#link = link;
  }

  async ask(...asked: Parameters<HubLink["ask"]>): Promise<HubAnswer> {
    const fate = this.fate();
    if (fate === "lost") throw new Unreachable("lost on its way");
    const first = await this.#to(...asked);
    if (fate === "answer lost") throw new Unreachable("the answer was lost");
    return fate === "twice" ? this.#to(...asked) : first;
  }

  async close(): Promise<void> {
    await this.#link?.close();
  }
}
