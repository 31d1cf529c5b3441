import type { Topic } from "./topic.ts";

/** A report of an event as it is compared: its topic as a unit vector, made with what was known of all terms then. */
interface Voice {
  language: string;
  terms: Uint32Array;
  weights: Float32Array;
  anchors: Uint32Array;
  /** Of the anchors, as a unit vector too. */
  rarities: Float32Array;
  /** What the headline names: terms, and their shares of all that it tells. */
  heads: Uint32Array;
  shares: Float32Array;
}
/** A topic that is placed, and what it is looked for by: its heaviest terms, and its anchors. */
interface Placed {
  topic: Topic;
  voice: Voice;
  keys: ReadonlySet<number>;
}

interface Event {
  storyId: string;
  /** When it was told last, milliseconds since the epoch. */
  last: number;
  voices: Voice[];
  /** How many keys it shares with the newcomer of this turn. */
  turn: number;
  shared: number;
}

/**
 * Mean likeness to the reports of an event from which a newcomer is one of them: weights of the greatest recall on the
 * tuning halves of bench/judgement where 97 of 100 pairs are right. `heads`: one headline is told of in the other text.
 */
const SAME_LANGUAGE = { terms: 1.6, anchors: 0.8, heads: 0.5 };
/**
 * Between languages only names and numbers compare: what is shared of them must tell as much as this, in units of a
 * term that one of all articles has.
 */
const SAME_ANCHORS = 1;
const FEWEST_ANCHORS = 2;
/** Articles that are taken for read, in which none of the terms stood: the first that come have no company to go by. */
const PRIOR = 300;
/** An event that nobody told of for so long is over. */
const OVER_MS = 3 * 86_400_000;
const MOST_EVENTS = 20_000;
/** The latest reports say best what an event is about now. */
const MOST_VOICES = 12;
const PROBES = 20;
const MOST_OF_A_TERM = 60;
/** Hashes of terms that are counted; of more all counts are halved, and the rarest go. */
const MOST_COUNTED = 400_000;
/** A term of the title weighs as much as one that is said thrice. */
const TITLED = 2;

/**
 * Which event an article tells of: it joins the one whose reports it resembles most, by the cosine of TF-IDF vectors
 * (single-pass clustering under average link, as in topic detection and tracking: Allan et al. 1998), and begins one
 * where none is near. What is rare is learned from the articles as they come.
 */
export class Events {
  readonly #events = new Map<string, Event>();
  readonly #byTerm = new Map<number, Event[]>();
  readonly #frequency = new Map<number, number>();
  #articles = 0;
  #turn = 0;
  /** The last that was looked for: it is added next. */
  #latest: Placed | undefined;

