/**
 * How many call numbers of one sender are remembered: a packet is offered again for five seconds, in which no process
 * makes more calls.
 */
const WINDOW = 2 ** 18;
/** Ids that this mesh gives out: the process's random name, and a count to base 36. */
const LONGEST_COUNT = 8;

/** Which of the last numbers were seen, as a ring of bits without allocations. */
class Ring {
  readonly name: string;
  touched = true;
  readonly #bits = new Uint32Array(WINDOW / 32);
  #newest = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Undefined for a number that is too old. */
  isNew(number: number): boolean | undefined {
    this.touched = true;
    if (number > this.#newest) this.#advance(number);
    else if (number <= this.#newest - WINDOW) return undefined;
    const word = (number % WINDOW) >>> 5;
    const bit = 1 << (number & 31);
    const before = this.#bits[word]!;
    this.#bits[word] = before | bit;
    return (before & bit) === 0;
  }

  #advance(number: number): void {
    if (number - this.#newest >= WINDOW) this.#bits.fill(0);
    else
      for (let passed = this.#newest + 1; passed <= number; passed++)
        this.#bits[(passed % WINDOW) >>> 5]! &= ~(1 << (passed & 31));
    this.#newest = number;
  }
}

/** Ids of calls by sender, each new once. Undefined for ids of another form, and for those that are too old. */
export class Seen {
  readonly #rings = new Map<string, Ring>();

  isNew(sender: string, id: string): boolean | undefined {
    const at = id.lastIndexOf("-");
    if (at < 1 || id.length - at - 1 > LONGEST_COUNT) return undefined;
    const number = Number.parseInt(id.slice(at + 1), 36);
    if (!(number > 0)) return undefined;
    let ring = this.#rings.get(sender);
    // A restarted node counts from the beginning, under another name.
    if (!ring || ring.name.length !== at || !id.startsWith(ring.name))
      this.#rings.set(sender, (ring = new Ring(id.slice(0, at))));
    return ring.isNew(number);
  }

  /** Drops senders without a packet since the last call. */
  turn(): void {
    for (const [sender, ring] of this.#rings) {
      if (ring.touched) ring.touched = false;
      else this.#rings.delete(sender);
    }
  }
}
