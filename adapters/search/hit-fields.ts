import type { SearchDocument } from "../../core/records/reading/search.ts";
import type { IndexFile } from "./index-file.ts";

/**
 * `put`: number of the put that wrote the article's present state. `removed`: articles that a rebuild's stream must not
 * restore.
 */
export const SHOWN_SCHEMA = `
  create table if not exists articles (
    id integer primary key, put integer not null, rev integer not null, title text not null, url text not null, summary text not null, source text not null,
    verified integer not null, published_at text not null, story_id text not null, report_id text not null, text text not null
  ) strict;
  create table if not exists removed (id integer primary key) strict;`;

/** Fields of a hit beside the article's columns, and the text for its snippet. */
export type HitFields = Pick<
  SearchDocument,
  "title" | "url" | "summary" | "source" | "verified" | "publishedAt" | "storyId" | "reportId" | "text"
>;

/** The displayed fields of each article, by its id. Writes run inside a transaction. */
export class ShownArticles {
  readonly #file: IndexFile;

  constructor(file: IndexFile) {
    this.#file = file;
  }

  /** The fields of these articles, as far as they exist. */
  read(ids: readonly number[]): Map<number, HitFields> {
    const rows = this.#file.rows(
      "select id, title, url, summary, source, verified, published_at, story_id, report_id, text from " +
        "articles where id in (select value from json_each(?))",
      JSON.stringify(ids),
    );
    return new Map(
      (rows as [number, string, string, string, string, number, string, string, string, string][]).map(
        ([id, title, url, summary, source, verified, publishedAt, storyId, reportId, text]) => [
          id,
          { title, url, summary, source, verified: verified === 1, publishedAt, storyId, reportId, text },
        ],
      ),
    );
  }

  /**
   * False where the document must not be stored; else the put that it replaces, if any. `streamed`: from a rebuild's
   * stream, which may be older than a removal.
   */
  takes({ id, rev }: { id: number; rev: number }, streamed: boolean): number | undefined | false {
    if (streamed && this.#file.row("select 1 from removed where id = ?", id)) return false;
    if (!streamed) this.#file.run("delete from removed where id = ?", id);
    const [put, known] = (this.#file.row("select put, rev from articles where id = ?", id) ?? []) as [number?, number?];
    return known !== undefined && (streamed ? known >= rev : known > rev) ? false : put;
  }

  write(
    { id, rev, title, url, summary, source, text, verified, publishedAt, storyId, reportId }: SearchDocument,
    put: number,
  ): void {
    this.#file.run(
      "insert or replace into articles values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      put,
      rev,
      title,
      url,
      summary,
      source,
      verified ? 1 : 0,
      publishedAt,
      storyId,
      reportId,
      text,
    );
  }

  /** Removes an article; answers the put that wrote it, if any. */
  remove(id: number): number | undefined {
    return this.#file.row("delete from articles where id = ? returning put", id)?.[0] as number | undefined;
  }
  noteRemoved(id: number): void {
    this.#file.run("insert or ignore into removed values (?)", id);
  }
  forgetRemoved(): void {
    this.#file.run("delete from removed");
  }
}
