import type { SearchDocument } from "../../core/records/reading/search.ts";
import type { IndexFile } from "./index-file.ts";

/**
 * `put`: number of the put that wrote the article's present state. `removed`: articles that a rebuild's stream must not
 * bring back.
 */
export const SHOWN_SCHEMA = `
  create table if not exists articles (
    id integer primary key, put integer not null, rev integer not null, title text not null, url text not null, summary text not null, source text not null,
    verified integer not null, published_at text not null, story_id text not null, report_id text not null, text text not null
  ) strict;
  create table if not exists removed (id integer primary key) strict;`;

/** What a hit shows of an article beside its columns, and the text its snippet is cut from. */
export type HitFields = Pick<
  SearchDocument,
  "title" | "url" | "summary" | "source" | "verified" | "publishedAt" | "storyId" | "reportId" | "text"
>;

/** What is shown of each article, by its id. Writes run inside of a transaction. */
export class ShownArticles {
  readonly #file: IndexFile;

  constructor(file: IndexFile) {
    this.#file = file;
  }

  /** What is there of these articles. */
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
   * False where the document is not to be taken; else the put that it replaces, if any. `streamed`: from a rebuild's
   * stream, which may be behind a removal.
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

  /** Takes an article out; answers the put that wrote it, if any. */
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
