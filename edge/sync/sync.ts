import canonicalize from "canonicalize";
import { iso } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import type { Change } from "../../core/sync/merge.ts";
import { BOUNDS, nextBatch, rejectionOf, placeholderOf, type PendingBatch, type Rejection } from "./batches.ts";
import { dataOf, HubRefusal, type Delta, type HubFields, type PushAnswer } from "./hub.ts";
import type { NodeKey } from "../key.ts";
import type { HubAnswer, HubLink } from "./link.ts";
import { FACT, type ClockReading, type EdgeNode, type Enrolled } from "../node.ts";
import type { Rows } from "../store.ts";

/** How the node shows the hub whose it is. */
export type Credential = () => Record<string, string>;
/** The API under which the hub takes what edge nodes send. */
const PATH = "/api/edge-sync";
/** Of one page of a delta. */
const PAGE = 500;
/** So many times in a row the hub may name another number than the one that was sent, before a person is told. */
const MOST_CORRECTIONS = 3;
/** What a reading of the clock differs by from the one before, of chance in the network alone. */
const WORTH_TELLING_MS = 1_000;

/** What one round did. */
export interface Round {
  sent: number;
  rejected: number;
  received: number;
  purged: number;
}

/** One node's exchange with its hub: what waits goes out, what changed comes in. One round at a time. */
export class Sync {
  readonly #node: EdgeNode;
  readonly #link: HubLink;
  readonly #key: NodeKey;
  readonly #credential: Credential;
  readonly #bounds: typeof BOUNDS;
  /** Whether the hub said, since the node started and since it refused something, what values its fields take. */
  #knowsValues = false;

  constructor(node: EdgeNode, link: HubLink, key: NodeKey, credential: Credential, bounds = BOUNDS) {
    this.#node = node;
    this.#link = link;
    this.#key = key;
    this.#credential = credential;
    this.#bounds = bounds;
  }

  /**
   * Sends all that waits, then takes all that is new. Broken off anywhere, the next round goes on from there.
   * @throws Unreachable, Refused
   */
  async round(): Promise<Round> {
    const done: Round = { sent: 0, rejected: 0, received: 0, purged: 0 };
    await this.#push(done);
    if (!this.#knowsValues || done.rejected) await this.#learnValues();
    await this.#pull(done);
    await this.clean();
    await this.#node.store.change((rows) => rows.keepFact(FACT.syncedAt, iso(this.#node.clock.now())));
    return done;
  }

  async #push(done: Round): Promise<void> {
    let corrections = 0;
    for (let limit = this.#bounds.changes; ;) {
      const batch = await this.#node.store.change((rows) => this.#openBatch(rows, limit));
      if (!batch) return;
      try {
        const answer = await this.#send(batch);
        await this.#node.store.change((rows) => this.#settle(rows, batch, answer, done));
        corrections = 0;
      } catch (error) {
        if (!(error instanceof HubRefusal)) throw error;
        if (error.isUnreadable) limit = await this.#makeReadable(batch, error, done);
        else if (corrections++ >= MOST_CORRECTIONS || !(await this.#corrected(error))) throw error;
      }
    }
  }

  /** The batch that was not answered, or the next one: it is kept before it is sent. */
  #openBatch(rows: Rows, limit: number): PendingBatch | undefined {
    const open = rows.fact<PendingBatch>(FACT.batch);
    if (open) return open;
    const waiting = rows.waiting<Change>(this.#bounds.changes);
    const batch = nextBatch(waiting, newId(), { ...this.#bounds, changes: limit });
    if (batch) rows.keepFact(FACT.batch, batch);
    return batch;
  }

  async #send({ batchId, first, last }: PendingBatch): Promise<PushAnswer> {
    const [node, changes] = await this.#node.store.look((rows) => [
      this.#node.enrolled(rows).node,
      rows.between<Change>(first, last),
    ]);
    const unsigned = { node, batchId, changes };
    const body = canonicalize({ ...unsigned, signature: this.#key.signValue(unsigned) })!;
    return this.#asked<PushAnswer>("POST", `${PATH}/sync`, body);
  }

  /** Each change by its answer; one that has none, because the hub said less, waits on. */
  #settle(rows: Rows, { first, last }: PendingBatch, { answers }: PushAnswer, done: Round): void {
    const sent = new Map(rows.between<Change>(first, last).map((change) => [change.seq, change]));
    for (const answer of answers) {
      const change = sent.get(answer.seq);
      if (!change) continue;
      done.sent++;
      if (answer.status !== "rejected") {
        rows.takeChange(change.seq);
        continue;
      }
      done.rejected++;
      this.#reject(rows, change, answer);
    }
    rows.keepFact(FACT.batch, undefined);
  }

  #reject(rows: Rows, change: Change, why: { code?: string; message?: string }): void {
    const isWithdrawn = rows.isWithdrawn(change.seq);
    // A stand-in was told of when it took its place.
    if (!(isWithdrawn && rows.isTold(change.seq)))
      rows.keepRejection(rejectionOf(change, why, iso(this.#node.clock.now()), isWithdrawn));
    rows.dropChange(change.seq);
    if (isWithdrawn) rows.keepFact(FACT.rewrite, true);
  }

  /**
   * Sends less at a time, until the change is found that the hub cannot read: something harmless then takes its number,
   * and its person is told.
   */
  async #makeReadable({ first, last }: PendingBatch, refused: HubRefusal, done: Round): Promise<number> {
    const count = last - first + 1;
    await this.#node.store.change((rows) => {
      if (count === 1) {
        const [change] = rows.between<Change>(first, last);
        if (rows.isTold(first)) throw refused;
        rows.keepRejection(rejectionOf(change!, refused, iso(this.#node.clock.now()), rows.isWithdrawn(first)));
        rows.replaceChange(placeholderOf(change!));
        done.rejected++;
      }
      rows.keepFact(FACT.batch, undefined);
    });
    return Math.max(1, Math.floor(count / 2));
  }

  /** Whether it could be put right here: the hub counts otherwise, or knows the batch's name for something else. */
  #corrected({ code, details }: HubRefusal): Promise<boolean> {
    return this.#node.store.change((rows) => {
      const { expected } = (details ?? {}) as { expected?: unknown };
      if (code === "SEQUENCE" && typeof expected === "number") {
        if (expected < rows.firstSeq((rows.fact<number>(FACT.lastSeq) ?? 0) + 1)) return false;
        rows.untakeFrom(expected);
      } else if (code !== "BATCH_DIFFERS") return false;
      rows.keepFact(FACT.batch, undefined);
      return true;
    });
  }

  /** A hub from before it told of its fields judges alone, as it did. */
  async #learnValues(): Promise<void> {
    try {
      const { entities } = await this.#asked<HubFields>("GET", `${PATH}/fields`);
      await this.#node.store.change((rows) => rows.keepFact(FACT.values, entities));
    } catch (error) {
      if (!(error instanceof HubRefusal) || error.status !== 404) throw error;
    }
    this.#knowsValues = true;
  }

