import { placeOfHash } from "../../../../../core/text/words/vectors.ts";
import type { Steps } from "../../../../../core/work/turns.ts";
import type { Near } from "../likeness.ts";
import type { PairJudge, SharedTerms } from "./pair-likeness.ts";
import { NAME, NUMBER, Placing, rareInEnglish, type PlacedTopic } from "../placing.ts";
import { Rarities } from "../rarities.ts";
import { areApart, isNumber, LEADING, MOST_ANCHORS, MOST_TERMS, type Topic } from "../topic.ts";
import { isTranslated } from "../translations.ts";
import { HEADED, LED, strangeIn, unheardIn, Voices } from "../voices.ts";

export interface Report {
  topic: Topic;
  /** When it was published. */
  at: number;
}

const DAY_MS = 86_400_000;
/** Reports so far apart tell of two events. */
const OVER_MS = 3 * DAY_MS;
/** What more reports have is no reason to compare any two of them. */
const MOST_OF_A_KEY = 60;
/** So many of these two reports must have in common. */
const LEAST_KEYS = 2;

/** Tells of two reports, by their places, the logarithm of the odds that they tell of one event, as one of them sees it. */
export type TellPair = (one: number, other: number, odds: number) => void;

/** Reports that are all known before any is compared: what is rare is learned from all of them first. */
export class ReportPairs {
  readonly #reports: readonly Report[];
  readonly #judge: PairJudge;
  readonly #known = new Rarities();
  readonly #placing = new Placing(this.#known, MOST_TERMS);
  readonly #voices = new Voices();
  readonly #numbers: number[] = [];
  readonly #byKey = new Map<number, number[]>();
  /** Which terms and anchors of a report another has. */
  readonly #metTerms = new Uint8Array(MOST_TERMS);
  readonly #metAnchors = new Uint8Array(MOST_ANCHORS);
  /** Of each term of a report how much it is of two alone. */
  readonly #owned = new Float32Array(MOST_TERMS);

  constructor(reports: readonly Report[], judge: PairJudge) {
    this.#reports = reports;
    this.#judge = judge;
  }

  /** A step is a report. */
  *compare(tell: TellPair): Steps<void> {
    for (const { topic } of this.#reports) {
      this.#known.learn(topic);
      yield;
    }
    for (const [place, { topic }] of this.#reports.entries()) {
      const { voice, keys } = this.#placing.of(topic);
      this.#numbers.push(this.#voices.keep(voice));
      for (const key of keys) {
        const places = this.#byKey.get(key);
        if (places) places.push(place);
        else this.#byKey.set(key, [place]);
      }
      yield;
    }
    const counts = new Uint8Array(this.#reports.length);
    for (const [place, { topic }] of this.#reports.entries()) {
      this.#compareOne(place, this.#placing.of(topic), counts.fill(0), tell);
      yield;
    }
  }

  #compareOne(place: number, placed: PlacedTopic, counts: Uint8Array, tell: TellPair): void {
    this.#own(placed);
    for (const key of placed.keys) {
      const places = this.#byKey.get(key)!;
      if (places.length > MOST_OF_A_KEY) continue;
      for (const other of places)
        if (other !== place && ++counts[other]! === LEAST_KEYS) {
          const odds = this.#odds(placed, place, other);
          if (odds !== undefined) tell(place, other, odds);
        }
    }
  }

  /** A term that two reports have is theirs; a name that is frequent in English less than one that nobody knows. */
  #own({ topic: { terms }, kinds }: PlacedTopic): void {
    for (let at = 0; at < terms.length; at++) {
      const rare = kinds[at] === NAME ? rareInEnglish(placeOfHash(terms[at]!)) : 1;
      // By the root, since an event that many tell of has its names in all of its reports.
      this.#owned[at] = rare / Math.sqrt(Math.max(1, this.#known.count(terms[at]!) - 1));
    }
  }

  #odds(placed: PlacedTopic, one: number, other: number): number | undefined {
    const { voice } = placed,
      number = this.#numbers[other]!;
    const gap = Math.abs(this.#reports[one]!.at - this.#reports[other]!.at);
    const sexes = this.#voices.sexesOf(number),
      told = this.#voices.daysOf(number);
    if (gap > OVER_MS || areApart(sexes, voice.sexes)) return undefined;
    const isOfDay = (voice.days & told) !== 0;
    const days = isOfDay ? 0 : Math.min(1, gap / DAY_MS);
    this.#metTerms.fill(0);
    const share = this.#voices.anchored(number, voice, this.#metAnchors.fill(0));
    const { names, numbers } = this.#sharedAnchors(voice.anchors);
    const language = this.#voices.languageOf(number);
    if (language !== voice.language) {
      const comparable = isTranslated(language) && isTranslated(voice.language);
      const near = comparable ? this.#near(placed, number) : undefined;
      const translated = near && { near, shared: this.#shared(placed) };
      return this.#judge.inTwoLanguages({ anchors: names + numbers, share, days, translated }, one, other);
    }
    const otherDay = !isOfDay && voice.days > 0 && told > 0;
    const near = this.#near(placed, number);
    const strange = strangeIn(voice, this.#metTerms),
      isNamed = unheardIn(voice, this.#metTerms) !== undefined;
    const like = { near, shared: this.#shared(placed), strange, isNamed, numbers, otherDay };
    return this.#judge.inOneLanguage(like, one, other);
  }

  /** Marks in `#metTerms`. */
  #near({ voice }: PlacedTopic, number: number): Near {
    const { terms, heads } = this.#voices.nearness(number, voice, this.#metTerms);
    const bearing = isTranslated(voice.language) ? this.#voices.bearing(number, voice) : undefined;
    return { terms, heads, kin: bearing === undefined ? undefined : { mean: bearing, most: bearing } };
  }

  /** What the anchors that are met tell. */
  #sharedAnchors(anchors: Uint32Array): { names: number; numbers: number } {
    const { unit } = this.#known;
    let [names, numbers] = [0, 0];
    for (let at = 0; at < anchors.length; at++) {
      if (!this.#metAnchors[at]) continue;
      const tells = this.#known.of(anchors[at]!) / unit;
      if (isNumber(anchors[at]!)) numbers += tells;
      else names += tells;
    }
    return { names, numbers };
  }

  /** What the terms tell that are marked. */
  #shared({ topic: { naming }, voice: { shares }, telling, rare, kinds }: PlacedTopic): SharedTerms {
    const found = { words: 0, rarest: 0, names: 0, leading: 0, ownWords: 0, ownHeaded: 0, ownNumber: 0 };
    for (let at = 0; at < shares.length; at++) {
      const met = this.#metTerms[at]!;
      if (met === 0) continue;
      const own = this.#owned[at]!;
      if (kinds[at] === NAME) {
        found.names += own;
        if (met & LED && naming[at] === LEADING) found.leading = Math.max(found.leading, own);
      } else if (kinds[at] === NUMBER) found.ownNumber = Math.max(found.ownNumber, own);
      else addWord(found, telling[at]! * rare[at]!, own * rare[at]!, (met & HEADED) !== 0 || shares[at]! > 0);
    }
    return found;
  }
}

function addWord(found: SharedTerms, tells: number, own: number, isHeaded: boolean): void {
  found.words += tells;
  found.rarest = Math.max(found.rarest, tells);
  found.ownWords += own;
  if (isHeaded) found.ownHeaded += own;
}
