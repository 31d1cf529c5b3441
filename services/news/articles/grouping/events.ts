import { Frequencies } from "./frequencies.ts";
import { Heaviest } from "./heaviest.ts";
import { isNumber, LEADING, MOST_ANCHORS, MOST_TERMS, type Topic } from "./topic.ts";
import { inOneLanguage, inOtherLanguages } from "./likeness.ts";
import { TermLists } from "./term-lists.ts";
import { isTranslated } from "./translations.ts";
import { shareOf, strangeIn, sumOf, Voices, type Voice } from "./voices.ts";

/** A topic that is placed, and what it is looked for by: its heaviest terms, and its anchors. */
interface Placed {
  topic: Topic;
  voice: Voice;
  keys: Uint32Array;
}

interface Event {
  storyId: string;
  /** When it was told last, milliseconds since the epoch. */
  last: number;
  /** Numbers of its latest reports. */
  voices: number[];
  /** Its place among those that are held, which another may have after it. */
  place: number;
  /** How the lists of terms name it: by its place, and which of the events that had it. */
  name: number;
}

/** Means of what a report and those of an event have in common, and the greatest cosine. */
interface Near {
  terms: number;
  most: number;
  heads: number;
  missing: number | undefined;
}

/** Articles that are taken for read, in which none of the terms stood: the first that come have no company to go by. */
const PRIOR = 300;
/** An event that nobody told of for so long is over. */
const DAY_MS = 86_400_000;
const OVER_MS = 3 * DAY_MS;
const MOST_EVENTS = 20_000;
/** Places of events, a power of two above the most; and how often each may be given again until a name comes again. */
const PLACES = 2 ** 15,
  LIVES = 2 ** 15;
/** What is held of a place, and where. */
const STATE = 4,
  NAME = 0,
  TURN = 1,
  SHARED = 2;
/** The latest reports say best what an event is about now. */
const MOST_VOICES = 12;
const PROBES = 20;
const MOST_OF_A_TERM = 60;
/** In place of an event's name, which is never below zero. */
const NOBODY = -1,
  SEVERAL = -2;
/** A term of the title weighs as much as one that is said thrice. */
const TITLED = 2;
/** Lists of terms, and places for more, that are looked through for each report that is added. */
const SWEPT = 400;
/** Hashes of terms that are counted; of more all counts are halved, and the rarest go. */
const MOST_COUNTED = 400_000;

/**
 * Which event an article tells of: it joins the one that it most likely tells of, by its likeness to the reports
 * (single-pass clustering, as in topic detection and tracking: Allan et al. 1998), and begins one where none is more
 * likely than not. What is rare is learned from the articles as they come.
 */
export class Events {
  readonly #events = new Map<string, Event>();
  /** Names of the events of each term, the oldest first. */
  readonly #byTerm = new TermLists();
  readonly #frequency = new Frequencies();
  readonly #voices = new Voices();
  readonly #places: (Event | undefined)[] = [];
  readonly #freePlaces: number[] = [];
  /** How many events had each place before. */
  readonly #earlier = new Int32Array(PLACES);
  /**
   * Of each place side by side, since most are not in the processor's cache: the name of its event, the turn in which it
   * shared keys with a newcomer, and how many.
   */
  readonly #states = new Int32Array(STATE * PLACES).fill(NOBODY);
  /** Of each term of a newcomer that is a name: the only event that has it, or what `#soleOf` says instead. */
  readonly #sole = new Int32Array(MOST_TERMS);
  /** Which terms and anchors of a newcomer an event has. */
  readonly #metTerms = new Uint8Array(MOST_TERMS);
  readonly #metAnchors = new Uint8Array(MOST_ANCHORS);
  /** Places that share a key with the newcomer. */
  readonly #met = new Int32Array(PLACES);
  /** Of the last that was looked for. */
  readonly #weights = new Float32Array(MOST_TERMS);
  readonly #shares = new Float32Array(MOST_TERMS);
  readonly #leading = new Float32Array(MOST_TERMS);
  /** What each of its names tells, in units of one that no other article has, squared. */
  readonly #telling = new Float32Array(MOST_TERMS);
  readonly #rarities = new Float32Array(MOST_ANCHORS);
  readonly #probes = new Heaviest(PROBES);
  readonly #keys = new Uint32Array(PROBES + MOST_ANCHORS);
  #articles = 0;
  #turn = 0;
  /** The last that was looked for: it is added next. */
  #latest: Placed | undefined;