  async #pull(done: Round): Promise<void> {
    for (let isDone = false; !isDone;) {
      const [{ node }, cursor] = await this.#node.store.look((rows): [Enrolled, string | undefined] => [
        this.#node.enrolled(rows),
        rows.fact<string>(FACT.cursor),
      ]);
      const query = new URLSearchParams({ node, limit: String(PAGE), ...(cursor !== undefined && { cursor }) });
      try {
        const page = await this.#asked<Delta>("GET", `${PATH}/sync/delta?${query}`);
        await this.#node.store.change((rows) => this.#take(rows, page, node, done));
        isDone = page.upToDate;
      } catch (error) {
        const isOld = error instanceof HubRefusal && (error.status === 410 || error.status === 400);
        if (!isOld || cursor === undefined) throw error;
        // Unsent changes stay: all that is read anew is what the hub knows.
        await this.#node.store.change((rows) => rows.keepFact(FACT.cursor, undefined));
      }
    }
  }

  /** One page, and the cursor behind it, in one transaction. */
  #take(rows: Rows, page: Delta, node: string, done: Round): void {
    if (page.reset) rows.markStale();
    for (const place of page.purge) {
      const gone = rows.addressesIn(place);
      for (const at of gone) purge(rows, at);
      done.purged += gone.length;
    }
    for (const { entity, id, place, ...rest } of page.records) {
      rows.keepRecord({ entity, id }, place, { place, ...rest });
      rows.dropTaken({ entity, id }, rest.state.vector[node] ?? 0);
      done.received++;
    }
    for (const { entity, id } of page.tombstones) {
      rows.dropRecord({ entity, id });
      rows.dropTaken({ entity, id }, Number.MAX_SAFE_INTEGER);
      done.received++;
    }
    if (page.upToDate) {
      const unseen = rows.staleAddresses();
      for (const at of unseen) purge(rows, at);
      done.purged += unseen.length;
      if (rows.dropTakenElsewhere()) rows.keepFact(FACT.rewrite, true);
    }
    rows.keepFact(FACT.cursor, page.cursor);
  }

  /** What was purged is taken out of the file; a kill on the way leaves word that it is to be done. */
  async clean(): Promise<void> {
    const { store } = this.#node;
    if (!(await store.look((rows) => rows.fact(FACT.rewrite)))) return;
    await store.rewrite();
    await store.change((rows) => rows.keepFact(FACT.rewrite, undefined));
  }

  async #asked<T extends { time: string }>(method: "GET" | "POST", path: string, body?: string): Promise<T> {
    const from = this.#node.clock.now();
    const answer = await this.#link.ask(method, path, {
      headers: this.#credential(),
      ...(body !== undefined && { body }),
    });
    await this.#learnTime(from, answer);
    return dataOf<T>(answer);
  }

  /** The hub's clock, as it stood when half of the exchange had gone by; its header tells only seconds. */
  async #learnTime(from: number, { body, date }: HubAnswer): Promise<void> {
    const told = Date.parse(body?.data?.time ?? "");
    const to = this.#node.clock.now();
    const theirs = Number.isNaN(told) ? date : told;
    if (theirs === undefined || to < from) return;
    const reading: ClockReading = { offsetMs: Math.round(theirs - (from + to) / 2), at: iso(to) };
    const known = await this.#node.store.look((rows) => rows.fact<ClockReading>(FACT.clock));
    // Written where it says something new: the network's own haste and delay do not.
    if (known && Math.abs(known.offsetMs - reading.offsetMs) < WORTH_TELLING_MS) return;
    await this.#node.store.change((rows) => rows.keepFact(FACT.clock, reading));
  }
}
/** Nothing of a record stays that its person may no longer see; numbers of what was not sent yet stay until it was. */
function purge(rows: Rows, at: { entity: string; id: string }): void {
  rows.dropRecord(at);
  rows.withdrawChanges(at);
  for (const { value: _, ...rejection } of rows.rejectionsOf<Rejection>(at)) rows.keepRejection(rejection);
  rows.keepFact(FACT.rewrite, true);
}
