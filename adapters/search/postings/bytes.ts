/** Bytes that are gathered one after the other. Numbers are whole, from 0 up, seven bits a byte, the lowest first (LEB128). */
export class Bytes {
  #held: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 1_024) { this.#held = new Uint8Array(capacity); }

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
    for (; rest > 0x7f; rest = rest < 0x80000000 ? rest >>> 7 : Math.floor(rest / 128)) this.#held[this.length++] = (rest & 0x7f) | 0x80;
    this.#held[this.length++] = rest;
  }

  append(bytes: Uint8Array, from = 0, to = bytes.length): void {
    const count = to - from;
    this.#room(count);
    const held = this.#held, begin = this.length;
    if (count > 64) held.set(bytes.subarray(from, to), begin);
    else for (let at = 0; at < count; at++) held[begin + at] = bytes[from + at]!;
    this.length = begin + count;
  }

  /** All that others gathered. */
  appendAll(others: Bytes): void { this.append(others.#held, 0, others.length); }

  /** A text in UTF-8, its length before it. Nearly all are ASCII and short, for which an encoder costs more than the work. */
  text(text: string): void {
    const before = this.length;
    this.#room(text.length + 8);
    this.number(text.length);
    const held = this.#held, begin = this.length;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > 0x7f) {
        this.length = before;
        const encoded = Buffer.from(text, "utf8");
        this.number(encoded.length);
        return this.append(encoded);
      }
      held[begin + at] = code;
    }
    this.length = begin + text.length;
  }

  /** A number of 32 bits, the lowest byte first. */
  word(value: number): void {
    this.#room(4);
    for (let shift = 0; shift < 32; shift += 8) this.#held[this.length++] = (value >>> shift) & 0xff;
  }

  clear(): void { this.length = 0; }
  /** What is gathered, valid until the next change. */
  view(): Uint8Array<ArrayBuffer> { return this.#held.subarray(0, this.length); }
  /** A copy of what is gathered. */
  copy(): Uint8Array<ArrayBuffer> { return this.#held.slice(0, this.length); }
}

/** Reads what Bytes gathered. */
export class Reader {
  at = 0;
  readonly bytes: Buffer;

  constructor(bytes: Uint8Array) { this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length); }

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
    return this.bytes.toString("utf8", this.at - length, this.at);
  }
  skipText(): void {
    const length = this.number();
    this.at += length;
  }

  /** The word that begins there. */
  word(at: number): number {
    const { bytes } = this;
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  }

  skip(count: number): void { this.at += count; }
  take(count: number): Uint8Array {
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
}