  /** Counts an article's terms, before it or any of its batch is placed. */
  learn({ terms, anchors }: Topic): void {
    this.#articles++;
    this.#latest = undefined;
    for (let at = 0; at < terms.length; at++) this.#frequency.count(terms[at]!);
    for (let at = 0; at < anchors.length; at++) this.#frequency.count(anchors[at]!);
    if (this.#frequency.size <= MOST_COUNTED) return;
    this.#articles >>= 1;
    this.#frequency.halve();
  }

  /** The event whose reports are nearest, if any is near enough. `at`: when it was published. */
  nearest(topic: Topic, at: number): string | undefined {
    const { voice, keys } = this.#placed(topic);
    for (let at = 0; at < topic.terms.length; at++)
      this.#sole[at] = topic.naming[at] ? this.#soleOf(topic.terms[at]!) : SEVERAL;
    let found: string | undefined;
    let best = 0;
    const candidates = this.#candidates(keys);
    for (let next = 0; next < candidates.length; next++) {
      const event = this.#places[candidates[next]!]!;
      if (Math.abs(event.last - at) > OVER_MS) continue;
      const odds = this.#odds(voice, event, at);
      if (odds > best) [found, best] = [event.storyId, odds];
    }
    return found;
  }

  /** Adds a report to an event, which begins with its first. */
  add(storyId: string, topic: Topic, at: number): void {
    const { voice, keys } = this.#placed(topic);
    const event = this.#events.get(storyId) ?? this.#begun(storyId, at);
    // The order of the map is that of the last news.
    this.#events.delete(storyId);
    this.#events.set(storyId, event);
    event.last = Math.max(event.last, at);
    event.voices.push(this.#voices.keep(voice));
    if (event.voices.length > MOST_VOICES) this.#voices.drop(event.voices.shift()!);
    for (let next = 0; next < keys.length; next++) this.#name(keys[next]!, event.name);
    if (this.#events.size > MOST_EVENTS) this.#forget(this.#events.size - MOST_EVENTS * 0.9);
    // A few at a time, so that no turn has to look through all of them.
    this.#byTerm.sweep(SWEPT, this.#isNamed);
  }

  #begun(storyId: string, at: number): Event {
    const place = this.#freePlaces.pop() ?? this.#places.length;
    const name = (this.#earlier[place]! % LIVES) * PLACES + place;
    this.#states[STATE * place + NAME] = name;
    return (this.#places[place] = { storyId, last: at, voices: [], place, name });
  }

  /** Whether the event of a name is not over. */
  readonly #isNamed = (name: number): boolean => this.#states[STATE * (name & (PLACES - 1)) + NAME] === name;

  #name(key: number, name: number): void {
    if (this.#byTerm.add(key, name) <= MOST_OF_A_TERM) return;
    if (this.#byTerm.keep(key, this.#isNamed) > MOST_OF_A_TERM) this.#byTerm.shift(key);
  }

  get #counted(): number {
    return PRIOR + this.#articles;
  }

  #rarity(hash: number): number {
    return Math.log(this.#counted / (1 + this.#frequency.of(hash))) + 1;
  }

  #placed(topic: Topic): Placed {
    if (this.#latest?.topic === topic) return this.#latest;
    const { language, terms, anchors, days, sexes } = topic;
    const weights = this.#weights.subarray(0, terms.length),
      shares = this.#shares.subarray(0, terms.length).fill(0),
      leading = this.#leading.subarray(0, terms.length).fill(0),
      rarities = this.#rarities.subarray(0, anchors.length);
    for (let at = 0; at < terms.length; at++) weights[at] = topic.weights[at]! * this.#rarity(terms[at]!);
    for (let at = 0; at < anchors.length; at++) rarities[at] = this.#rarity(anchors[at]!) - 0.9;
    let told = 0;
    for (let at = 0; at < terms.length; at++)
      if (topic.weights[at]! >= TITLED) told += shares[at] = topic.weights[at]! * (this.#rarity(terms[at]!) - 1);
    if (told > 0) for (let at = 0; at < terms.length; at++) shares[at]! /= told;
    const unit = Math.log(this.#counted);
    for (let at = 0; at < terms.length; at++) {
      const tells = topic.naming[at] ? this.#rarity(terms[at]!) - 1 : 0;
      if (topic.naming[at] === LEADING) leading[at] = tells;
      this.#telling[at] = (tells / unit) ** 2;
    }
    toUnit(weights);
    toUnit(rarities);
    const keys = this.#keysOf(terms, weights, anchors);
    this.#latest = {
      topic,
      voice: { language, terms, weights, shares, leading, anchors, rarities, days, sexes },
      keys,
    };
    return this.#latest;
  }

  /** The terms that weigh most, and the anchors, each once. */
  #keysOf(terms: Uint32Array, weights: Float32Array, anchors: Uint32Array): Uint32Array {
    const { numbers: probes } = this.#probes;
    this.#probes.begin();
    for (let at = 0; at < terms.length; at++) this.#probes.offer(at, weights[at]!);
    let count = 0;
    for (let at = 0; at < this.#probes.size + anchors.length; at++) {
      const key = at < this.#probes.size ? terms[probes[at]!]! : anchors[at - this.#probes.size]!;
      const known = this.#keys.indexOf(key);
      if (known < 0 || known >= count) this.#keys[count++] = key;
    }
    return this.#keys.subarray(0, count);
  }

  /** Places of events that share at least two of its heaviest terms, or of its anchors. */
  #candidates(keys: Uint32Array): Int32Array {
    const turn = ++this.#turn,
      states = this.#states,
      met = this.#met,
      byTerm = this.#byTerm;
    let count = 0;
    for (let at = 0; at < keys.length; at++) {
      for (let node = byTerm.first(keys[at]!); node > 0; node = byTerm.next(node)) {
        const name = byTerm.nameOf(node),
          place = name & (PLACES - 1),
          state = STATE * place;
        if (states[state + NAME] !== name) continue;
        if (states[state + TURN] === turn) states[state + SHARED]!++;
        else {
          states[state + TURN] = turn;
          states[state + SHARED] = 1;
          met[count++] = place;
        }
      }
    }
    let several = 0;
    for (let at = 0; at < count; at++) if (states[STATE * met[at]! + SHARED]! > 1) met[several++] = met[at]!;
    return met.subarray(0, several);
  }

  /** The name of the only event that a term is known of, or whether it is known of none or of several. */
  #soleOf(term: number): number {
    let sole = NOBODY;
    for (let node = this.#byTerm.first(term); node > 0; node = this.#byTerm.next(node)) {
      const name = this.#byTerm.nameOf(node);
      if (name === sole || !this.#isNamed(name)) continue;
      if (sole !== NOBODY) return SEVERAL;
      sole = name;
    }
    return sole;
  }

  /** How many names both have that no other event has. */
  #only({ terms }: Voice, name: number, met: Uint8Array): number {
    let count = 0;
    for (let at = 0; at < terms.length; at++)
      if (met[at] && (this.#sole[at] === name || this.#sole[at] === NOBODY)) count++;
    return count;
  }

  /** The logarithm of the odds that a report tells of the event. */
  #odds(voice: Voice, event: Event, at: number): number {
    const { voices } = event;
    const metTerms = this.#metTerms.fill(0),
      metAnchors = this.#metAnchors.fill(0);
    const isOwn = (number: number): boolean => this.#voices.languageOf(number) === voice.language;
    let [told, sexes, share, cosines, own] = [0, 0, 0, 0, 0];
    for (const number of voices) {
      told |= this.#voices.daysOf(number);
      sexes |= this.#voices.sexesOf(number);
      const anchored = this.#voices.anchored(number, voice, metAnchors);
      share = Math.max(share, anchored.share);
      if (!isOwn(number)) continue;
      own++;
      cosines += anchored.cosine;
    }
    if (sexes > 0 && voice.sexes > 0 && (sexes & voice.sexes) === 0) return -Infinity;
    const isOfDay = (voice.days & told) !== 0;
    // Who speaks of the same day speaks of it late.
    const days = isOfDay ? 0 : Math.min(1, Math.abs(at - event.last) / DAY_MS);
    const { names, numbers, share: known } = this.#sharedAnchors(voice, metAnchors);
    if (own === 0) {
      const translated = isTranslated(voice.language)
        ? this.#nearness(voice, voices, (number) => isTranslated(this.#voices.languageOf(number)))
        : undefined;
      return inOtherLanguages({ anchors: names + numbers, known, share, numbers, days, translated });
    }
    return inOneLanguage({
      ...this.#nearness(voice, voices, isOwn)!,
      reports: own,
      anchors: cosines / own,
      strange: strangeIn(voice, metTerms),
      numbers,
      names: sumOf(this.#telling, metTerms),
      only: this.#only(voice, event.name, metTerms),
      union: shareOf(voice.weights, metTerms),
      days,
      otherDay: !isOfDay && voice.days > 0 && told > 0,
    });
  }

  /** How alike a report is to those of an event that can be compared; undefined where none can. Marks in `#metTerms`. */
  #nearness(voice: Voice, voices: readonly number[], isComparable: (number: number) => boolean): Near | undefined {
    let [count, sum, most, titled, led, missed] = [0, 0, 0, 0, 0, 0];
    for (const number of voices) {
      if (!isComparable(number)) continue;
      const { terms, heads, missing } = this.#voices.nearness(number, voice, this.#metTerms);
      count++;
      sum += terms;
      titled += heads;
      most = Math.max(most, terms);
      if (missing === undefined) continue;
      led++;
      missed += missing;
    }
    if (count === 0) return undefined;
    return { terms: sum / count, most, heads: titled / count, missing: led > 0 ? missed / led : undefined };
  }

  /** What the anchors that are met tell, in units of one that no other article has, and their share of all. */
  #sharedAnchors({ anchors }: Voice, met: Uint8Array): { names: number; numbers: number; share: number } {
    const unit = Math.log(this.#counted);
    let [names, numbers, all] = [0, 0, 0];
    for (let at = 0; at < anchors.length; at++) {
      const tells = (this.#rarity(anchors[at]!) - 1) / unit;
      all += tells;
      if (!met[at]) continue;
      if (isNumber(anchors[at]!)) numbers += tells;
      else names += tells;
    }
    return { names, numbers, share: all > 0 ? (names + numbers) / all : 0 };
  }

  #forget(count: number): void {
    for (const [storyId, { place, voices }] of this.#events) {
      if (count-- <= 0) break;
      this.#events.delete(storyId);
      for (const number of voices) this.#voices.drop(number);
      this.#places[place] = undefined;
      this.#states[STATE * place + NAME] = NOBODY;
      this.#earlier[place]!++;
      this.#freePlaces.push(place);
    }
    this.#byTerm.litter();
  }
}

function toUnit(vector: Float32Array): void {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at]! * vector[at]!;
  const length = Math.sqrt(sum) || 1;
  for (let at = 0; at < vector.length; at++) vector[at]! /= length;
}
