/**
 * Bytes that are gathered one after the other. Numbers are whole, from 0 up, seven bits a byte, the lowest first
 * (LEB128).
 */
export class Bytes {
  #held: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 1_024) {
    this.#held = new Uint8Array(capacity);
  }

  #room(more: number): void {
    if (this.length + more <= this.#held.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#held.length, this.length + more));
    larger.set(this.#held.subarray(0, this.length));
    this.#held = larger;
  }

  number(value: number): void {
    this.#room(8);
    if (value < 0x80) {
      this.#held[this.length++] = value;
      return;
    }
    let rest = value;
    for (; rest > 0x7f; rest = rest < 0x80000000 ? rest >>> 7 : Math.floor(rest / 128))
      this.#held[this.length++] = (rest & 0x7f) | 0x80;
    this.#held[this.length++] = rest;
  }

  append(bytes: Uint8Array, from = 0, to = bytes.length): void {
    const count = to - from;
    this.#room(count);
    const held = this.#held,
      begin = this.length;
    if (count > 64) held.set(bytes.subarray(from, to), begin);
    else for (let at = 0; at < count; at++) held[begin + at] = bytes[from + at]!;
    this.length = begin + count;
  }

  /** All that others gathered. */
  appendAll(others: Bytes): void {
    this.append(others.#held, 0, others.length);
  }

  /** A number of 32 bits, the lowest byte first. */
  word(value: number): void {
    this.#room(4);
    for (let shift = 0; shift < 32; shift += 8) this.#held[this.length++] = (value >>> shift) & 0xff;
  }

  clear(): void {
    this.length = 0;
  }
  /** What is gathered, valid until the next change. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#held.subarray(0, this.length);
  }
  /** A copy of what is gathered. */
  copy(): Uint8Array<ArrayBuffer> {
    return this.#held.slice(0, this.length);
  }
}

const FOUR_BYTES = 0xf0,
  LAST_PLANE = 0xee;

/**
 * How texts in UTF-8 stand to one another as JavaScript compares strings: less than 0, 0 or more. The order of their
 * bytes, but that characters beyond the basic plane (four bytes) come before the last of that plane (U+E000 to U+FFFF).
 */
export function compareTexts(
  one: Uint8Array,
  oneFrom: number,
  oneTo: number,
  other: Uint8Array,
  otherFrom: number,
  otherTo: number,
): number {
  const shorter = Math.min(oneTo - oneFrom, otherTo - otherFrom);
  for (let at = 0; at < shorter; at++) {
    const left = one[oneFrom + at]!,
      right = other[otherFrom + at]!;
    if (left !== right)
      return left >= LAST_PLANE && right >= LAST_PLANE && left >= FOUR_BYTES !== right >= FOUR_BYTES
        ? right - left
        : left - right;
  }
  return oneTo - oneFrom - (otherTo - otherFrom);
}

/** Reads what Bytes gathered. */
export class Reader {
  at = 0;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  number(): number {
    const { bytes } = this;
    let byte = bytes[this.at++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let scale = 128; ; scale *= 128) {
      if (this.at >= bytes.length) throw new RangeError("The search index holds a number without an end.");
      byte = bytes[this.at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    const length = this.number();
    this.at += length;
    return utf8At(this.bytes, this.at - length, this.at);
  }

  /** The word that begins there. */
  word(at: number): number {
    const { bytes } = this;
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  }
}

/** The number that begins there, of 31 bits at most. */
export function numberAt(bytes: Uint8Array, at: number): number {
  let byte = bytes[at]!;
  if (byte < 0x80) return byte;
  let value = byte & 0x7f;
  for (let shift = 7; byte >= 0x80; shift += 7) {
    byte = bytes[++at]!;
    value |= (byte & 0x7f) << shift;
  }
  return value;
}
/** How many bytes such a number takes. */
export const widthOf = (value: number): number =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;

/** The text in UTF-8 that stands there. */
export const utf8At = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8", from, to);
