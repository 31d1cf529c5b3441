const SIGNATURE = Buffer.from("d0cf11e0a1b11ae1", "hex");
const HEADER_BYTES = 512;
const DIFAT_IN_HEADER = 109;
const ENTRY_BYTES = 128;
const MINI_CUTOFF = 4_096;
const MINI_BYTES = 64;
/** Numbers from here on end a chain, or name no sector. */
const NO_SECTOR = 0xfffffffa;
const STREAM = 2,
  ROOT = 5;

export const isCompoundFile = (head: Buffer): boolean => head.subarray(0, SIGNATURE.length).equals(SIGNATURE);

/** Where the directory of a compound file begins: its first sector names the streams of an encrypted package. */
export const directoryAt = (head: Buffer): number => {
  const size = 1 << head.readUInt16LE(30);
  return (head.readUInt32LE(48) + 1) * size;
};
/** The directory's name of the only stream of an encrypted document. */
export const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");
/** The name of the text stream in the binary format. */
export const WORD_DOCUMENT = Buffer.from("WordDocument", "utf16le");

interface Entry {
  type: number;
  start: number;
  size: number;
}

/** Reads the streams of a compound file ([MS-CFB]). Throws RangeError for inconsistent files. */
export class CompoundFile {
  readonly #bytes: Buffer;
  readonly #sectorBytes: number;
  readonly #fat: number[] = [];
  readonly #miniFat: number[] = [];
  readonly #entries = new Map<string, Entry>();
  #mini: Buffer = Buffer.alloc(0);

  constructor(bytes: Buffer) {
    if (!isCompoundFile(bytes) || bytes.length < HEADER_BYTES) throw new RangeError("no compound file");
    const shift = bytes.readUInt16LE(30);
    if (shift !== 9 && shift !== 12) throw new RangeError(`sectors of 2^${shift} bytes`);
    this.#bytes = bytes;
    this.#sectorBytes = 1 << shift;
    for (const sector of this.#difat()) this.#fat.push(...this.#numbers(this.#sector(sector)));
    const directory = this.#chain(bytes.readUInt32LE(48), this.#fat, (at) => this.#sector(at));
    for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
      const type = directory[at + 66]!;
      if (type !== STREAM && type !== ROOT) continue;
      const name = directory.toString(
        "utf16le",
        at,
        at + Math.max(0, Math.min(64, directory.readUInt16LE(at + 64)) - 2),
      );
      const entry = { type, start: directory.readUInt32LE(at + 116), size: directory.readUInt32LE(at + 120) };
      if (type === ROOT) this.#mini = this.#chain(entry.start, this.#fat, (sector) => this.#sector(sector));
      else this.#entries.set(name, entry);
    }
    const miniFat = this.#chain(bytes.readUInt32LE(60), this.#fat, (at) => this.#sector(at));
    this.#miniFat.push(...this.#numbers(miniFat));
  }

  /** The bytes of a stream; undefined without one of this name. */
  stream(name: string): Buffer | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    const { start, size } = entry;
    const whole =
      size < MINI_CUTOFF
        ? this.#chain(start, this.#miniFat, (at) => this.#mini.subarray(at * MINI_BYTES, (at + 1) * MINI_BYTES))
        : this.#chain(start, this.#fat, (at) => this.#sector(at));
    if (whole.length < size) throw new RangeError(`${name} is cut off`);
    return whole.subarray(0, size);
  }

  #sector(at: number): Buffer {
    const from = (at + 1) * this.#sectorBytes;
    if (from >= this.#bytes.length) throw new RangeError(`there is no sector ${at}`);
    return this.#bytes.subarray(from, from + this.#sectorBytes);
  }

  #numbers(bytes: Buffer): number[] {
    return Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readUInt32LE(at * 4));
  }

  /** The sectors of the sector table: listed in the header, and in sectors of their own. */
  #difat(): number[] {
    const named = this.#numbers(this.#bytes.subarray(76, 76 + DIFAT_IN_HEADER * 4));
    const most = this.#bytes.length / this.#sectorBytes;
    let next = this.#bytes.readUInt32LE(68);
    for (let count = 0; next < NO_SECTOR; count++) {
      if (count > most) throw new RangeError("its table of sectors goes round");
      const numbers = this.#numbers(this.#sector(next));
      next = numbers.pop() ?? NO_SECTOR;
      named.push(...numbers);
    }
    return named.filter((sector) => sector < NO_SECTOR);
  }

  #chain(start: number, table: readonly number[], part: (at: number) => Buffer): Buffer {
    const parts: Buffer[] = [];
    for (let at = start; at < NO_SECTOR; at = table[at] ?? NO_SECTOR) {
      if (parts.length > table.length) throw new RangeError("a chain of sectors goes round");
      parts.push(part(at));
    }
    return Buffer.concat(parts);
  }
}
