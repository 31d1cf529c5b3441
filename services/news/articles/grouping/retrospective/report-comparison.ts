import { placeOfHash } from "../../../../../core/text/words/vectors.ts";
import type { Near } from "../likeness.ts";
import type { PairJudge, SharedTerms } from "./pair-likeness.ts";
import { NAME, NUMBER, rareInEnglish, type PlacedTopic } from "../placing.ts";
import type { Rarities } from "../rarities.ts";
import { isNumber, MOST_ANCHORS } from "../topics/anchors.ts";
import { areApart } from "../topics/apart.ts";
import { LEADING, MOST_TERMS } from "../topics/topic.ts";
import { isTranslated } from "../topics/translations.ts";
import { HEADED, LED, strangeIn, unheardIn, type Voices } from "../voices.ts";

const DAY_MS = 86_400_000;
/** Reports so far apart tell of two events. */
export const OVER_MS = 3 * DAY_MS;

/** Holds a report against others that are kept as voices, by what is known of all terms. */
export class ReportComparison {
  readonly #known: Rarities;
  readonly #voices: Voices;
  readonly #judge: PairJudge;
  /** Which terms and anchors of the report another has. */
  readonly #metTerms = new Uint8Array(MOST_TERMS);
  readonly #metAnchors = new Uint8Array(MOST_ANCHORS);
  /** Of each of its terms how much it is of two alone. */
  readonly #owned = new Float32Array(MOST_TERMS);
  #placed: PlacedTopic | undefined;

  constructor(known: Rarities, voices: Voices, judge: PairJudge) {
    this.#known = known;
    this.#voices = voices;
    this.#judge = judge;
  }

  /** The report that the next ones are held against. */
  of(placed: PlacedTopic): this {
    this.#placed = placed;
    this.#own(placed);
    return this;
  }

  /** A term that two reports have is theirs; a name that is frequent in English less than one that nobody knows. */
  #own({ topic: { terms }, kinds }: PlacedTopic): void {
    for (let at = 0; at < terms.length; at++) {
      const rare = kinds[at] === NAME ? rareInEnglish(placeOfHash(terms[at]!)) : 1;
      // By the root, since an event that many tell of has its names in all of its reports.
      this.#owned[at] = rare / Math.sqrt(Math.max(1, this.#known.count(terms[at]!) - 1));
    }
  }

  /**
   * The logarithm of the odds that it and another, the voice of this number, tell of one event; undefined where they
   * cannot. `gap`: milliseconds between them; `one`, `other`: what the judge knows them by.
   */
  odds(number: number, gap: number, one: number, other: number): number | undefined {
    const placed = this.#placed!,
      { voice } = placed;
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
