/** What a stored article is recognised by, as it is held in memory. */
export interface ArticleTrace {
  readonly articleId: number;
  readonly sourceId: number;
  /** As `fingerprint` makes it: letters, digits, `-` and `_`, in fields between dots. */
  readonly fingerprint: string;
  /** When it was published, milliseconds since the epoch. */
  readonly at: number;
  /** The event it tells of. */
  readonly storyId: string;
  /** The report it is a copy of, or is. */
  readonly reportId: string;
  /** No other source tells of the event in words of its own. */
  readonly alone: boolean;
}

const FIRST_TRACES = 16,
  FIRST_BYTES = 2 ** 12;
/** Grows by less than doubling, which would leave a third of the memory empty on average. */
const GROWTH = 1.25;

/** A copy with room for so many at least. */
export function grown<T extends Float64Array | Uint32Array | Uint16Array | Uint8Array>(numbers: T, least: number): T {
  const length = Math.max(least, Math.ceil(numbers.length * GROWTH));
  const larger = new (numbers.constructor as new (length: number) => T)(length);
  larger.set(numbers);
  return larger;
}

/** Of a trace: its article, its source, and when it was published. */
const NUMBERS = 3;
/** The length of a field takes two bytes. */
const FIELD = 2;

/**
 * Traces in flat memory, some 400 bytes each, of which the collector has one story's name to look at; as objects with
 * strings they have twice that.
 */
export class Traces {
  #numbers = new Float64Array(NUMBERS * FIRST_TRACES);
  #alone = new Uint8Array(FIRST_TRACES);
  /** Where the fingerprint of each begins: how many fields, their lengths, then all of them as base64. */
  #begins = new Uint32Array(FIRST_TRACES);
  #bytes = Buffer.alloc(FIRST_BYTES);
  #used = 0;
  readonly #stories: string[] = [];
  /** Of those that are not the first of their event. */
  readonly #reports = new Map<number, string>();

  get size(): number {
    return this.#stories.length;
  }

  get stories(): readonly string[] {
    return this.#stories;
  }

  /** Keeps a copy; answers its place. */
  keep({ articleId, sourceId, fingerprint, at, storyId, reportId, alone }: ArticleTrace): number {
    const place = this.#stories.push(storyId) - 1;
    if (reportId !== storyId) this.#reports.set(place, reportId);
    if (place === this.#alone.length) {
      this.#alone = grown(this.#alone, place + 1);
      this.#begins = grown(this.#begins, place + 1);
      this.#numbers = grown(this.#numbers, NUMBERS * this.#alone.length);
    }
    this.#numbers[NUMBERS * place] = articleId;
    this.#numbers[NUMBERS * place + 1] = sourceId;
    this.#numbers[NUMBERS * place + 2] = at;
    this.#alone[place] = alone ? 1 : 0;
    this.#begins[place] = this.#used;
    this.#write(fingerprint);
    return place;
  }

  /** Gives back the room for more. */
  trim(): void {
    this.#numbers = this.#numbers.slice(0, NUMBERS * this.size);
    this.#alone = this.#alone.slice(0, this.size);
    this.#begins = this.#begins.slice(0, this.size);
    this.#bytes = Buffer.from(this.#bytes.subarray(0, this.#used));
  }

  at(place: number): Trace {
    return new Trace(this, place);
  }

  /** Of its numbers: 0 the article, 1 the source, 2 when it was published. */
  number(place: number, which: 0 | 1 | 2): number {
    return this.#numbers[NUMBERS * place + which]!;
  }
  storyOf(place: number): string {
    return this.#stories[place]!;
  }
  reportOf(place: number): string {
    return this.#reports.get(place) ?? this.#stories[place]!;
  }
  isAlone(place: number): boolean {
    return this.#alone[place] === 1;
  }
  /** Marks that other sources tell of its event from now on. */
  join(place: number): void {
    this.#alone[place] = 0;
  }
  /** The same for all traces of these articles. */
  joinAll(articles: ReadonlySet<number>): void {
    for (let place = 0; place < this.size; place++) if (articles.has(this.number(place, 0))) this.join(place);
  }

  fingerprintOf(place: number): string {
    const bytes = this.#bytes;
    let at = this.#begins[place]!;
    const fields = bytes[at++]!;
    const from = at + FIELD * fields;
    let all = 0;
    for (let field = 0; field < fields; field++) all += bytes.readUInt16LE(at + FIELD * field);
    const text = bytes.toString("base64url", from, from + 3 * Math.ceil(all / 4));
    let [print, begin] = ["", 0];
    for (let field = 0; field < fields; field++, at += FIELD) {
      const end = begin + bytes.readUInt16LE(at);
      print += (field > 0 ? "." : "") + text.slice(begin, end);
      begin = end;
    }
    return print;
  }

  #write(fingerprint: string): void {
    const fields = fingerprint.split(".");
    const most = 1 + FIELD * fields.length + fingerprint.length + FIELD;
    if (this.#used + most > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(this.#used + most, Math.ceil(this.#bytes.length * GROWTH)));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#used = this.#bytes.writeUInt8(fields.length, this.#used);
    for (const { length } of fields) this.#used = this.#bytes.writeUInt16LE(length, this.#used);
    const text = fields.join("");
    // Base64 writes three bytes for four signs; what is over is filled up.
    this.#used += this.#bytes.write(text.padEnd(4 * Math.ceil(text.length / 4), "A"), this.#used, "base64url");
  }
}

/** One of them, read when it is asked. */
export class Trace implements ArticleTrace {
  readonly #of: Traces;
  readonly #place: number;

  constructor(of: Traces, place: number) {
    this.#of = of;
    this.#place = place;
  }

  get articleId(): number {
    return this.#of.number(this.#place, 0);
  }
  get sourceId(): number {
    return this.#of.number(this.#place, 1);
  }
  get at(): number {
    return this.#of.number(this.#place, 2);
  }
  get fingerprint(): string {
    return this.#of.fingerprintOf(this.#place);
  }
  get storyId(): string {
    return this.#of.storyOf(this.#place);
  }
  get reportId(): string {
    return this.#of.reportOf(this.#place);
  }
  get alone(): boolean {
    return this.#of.isAlone(this.#place);
  }
}
