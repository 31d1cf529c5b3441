import { sees } from "../../../../core/access/barrier.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Judged } from "../judged.ts";
import { Judgement, pairsOf } from "../resolution/judgements.ts";
import { closeOver, isOver, JUDGEMENTS, markOf, MESH, type Mark } from "./marks.ts";
import { RowReader } from "./rows.ts";
import { Statement, type Row } from "./statements.ts";

/** A set with more is read for each reader by itself, and its views are made of a part. */
export const MOST_ROWS_READ = 500_000;
/** A view that missed more changes than this is made anew. */
const MOST_HISTORY = 2_000;
/** What a statement takes, with the texts that are its own: measured (`bench/sections/staff/graph.ts`), and rounded up. */
export const BYTES_OF_A_ROW = 500;

const NONE: readonly Row[] = Object.freeze([]);

/** Whether somebody sees rows of these compartments, asked once for each that occur. */
export function sightOf(caller: Caller): (row: Row) => boolean {
  const known = new Map<readonly string[], boolean>();
  return (row) => {
    let seen = known.get(row.compartments);
    if (seen === undefined)
      known.set(row.compartments, (seen = sees(Statement.barrier, caller.meta.actor, { ...row })));
    return seen;
  };
}

/**
 * All statements and judgements of one set as they are stored, whoever sees them: read once, and afterwards only what
 * the set's mark says has changed. Views are made of those that their reader sees.
 */
export class HeldStatements {
  readonly #host: Host;
  readonly #problemSetId: string;
  #reader = new RowReader();
  #rows = new Map<string, readonly Row[]>();
  #judgements: readonly Judgement[] = [];
  #changes = -1;
  #tooMany = false;
  /** What changed, one after the other; views remember how far they have read in it. */
  #history: string[] = [];
  #forgotten = 0;
  #queue: Promise<void> = Promise.resolve();
  count = 0;

  constructor(host: Host, problemSetId: string) {
    this.#host = host;
    this.#problemSetId = problemSetId;
  }

  get position(): number {
    return this.#forgotten + this.#history.length;
  }
  get tooMany(): boolean {
    return this.#tooMany;
  }

  rowsOf(source: string): readonly Row[] {
    return this.#rows.get(source) ?? NONE;
  }
  sources(): string[] {
    return [...this.#rows.keys()];
  }

  /** What changed since; undefined where that is no longer known. */
  since(position: number): Set<string> | undefined {
    return position < this.#forgotten ? undefined : new Set(this.#history.slice(position - this.#forgotten));
  }

  judgedFor(caller: Caller): readonly Judged[] {
    return this.#judgements
      .filter((one) => sees(Judgement.barrier, caller.meta.actor, one))
      .sort((one, other) =>
        one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id) ? -1 : 1,
      )
      .flatMap(pairsOf);
  }

  /** Brings it up to what is stored at this moment, and to what somebody is storing. */
  async catchUp(): Promise<void> {
    const mark = await markOf(this.#host, this.#problemSetId);
    if (mark.changes === this.#changes && !mark.open.length) return;
    const next = this.#queue.catch(() => undefined).then(() => this.#read());
    this.#queue = next.catch(() => undefined);
    await next;
  }

  async #read(): Promise<void> {
    let mark = await markOf(this.#host, this.#problemSetId);
    if (isOver(this.#host, mark)) {
      await closeOver(this.#host, this.#problemSetId);
      mark = await markOf(this.#host, this.#problemSetId);
    }
    const news = mark.log.filter(({ at }) => at > this.#changes);
    const isKnown = this.#changes >= 0 && news.length === mark.changes - this.#changes && !this.#tooMany;
    if (!isKnown) await this.#readAll();
    else for (const one of aboutIn(mark, news)) await this.#readAgain(one);
    this.#changes = mark.changes;
  }

  async #readAll(): Promise<void> {
    this.#reader = new RowReader();
    const query = { problemSetId: this.#problemSetId };
    const count = await this.#host.store(Statement).collection.count({ query, most: MOST_ROWS_READ + 1 });
    const rows = count > MOST_ROWS_READ ? undefined : await this.#reader.read(this.#host, query, MOST_ROWS_READ);
    this.#tooMany = rows === undefined;
    this.#rows = rows ?? new Map();
    this.count = [...this.#rows.values()].reduce((sum, own) => sum + own.length, 0);
    this.#judgements = await this.#readJudgements();
    // Whatever views were made of before is another now.
    this.#forgotten = this.position + 1;
    this.#history = [];
  }

  async #readJudgements(): Promise<Judgement[]> {
    const found: Judgement[] = [];
    const store = this.#host.store(Judgement);
    for await (const slice of store.slices(MESH, { problemSetId: this.#problemSetId }))
      found.push(...(slice as Judgement[]));
    return found;
  }

  async #readAgain(about: string): Promise<void> {
    if (about === JUDGEMENTS) {
      const found = await this.#readJudgements();
      if (JSON.stringify(found) === JSON.stringify(this.#judgements)) return;
      this.#judgements = found;
    } else {
      const query = { problemSetId: this.#problemSetId, source: about };
      const found = (await this.#reader.read(this.#host, query, MOST_ROWS_READ))?.get(about) ?? NONE;
      const before = this.rowsOf(about);
      if (JSON.stringify(found) === JSON.stringify(before)) return;
      this.count += found.length - before.length;
      if (found.length) this.#rows.set(about, found);
      else this.#rows.delete(about);
    }
    this.#history.push(about);
    if (this.#history.length <= MOST_HISTORY) return;
    this.#forgotten += this.#history.length;
    this.#history = [];
  }
}

const aboutIn = ({ open }: Mark, news: Mark["log"]): Set<string> =>
  new Set([...news, ...open].flatMap(({ about }) => about));
