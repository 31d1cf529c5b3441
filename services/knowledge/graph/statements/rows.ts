import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Query } from "../../../../core/records/documents.ts";
import { MESH } from "./marks.ts";
import { ROW_FIELDS, Statement, type Row } from "./statements.ts";

const SLICE = 500;
const NO_PASSAGES: number[] = [];

/** Rows of one set hold each text that they have in common once. */
export class RowReader {
  readonly #texts = new Map<string, string>();
  readonly #places = new Map<string, string[]>();

  #text<T extends string | undefined>(text: T): T {
    if (text === undefined) return text;
    const known = this.#texts.get(text);
    if (known !== undefined) return known as T;
    this.#texts.set(text, text);
    return text;
  }

  #place(compartments: string[]): string[] {
    const key = compartments.join(" ");
    const known = this.#places.get(key);
    if (!known) this.#places.set(key, compartments);
    return known ?? compartments;
  }

  #compact(row: Row): Row {
    const { id, value, confidence, times, passages, object, validFrom, validTo } = row;
    return {
      ...{ id, confidence, times, problemSetId: this.#text(row.problemSetId) },
      compartments: this.#place(row.compartments),
      subject: this.#text(row.subject),
      predicate: this.#text(row.predicate),
      ...(object !== undefined && { object: this.#text(object) }),
      ...(value !== undefined && { value }),
      ...{ method: this.#text(row.method), source: this.#text(row.source), voice: this.#text(row.voice) },
      ...{ observedAt: this.#text(row.observedAt), createdAt: this.#text(row.createdAt) },
      ...(validFrom !== undefined && { validFrom }),
      ...(validTo !== undefined && { validTo }),
      passages: passages.length ? passages : NO_PASSAGES,
    };
  }

  /** The statements that fit, by their sources; undefined where there are more than `most`. */
  async read(host: Host, query: Query, most: number): Promise<Map<string, Row[]> | undefined> {
    const found = new Map<string, Row[]>();
    let count = 0;
    for await (const slice of host.store(Statement).slices(MESH, query, { fields: ROW_FIELDS, size: SLICE })) {
      if ((count += slice.length) > most) return undefined;
      for (const one of slice as Row[]) {
        const row = this.#compact(one);
        const known = found.get(row.source);
        if (known) known.push(row);
        else found.set(row.source, [row]);
      }
    }
    return found;
  }
}
