import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { conflict } from "../../core/problem.ts";
import type {
  RankedHit,
  SearchAnswer,
  SearchDocument,
  SearchIndex,
  SearchRequest,
} from "../../core/records/reading/search.ts";
import { makeFileSecretly, makeFolder } from "../folder.ts";
import { rankGeneration, searchGeneration } from "./embedded-query.ts";
import { Generation, type WriteMode } from "./generation.ts";
import { OtherLayout } from "./index-file.ts";
import { prepared, slice } from "./prepared-documents.ts";
import { MOST_SPELLINGS, spellings } from "./spelling.ts";

/** Documents that become one segment, in one transaction. */
const BATCH = 500;
/** The most steps of merging after each batch: many times what keeps up. */
const MERGES = 60;
const SIDE_FILES = ["", "-wal", "-shm"];

type Role = "live" | "building";

/**
 * Full-text search in separate SQLite files, which can be rebuilt at any time: `search.db` says which generation is
 * live and which is being built, `search-NAME.db` is one. Every process writes to both, so that a rebuild misses
 * nothing. A generation that has become unreadable is replaced by an empty one, which `outdated` reports.
 */
export class EmbeddedSearch implements SearchIndex {
  readonly kind = "embedded";
  readonly #directory: string | null;
  readonly #open = new Map<string, Generation>();
  #control: DatabaseSync | undefined;
  #named: StatementSync | undefined;
  #writes: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(dataDir: string | ":memory:") {
    this.#directory = dataDir === ":memory:" ? null : dataDir;
  }

  /** The small file that names the generations; opened on first use. */
  #state(): DatabaseSync {
    if (this.#control) return this.#control;
    if (this.#closed) throw new Error("The search index is closed.");
    if (this.#directory) makeFolder(this.#directory);
    const file = this.#directory ? join(this.#directory, "search.db") : ":memory:";
    if (this.#directory) makeFileSecretly(file);
    const control = new DatabaseSync(file, { timeout: 5_000 });
    control.exec(`pragma journal_mode = wal; pragma synchronous = normal;
      create table if not exists generations (role text primary key, name text not null) strict;`);
    control.prepare("insert or ignore into generations values ('live', ?)").run(randomUUID());
    return (this.#control = control);
  }

  #name(role: Role): string | undefined {
    const control = this.#state();
    return (
      (this.#named ??= control.prepare("select name from generations where role = ?")).get(role) as
        | { name: string }
        | undefined
    )?.name;
  }

  #path(name: string): string {
    return this.#directory ? join(this.#directory, `search-${name}.db`) : ":memory:";
  }

  #generation(name: string, mode: WriteMode): Generation {
    const known = this.#open.get(name);
    if (known) return known;
    try {
      const opened = new Generation(this.#path(name), mode);
      this.#open.set(name, opened);
      return opened;
    } catch (error) {
      if (!isDamaged(error) && !(error instanceof OtherLayout)) throw error;
      // The store has everything: a file that is unreadable, or has an older layout, is replaced by an empty, outdated
      // one under a new name.
      const fresh = randomUUID();
      this.#state().prepare("update generations set name = ? where name = ?").run(fresh, name);
      for (const side of SIDE_FILES) rmSync(`${this.#path(name)}${side}`, { force: true });
      return this.#generation(fresh, mode);
    }
  }

  /** The live generation; generations that another process has replaced are closed. */
  #live(): Generation {
    const name = this.#name("live")!;
    const live = this.#generation(name, "live");
    if (this.#open.size > 1) {
      const building = this.#name("building");
      for (const old of [...this.#open.keys()]) {
        const generation = this.#open.get(old)!;
        if (old === building || generation === live) continue;
        generation.close();
        this.#open.delete(old);
      }
    }
    return live;
  }

  #building(): Generation | undefined {
    const name = this.#name("building");
    return name === undefined || (this.#directory && !existsSync(this.#path(name)))
      ? undefined
      : this.#generation(name, "draft");
  }

  /** Runs this process's writes one after the other, in order. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writes.then(work);
    this.#writes = done.catch(() => {});
    return done;
  }

  /**
   * Writes to each active generation in one transaction. No transaction may be open while the event loop runs: another
   * writer of the same files, even in this process, would block its own event loop waiting for it, possibly forever.
   */
  #write(work: (to: Generation, isLive: boolean) => void): void {
    const live = this.#live(),
      building = this.#building();
    const both = (): void => {
      work(live, true);
      if (building) work(building, false);
    };
    live.transaction(building ? () => building.transaction(both) : both);
  }

  async #merge(): Promise<void> {
    for (let step = 0; step < MERGES && this.#live().mergeSome(slice()); step++) await nextTurn();
  }

  put(documents: readonly SearchDocument[]): Promise<void> {
    return this.#inOrder(async () => {
      for (let at = 0; at < documents.length; at += BATCH) {
        const batch = await prepared(documents.slice(at, at + BATCH));
        await nextTurn();
        this.#write((to) => to.write(batch));
        await nextTurn();
        await this.#merge();
      }
    });
  }

  remove(ids: readonly number[]): Promise<void> {
    return this.#inOrder(async () => {
      for (let at = 0; at < ids.length; at += BATCH) {
        this.#write((to, isLive) => {
          for (const id of ids.slice(at, at + BATCH)) to.remove(id, !isLive);
        });
        await nextTurn();
      }
      await this.#merge();
    });
  }

  async search(request: SearchRequest): Promise<SearchAnswer> {
    return searchGeneration(this.#live(), request);
  }
  async ranked(request: SearchRequest): Promise<RankedHit[]> {
    return rankGeneration(this.#live(), request);
  }

  async spellings(word: string): Promise<string[]> {
    return (await spellings(this.#live().segments(), word, MOST_SPELLINGS)).map((one) => one.word);
  }

  async rebuild(documents: AsyncIterable<SearchDocument>): Promise<number> {
    const name = randomUUID();
    const overtaken = this.#name("building");
    this.#state().prepare("insert or replace into generations values ('building', ?)").run(name);
    if (overtaken) await this.#discard(overtaken);
    try {
      const draft = this.#generation(name, "draft");
      await this.#fill(name, draft, documents);
      draft.markComplete();
      await this.#harden(name, draft);
      return await this.#inOrder(() => this.#swap(name, draft));
    } catch (error) {
      if (!this.#closed)
        this.#state().prepare("delete from generations where role = 'building' and name = ?").run(name);
      await this.#discard(name);
      throw error;
    }
  }

  #stillBuilding(name: string): void {
    if (this.#closed) throw conflict("The search index was closed during its rebuild.");
    if (this.#name("building") !== name)
      throw conflict("Another rebuild of the search index began; this one gave way.");
  }

  async #fill(name: string, draft: Generation, documents: AsyncIterable<SearchDocument>): Promise<void> {
    let pending: SearchDocument[] = [];
    const write = async () => {
      const batch = await prepared(pending);
      pending = [];
      this.#stillBuilding(name);
      draft.transaction(() => draft.write(batch, true));
      await nextTurn();
      for (let step = 0; step < MERGES && draft.mergeSome(slice()); step++) await nextTurn();
    };
    for await (const document of documents) {
      pending.push(document);
      if (pending.length >= BATCH) await write();
    }
    if (pending.length > 0) await write();
    for (this.#stillBuilding(name); draft.mergeSome(slice(), true); this.#stillBuilding(name)) await nextTurn();
  }

  /**
   * A draft was written without syncing; before it goes live its file must be on the disk. The sync does not block the
   * event loop.
   */
  async #harden(name: string, draft: Generation): Promise<void> {
    draft.setMode("live");
    if (!this.#directory) return;
    for (const side of ["", "-wal"]) {
      const file = await open(`${this.#path(name)}${side}`, "r+");
      await file.sync().finally(() => file.close());
    }
  }

  async #swap(name: string, draft: Generation): Promise<number> {
    this.#stillBuilding(name);
    const control = this.#state();
    const old = this.#name("live")!;
    control.exec("begin immediate");
    control.prepare("update generations set name = ? where role = 'live'").run(name);
    control.prepare("delete from generations where role = 'building'").run();
    control.exec("commit");
    await this.#discard(old);
    await this.#sweep();
    return draft.count();
  }

  /** Closes a generation and deletes its files. Another process that still reads it can finish. */
  async #discard(name: string): Promise<void> {
    this.#open.get(name)?.close();
    this.#open.delete(name);
    if (this.#directory) for (const side of SIDE_FILES) await rm(`${this.#path(name)}${side}`, { force: true });
  }

  /** Deletes files of generations that are no longer named, left by a killed rebuild. */
  async #sweep(): Promise<void> {
    if (!this.#directory) return;
    const named = [this.#name("live"), this.#name("building")];
    for (const file of readdirSync(this.#directory)) {
      const name = /^search-([0-9a-f-]{36})\.db$/.exec(file)?.[1];
      if (name && !named.includes(name)) await this.#discard(name);
    }
  }

  async outdated(): Promise<boolean> {
    return !this.#live().complete;
  }
  async count(): Promise<number> {
    return this.#live().count();
  }
  async ping(): Promise<void> {
    this.#live().ping();
  }

  async close(): Promise<void> {
    await this.#writes;
    this.#closed = true;
    for (const generation of this.#open.values()) generation.close();
    this.#open.clear();
    this.#control?.close();
    this.#control = this.#named = undefined;
  }
}

const NOT_A_DATABASE = 26,
  CORRUPT = 11;
const isDamaged = (error: unknown): boolean =>
  [NOT_A_DATABASE, CORRUPT].includes((error as { errcode?: number }).errcode ?? 0);
