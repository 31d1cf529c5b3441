/**
 * The list of a term: in which documents of a segment it stands (by ascending place in the segment), how often, and where. Where it stands
 * is kept apart, because only phrases ask for it. Lists of segments that follow one another become one list by putting their bytes one
 * after the other; only the first number of each is written anew.
 */
import { Bytes, Reader } from "./bytes.ts";

export interface PostingList {
  /** Documents. */
  count: number;
  /** The place of the last. */
  last: number;
  /** For each document: four times the distance from the one before, plus a code (ONCE, BODY, BOTH), and the counts that the code leaves open. */
  documents: Uint8Array;
  /** For each document: positions in the title, then in the body, each as the distance from the one before. Empty where only the fields count. */
  positions: Uint8Array;
}

/** Once in the body; so often in the body; so often in the title and in the body. */
const ONCE = 0, BODY = 1, BOTH = 2;

/** A list inside of larger bytes. */
export interface ListPlace {
  count: number;
  last: number;
  lists: Uint8Array;
  documentsFrom: number;
  documentsTo: number;
  positions: Uint8Array;
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
  append({ count, last, lists, documentsFrom, documentsTo, positions, positionsFrom, positionsTo }: ListPlace, offset: number): void {
    let first = 0, scale = 1, at = documentsFrom;
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
export interface Postings { places: Int32Array; inTitle: Uint16Array; inBody: Uint16Array }
const MOST_COUNTED = 0xffff;

export function postingsOf({ count, documents }: PostingList): Postings {
  const places = new Int32Array(count), inTitle = new Uint16Array(count), inBody = new Uint16Array(count);
  const reader = new Reader(documents);
  for (let at = 0, place = 0; at < count; at++) {
    const step = reader.number(), code = step % 4;
    places[at] = place += (step - code) / 4;
    if (code === BOTH) inTitle[at] = Math.min(MOST_COUNTED, reader.number());
    inBody[at] = code === ONCE ? 1 : Math.min(MOST_COUNTED, reader.number());
  }
  return { places, inTitle, inBody };
}

/** Calls `visit` for each document, with the bytes of its positions. */
export function eachPosting({ count, documents, positions }: PostingList, visit: (place: number, inTitle: number, inBody: number, positions: Uint8Array) => void): void {
  const reader = new Reader(documents), where = new Reader(positions);
  for (let at = 0, place = 0; at < count; at++) {
    const step = reader.number(), code = step % 4;
    place += (step - code) / 4;
    const inTitle = code === BOTH ? reader.number() : 0;
    const inBody = code === ONCE ? 1 : reader.number();
    const from = where.at;
    if (positions.length > 0) for (let left = inTitle + inBody; left > 0; left--) where.number();
    visit(place, inTitle, inBody, positions.subarray(from, where.at));
  }
}

/** Positions of one document: all of the title, then all of the body, which lie beyond every title's. */
export const BODY_BEGINS = 2 ** 24;
export function positionsOf(bytes: Uint8Array, inTitle: number): number[] {
  const found: number[] = [];
  const reader = new Reader(bytes);
  for (let position = 0; reader.at < bytes.length;) {
    if (found.length === inTitle) position = BODY_BEGINS;
    found.push((position += reader.number()));
  }
  return found;
}
