/** What is kept in memory of each document of a segment: what it is found again, filtered and ranked by. */
export interface Columns {
  /** Number of the put, rising within a segment: tells a document's present state from earlier ones. */
  put: Float64Array;
  id: Float64Array;
  /** Milliseconds since the epoch. */
  published: Float64Array;
  confidence: Float64Array;
  sourceId: Float64Array;
  /** The report as a number: its name by a hash of 48 bits. */
  report: Float64Array;
  /** Words of title and body, those of the title as often as one there weighs. */
  length: Uint32Array;
  /** Places in `names`. */
  source: Uint32Array;
  domain: Uint32Array;
  names: string[];
}

const FLOATS = ["put", "id", "published", "confidence", "sourceId", "report"] as const;
const COUNTS = ["length", "source", "domain"] as const;

/** Columns of arrays made in this order. */
const columnsOf = (floats: () => Float64Array, counts: () => Uint32Array, names: string[]): Columns => ({
  put: floats(),
  id: floats(),
  published: floats(),
  confidence: floats(),
  sourceId: floats(),
  report: floats(),
  length: counts(),
  source: counts(),
  domain: counts(),
  names,
});

export const emptyColumns = (count: number): Columns =>
  columnsOf(
    () => new Float64Array(count),
    () => new Uint32Array(count),
    [],
  );

/**
 * The columns as one blob (names are kept beside it), in the byte order of the machine: an index file does not travel.
 */
export function packColumns(columns: Columns): Uint8Array {
  const parts = [...FLOATS.map((name) => columns[name]), ...COUNTS.map((name) => columns[name])];
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return bytes;
}

export function unpackColumns(blob: Uint8Array, count: number, names: string[]): Columns {
  const { buffer } = Uint8Array.from(blob);
  let at = 0;
  return columnsOf(
    () => new Float64Array(buffer, (at += 8 * count) - 8 * count, count),
    () => new Uint32Array(buffer, (at += 4 * count) - 4 * count, count),
    names,
  );
}

/** Names as numbers. */
export class NumberedNames {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  place(name: string): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    this.#places.set(name, this.list.length);
    return this.list.push(name) - 1;
  }
}

/** Copies document `from` of some columns to place `to` of others, whose names are `names`. */
export function copyDocument(source: Columns, from: number, target: Columns, to: number, names: NumberedNames): void {
  for (const name of FLOATS) target[name][to] = source[name][from]!;
  target.length[to] = source.length[from]!;
  target.source[to] = names.place(source.names[source.source[from]!]!);
  target.domain[to] = names.place(source.names[source.domain[from]!]!);
}
