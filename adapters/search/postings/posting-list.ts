/**
 * The list of a term: in which documents of a segment it stands (by ascending place in the segment), how often, and
 * where. Where it stands is kept apart, because only phrases ask for it. Lists of segments that follow one another
 * become one list by putting their bytes one after the other; only the first number of each is written anew.
 */
import { Bytes, numberAt, Reader, widthOf } from "./bytes.ts";

/** Once in the body; so often in the body; so often in the title and in the body. */
const ONCE = 0,
  BODY = 1,
  BOTH = 2;

/** A list and its term inside of a block. */
export interface ListPlace {
  lists: Uint8Array;
  /** The term in UTF-8. */
  termFrom: number;
  termTo: number;
  /** Documents. */
  count: number;
  /** The place of the last. */
  last: number;
  /**
   * For each document: four times the distance from the one before, plus a code (ONCE, BODY, BOTH), and the counts that
   * the code leaves open.
   */
  documentsFrom: number;
  documentsTo: number;
  positions: Uint8Array;
  /**
   * For each document: positions in the title, then in the body, each as the distance from the one before. Empty where
   * only the fields count.
   */
  positionsFrom: number;
  positionsTo: number;
}

/** Writes lists. */
export class ListWriter {
  readonly documents = new Bytes();
  readonly positions = new Bytes();
  count = 0;
  last = 0;

  document(place: number, inTitle: number, inBody: number): void {
    const step = 4 * (place - this.last);
    this.last = place;
    this.count++;
    if (inTitle > 0) {
      this.documents.number(step + BOTH);
      this.documents.number(inTitle);
      this.documents.number(inBody);
    } else {
      this.documents.number(step + (inBody === 1 ? ONCE : BODY));
      if (inBody !== 1) this.documents.number(inBody);
    }
  }

  /** Another list whole, its places moved up by `offset`. */
  append(
    { count, last, lists, documentsFrom, documentsTo, positions, positionsFrom, positionsTo }: ListPlace,
    offset: number,
  ): void {
    let first = 0,
      scale = 1,
      at = documentsFrom;
    for (; lists[at]! > 0x7f; scale *= 128) first += (lists[at++]! & 0x7f) * scale;
    first += lists[at++]! * scale;
    this.documents.number(first + 4 * (offset - this.last));
    this.documents.append(lists, at, documentsTo);
    this.positions.append(positions, positionsFrom, positionsTo);
    this.count += count;
    this.last = offset + last;
  }

  clear(): void {
    this.documents.clear();
    this.positions.clear();
    this.count = this.last = 0;
  }
}

/** A list laid out: places, and how often the term stands in title and body of each. */
export interface Postings {
  places: Int32Array;
  inTitle: Uint16Array;
  inBody: Uint16Array;
}
export const MOST_COUNTED = 0xffff;

/** Reads a list's documents. */
export function postingsOf({ count, lists, documentsFrom, documentsTo }: ListPlace): Postings {
  const places = new Int32Array(count),
    inTitle = new Uint16Array(count),
    inBody = new Uint16Array(count);
  let at = documentsFrom;
  for (let number = 0, place = 0; number < count; number++) {
    const step = numberAt(lists, at),
      code = step & 3;
    at += widthOf(step);
    places[number] = place += step >>> 2;
    if (code === BOTH) {
      const often = numberAt(lists, at);
      at += widthOf(often);
      inTitle[number] = Math.min(MOST_COUNTED, often);
    }
    if (code === ONCE) inBody[number] = 1;
    else {
      const often = numberAt(lists, at);
      at += widthOf(often);
      inBody[number] = Math.min(MOST_COUNTED, often);
    }
  }
  if (at !== documentsTo) throw new RangeError("The search index holds a list that does not end where it should.");
  return { places, inTitle, inBody };
}

/** Calls `visit` for each document, with where its positions are. */
export function eachPosting(
  { count, lists, documentsFrom, positions, positionsFrom, positionsTo }: ListPlace,
  visit: (place: number, inTitle: number, inBody: number, from: number, to: number) => void,
): void {
  const reader = new Reader(lists, documentsFrom);
  for (let number = 0, place = 0, from = positionsFrom; number < count; number++) {
    const step = reader.number(),
      code = step % 4;
    place += (step - code) / 4;
    const inTitle = code === BOTH ? reader.number() : 0;
    const inBody = code === ONCE ? 1 : reader.number();
    let to = from;
    if (positionsTo > positionsFrom)
      for (let left = inTitle + inBody; left > 0; to++) if (positions[to]! < 0x80) left--;
    visit(place, inTitle, inBody, from, to);
    from = to;
  }
}

/** Positions in the title come first; those in the body lie beyond every title's. */
export const BODY_BEGINS = 2 ** 24;

/** Where a term stands in some documents: of document `places[n]` at `positions` from `starts[n]` to `starts[n + 1]`. */
export interface Sites {
  places: Int32Array;
  starts: Int32Array;
  positions: Int32Array;
}

/** Where a list's term stands in those of the documents that hold it (all without `among`, whose places ascend). */
export function sitesOf(
  { count, lists, documentsFrom, positions, positionsFrom }: ListPlace,
  among?: Int32Array,
): Sites {
  const most = Math.min(count, among?.length ?? count);
  const places = new Int32Array(most),
    starts = new Int32Array(most + 1);
  let sites = new Int32Array(4 * most + 64);
  let kept = 0,
    filled = 0,
    wanted = 0,
    passed = 0;
  for (let number = 0, place = 0, at = documentsFrom, from = positionsFrom; number < count && kept < most; number++) {
    const step = numberAt(lists, at),
      code = step & 3;
    at += widthOf(step);
    place += step >>> 2;
    let inTitle = 0,
      inBody = 1;
    if (code === BOTH) {
      inTitle = numberAt(lists, at);
      at += widthOf(inTitle);
    }
    if (code !== ONCE) {
      inBody = numberAt(lists, at);
      at += widthOf(inBody);
    }
    if (among) {
      while (wanted < among.length && among[wanted]! < place) wanted++;
      if (wanted === among.length) break;
      if (among[wanted] !== place) {
        passed += inTitle + inBody;
        continue;
      }
    }
    for (; passed > 0; from++) if (positions[from]! < 0x80) passed--;
    const often = inTitle + inBody;
    if (filled + often > sites.length) {
      const larger = new Int32Array(2 * (filled + often));
      larger.set(sites);
      sites = larger;
    }
    places[kept] = place;
    starts[kept++] = filled;
    for (let n = 0, position = 0; n < often; n++) {
      if (n === inTitle) position = BODY_BEGINS;
      const distance = numberAt(positions, from);
      from += widthOf(distance);
      sites[filled++] = position += distance;
    }
  }
  starts[kept] = filled;
  return { places: places.subarray(0, kept), starts, positions: sites };
}
