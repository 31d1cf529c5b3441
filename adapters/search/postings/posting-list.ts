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
const MOST_COUNTED = 0xffff;

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

/** Positions of one document: all of the title, then all of the body, which lie beyond every title's. */
export const BODY_BEGINS = 2 ** 24;
export function positionsOf(bytes: Uint8Array, from: number, to: number, inTitle: number): number[] {
  const found: number[] = [];
  const reader = new Reader(bytes, from);
  for (let position = 0; reader.at < to;) {
    if (found.length === inTitle) position = BODY_BEGINS;
    found.push((position += reader.number()));
  }
  return found;
}