  /** Counts an article's terms, before it or any of its batch is placed. */
  learn({ terms, anchors }: Topic): void {
    this.#articles++;
    this.#latest = undefined;
    for (const hashes of [terms, anchors])
      for (const hash of hashes) this.#frequency.set(hash, (this.#frequency.get(hash) ?? 0) + 1);
    if (this.#frequency.size > MOST_COUNTED) this.#halve();
  }

  /** The event whose reports are nearest, if any is near enough. `at`: when it was published. */
  nearest(topic: Topic, at: number): string | undefined {
    const { voice, keys } = this.#placed(topic);
    let found: string | undefined;
    let best = 0;
    for (const event of this.#candidates(keys)) {
      if (Math.abs(event.last - at) > OVER_MS) continue;
      const likeness = this.#likeness(voice, event);
      if (likeness >= 1 && likeness > best) [found, best] = [event.storyId, likeness];
    }
    return found;
  }

  /** Adds a report to an event, which begins with its first. */
  add(storyId: string, topic: Topic, at: number): void {
    const { voice, keys } = this.#placed(topic);
    const event = this.#events.get(storyId) ?? { storyId, last: at, voices: [], turn: 0, shared: 0 };
    // The order of the map is that of the last news.
    this.#events.delete(storyId);
    this.#events.set(storyId, event);
    event.last = Math.max(event.last, at);
    event.voices.push(voice);
    if (event.voices.length > MOST_VOICES) event.voices.shift();
    for (const key of keys) {
      const told = this.#byTerm.get(key);
      if (!told) this.#byTerm.set(key, [event]);
      else if (told.at(-1) !== event && !told.includes(event)) {
        told.push(event);
        if (told.length > MOST_OF_A_TERM) told.shift();
      }
    }
    if (this.#events.size > MOST_EVENTS) this.#forget(this.#events.size - MOST_EVENTS * 0.9);
  }

  get #counted(): number {
    return PRIOR + this.#articles;
  }

  #rarity(hash: number): number {
    return Math.log(this.#counted / (1 + (this.#frequency.get(hash) ?? 0))) + 1;
  }

  #placed(topic: Topic): Placed {
    if (this.#latest?.topic === topic) return this.#latest;
    const { language, terms, anchors } = topic;
    const weights = unit(topic.weights.map((weight, at) => weight * this.#rarity(terms[at]!)));
    const rarities = unit(Float32Array.from(anchors, (anchor) => this.#rarity(anchor) - 0.9));
    const titled = [...terms.keys()].filter((index) => topic.weights[index]! >= TITLED);
    const heads = Uint32Array.from(titled, (index) => terms[index]!);
    const shares = toOne(
      Float32Array.from(titled, (index) => topic.weights[index]! * (this.#rarity(terms[index]!) - 1)),
    );
    const keys = new Set([...probesOf(terms, weights), ...anchors]);
    this.#latest = { topic, voice: inOne({ language, terms, weights, anchors, rarities, heads, shares }), keys };
    return this.#latest;
  }

  /** Events that share at least two of its heaviest terms, or of its anchors. */
  #candidates(keys: ReadonlySet<number>): Event[] {
    const turn = ++this.#turn;
    const met: Event[] = [];
    for (const key of keys)
      for (const event of this.#byTerm.get(key) ?? NONE) {
        if (event.turn === turn) event.shared++;
        else {
          [event.turn, event.shared] = [turn, 1];
          met.push(event);
        }
      }
    return met.filter(({ shared }) => shared > 1);
  }

  /** 1: just near enough. Reports in the same language are compared by their words, else names and numbers decide. */
  #likeness(voice: Voice, { voices }: Event): number {
    const own = voices.filter(({ language }) => language === voice.language);
    if (own.length > 0) return own.reduce((sum, other) => sum + likenessOf(voice, other), 0) / own.length;
    const known = new Set(voices.flatMap(({ anchors }) => [...anchors]));
    const shared = Array.from(voice.anchors).filter((anchor) => known.has(anchor));
    if (shared.length < FEWEST_ANCHORS) return 0;
    const told = shared.reduce((sum, anchor) => sum + this.#rarity(anchor) - 1, 0);
    return told / Math.log(this.#counted) / SAME_ANCHORS;
  }

  #forget(count: number): void {
    for (const [storyId] of this.#events) {
      if (count-- <= 0) break;
      this.#events.delete(storyId);
    }
    for (const [term, told] of this.#byTerm) {
      const left = told.filter((event) => this.#events.get(event.storyId) === event);
      if (left.length === 0) this.#byTerm.delete(term);
      else if (left.length < told.length) this.#byTerm.set(term, left);
    }
  }

  #halve(): void {
    this.#articles >>= 1;
    for (const [hash, count] of this.#frequency)
      if (count < 2) this.#frequency.delete(hash);
      else this.#frequency.set(hash, count >> 1);
  }
}

const NONE: readonly Event[] = [];

/** The same in one piece of memory: tens of thousands of voices are held, and each piece has its price. */
function inOne({ language, terms, weights, anchors, rarities, heads, shares }: Voice): Voice {
  const memory = new ArrayBuffer(8 * (terms.length + anchors.length + heads.length));
  let at = 0;
  const held = <T extends Uint32Array | Float32Array>(
    kind: new (b: ArrayBuffer, o: number, n: number) => T,
    of: T,
  ): T => {
    const view = new kind(memory, at, of.length);
    view.set(of);
    at += of.byteLength;
    return view;
  };
  return {
    language,
    terms: held(Uint32Array, terms),
    weights: held(Float32Array, weights),
    anchors: held(Uint32Array, anchors),
    rarities: held(Float32Array, rarities),
    heads: held(Uint32Array, heads),
    shares: held(Float32Array, shares),
  };
}

const probesOf = (terms: Uint32Array, weights: Float32Array): number[] =>
  Array.from(terms.keys())
    .sort((a, b) => weights[b]! - weights[a]!)
    .slice(0, PROBES)
    .map((at) => terms[at]!);

const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(vector.reduce((sum, weight) => sum + weight * weight, 0)) || 1;
  return vector.map((weight) => weight / length);
};

const toOne = (vector: Float32Array): Float32Array => {
  const sum = vector.reduce((all, weight) => all + weight, 0) || 1;
  return vector.map((weight) => weight / sum);
};

const likenessOf = (one: Voice, other: Voice): number =>
  SAME_LANGUAGE.terms * cosine(one.terms, one.weights, other.terms, other.weights) +
  SAME_LANGUAGE.anchors * cosine(one.anchors, one.rarities, other.anchors, other.rarities) +
  SAME_LANGUAGE.heads * Math.max(headsIn(one, other), headsIn(other, one));

/** How much of what one headline names the other report speaks of. */
function headsIn({ heads, shares }: Voice, { terms }: Voice): number {
  let [sum, left, right] = [0, 0, 0];
  while (left < heads.length && right < terms.length) {
    const [one, other] = [heads[left]!, terms[right]!];
    if (one === other) sum += shares[left]!;
    if (one <= other) left++;
    if (other <= one) right++;
  }
  return sum;
}

/** Of sparse unit vectors, each sorted by its hashes. */
function cosine(mine: Uint32Array, weights: Float32Array, theirs: Uint32Array, others: Float32Array): number {
  let [sum, left, right] = [0, 0, 0];
  while (left < mine.length && right < theirs.length) {
    const [one, other] = [mine[left]!, theirs[right]!];
    if (one === other) sum += weights[left]! * others[right]!;
    if (one <= other) left++;
    if (other <= one) right++;
  }
  return sum;
}
