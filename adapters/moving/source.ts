import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Doc } from "../../core/records/documents.ts";
import type { SeriesPoint } from "../../core/records/reading/readings.ts";
import { BLOBS } from "../blobs/folder.ts";
import { countCollections } from "../documents/backup.ts";
import { quoted } from "../documents/sqlite/query/sql.ts";
import { hasReadings, latestReadings, storedReadings } from "../readings/table.ts";
import { COLLECTION as ROOT_SECRET, ROOT } from "../root-secret.ts";

/** Documents read together, or characters of them. */
export const MOST_AT_ONCE = 500;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Half a surrogate pair, as JSON writes it. */
const CUT = /\\ud[89a-f]/i;

/** MongoDB stores text as UTF-8, which cannot represent half a surrogate pair. */
const documentOf = (json: string): Doc =>
  CUT.test(json)
    ? JSON.parse(json, (_key, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value))
    : JSON.parse(json);

export const STORE = "signalmesh.db";

/** An embedded store in exclusive use, read from one end to the other. */
export class MoveSource {
  readonly folder: string;
  readonly file: string;
  readonly #database: DatabaseSync;

  constructor(folder: string) {
    this.folder = folder;
    this.file = join(folder, STORE);
    this.#database = new DatabaseSync(this.file);
  }

  /** Documents in each collection, except the record about the root secret. */
  collections(): Record<string, number> {
    const { [ROOT_SECRET]: _, ...others } = countCollections(this.#database);
    return others;
  }

  /** Fingerprint of its root secret; undefined in a store of a version that kept none. */
  fingerprint(): string | undefined {
    if (!(ROOT_SECRET in countCollections(this.#database))) return undefined;
    const text = `select json_extract(doc, '$.fingerprint') as kept from ${ROOT_SECRET} where id = ?`;
    return this.#database.prepare(text).get(ROOT)?.["kept"] as string | undefined;
  }

  /** Rises with each start of a node on it. */
  starts(): number {
    return Number(this.#database.prepare("select pings from _pings").get()?.["pings"] ?? 0);
  }

  *documents(collection: string): Generator<Doc[]> {
    const rows = this.#database.prepare(`select json(doc) as doc from ${quoted(collection)} order by n`).iterate();
    let together: Doc[] = [],
      characters = 0;
    for (const { doc } of rows as Iterable<{ doc: string }>) {
      together.push(documentOf(doc));
      characters += doc.length;
      if (together.length < MOST_AT_ONCE && characters < MOST_CHARACTERS) continue;
      yield together;
      together = [];
      characters = 0;
    }
    if (together.length) yield together;
  }

  /** All readings, series by series. */
  readings(): Iterable<SeriesPoint> {
    return hasReadings(this.#database) ? storedReadings(this.#database) : [];
  }

  /** The last reading of each series, which is kept longer than the others. */
  latest(): Iterable<SeriesPoint> {
    return hasReadings(this.#database) ? latestReadings(this.#database) : [];
  }

  /** Ids of the blobs, and where each lies. */
  blobs(): { id: string; path: string }[] {
    const root = join(this.folder, BLOBS);
    return globSync("[a-z]*/*/*", { cwd: root })
      .sort()
      .map((file) => {
        const [owner, , name] = file.split(/[\\/]/);
        return { id: `${owner}/${name}`, path: join(root, file) };
      });
  }

  close(): void {
    this.#database.close();
  }
}
