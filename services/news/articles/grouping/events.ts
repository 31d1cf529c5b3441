import { HeldEvents, NOBODY, type HeldEvent } from "./held-events.ts";
import { isNumber, MOST_ANCHORS } from "./topics/anchors.ts";
import { areApart } from "./topics/apart.ts";
import { LEADING, MOST_TERMS, type Topic } from "./topics/topic.ts";
import { NAME, NUMBER, Placing, type PlacedTopic } from "./placing.ts";
import { byLikeness, type EventJudge, type Near, type Words } from "./likeness.ts";
import { ReportComparison } from "./retrospective/report-comparison.ts";
import { byPairs, LEAST, within } from "./retrospective/pair-judge.ts";
import { Rarities } from "./rarities.ts";
import { TermLists } from "./term-lists.ts";
import { isTranslated } from "./topics/translations.ts";
import { HEADED, LED, strangeIn, unheardIn, Voices, type ReportVoice } from "./voices.ts";

/** An event that nobody told of for so long is over. */
const DAY_MS = 86_400_000;
const OVER_MS = 3 * DAY_MS;
/** Mean evidence above which an event is kindred. */
const KINDRED = 1;
/** So much it must have in common with a report to be looked at: by two keys alone hardly one is found. */
const KINDRED_KEYS = 3;
/** The latest reports say best what an event is about now. */
const MOST_VOICES = 12;
const PROBES = 20;
const MOST_OF_A_TERM = 60;
/** In place of an event's name: several have it. */
const SEVERAL = -2;
/** Lists of terms, and places for more, that are looked through for each report that is added. */
const SWEPT = 400;

/**
 * Which event an article tells of: it joins the one that it most likely tells of, by its likeness to the reports
 * (single-pass clustering, as in topic detection and tracking: Allan et al. 1998), and begins one where none is more
 * likely than not. What is rare is learned from the articles as they come.
 */
export class Events {
  readonly #held = new HeldEvents(PROBES + MOST_ANCHORS);
  /** Names of the events of each term, the oldest first. */
  readonly #byTerm = new TermLists();
  readonly #known = new Rarities();
  readonly #voices = new Voices();
  /** Of each term of a newcomer the only event that has it, or what `#soleOf` says instead. */
  readonly #sole = new Int32Array(MOST_TERMS);
  /** Which terms and anchors of a newcomer an event has. */
  readonly #metTerms = new Uint8Array(MOST_TERMS);
  readonly #metAnchors = new Uint8Array(MOST_ANCHORS);
  readonly #placing = new Placing(this.#known, PROBES);
  readonly #comparison = new ReportComparison(this.#known, this.#voices, byPairs);
  readonly #judge: EventJudge;

  /** `judge`: by what a report joins an event; another than the product's only where weights are fitted. */
  constructor(judge = byLikeness) {
    this.#judge = judge;
  }

  /** Counts an article's terms, before it or any of its batch is placed. */
  learn(topic: Topic): void {
    this.#placing.forget();
    this.#known.learn(topic);
  }

  /** The event whose reports are nearest, if any is near enough. `at`: when it was published. */
  nearest(topic: Topic, at: number): string | undefined {
    let found: string | undefined;
    let [best, others] = [0, 0];
    this.#compare(topic, at, (storyId, logarithm) => {
      const odds = Math.exp(logarithm);
      others += Math.min(odds, best);
      if (odds > best) [found, best] = [storyId, odds];
    });
    // More likely than that it tells of another, or of none.
    return best > 1 + others ? found : undefined;
  }

  /**
   * Events beside its own that a report of the event `own` most likely tells of too, now that more is known than when it
   * came, the likeliest first: by the mean evidence of their latest reports for it.
   */
  kindred(own: string, topic: Topic, at: number): string[] {
    const placed = this.#placing.of(topic);
    const comparison = this.#comparison.of(placed);
    const sexes = this.#sexesOf(this.#held.of(own)?.voices ?? []);
    const found: { storyId: string; evidence: number }[] = [];
    for (const place of this.#held.sharing(placed.keys, this.#byTerm, KINDRED_KEYS)) {
      const { storyId, voices } = this.#held.at(place);
      const gap = Math.abs(this.#held.lastOf(place) - at);
      if (storyId === own || gap > OVER_MS || areApart(sexes, this.#sexesOf(voices))) continue;
      let sum = 0;
      for (const voice of voices) sum += within(comparison.odds(voice, gap, NOBODY, NOBODY) ?? LEAST);
      if (sum > KINDRED * voices.length) found.push({ storyId, evidence: sum / voices.length });
    }
    return found.sort((one, other) => other.evidence - one.evidence).map(({ storyId }) => storyId);
  }

  #sexesOf(voices: readonly number[]): number {
    return voices.reduce((all, number) => all | this.#voices.sexesOf(number), 0);
  }

  /** Tells of each event that a report may tell of the logarithm of the odds. */
  #compare(topic: Topic, at: number, tell: (storyId: string, odds: number) => void): void {
    const placed = this.#placing.of(topic),
      { keys } = placed;
    let isFirst = true;
    const candidates = this.#held.sharing(keys, this.#byTerm);
    for (let next = 0; next < candidates.length; next++) {
      const place = candidates[next]!;
      if (Math.abs(this.#held.lastOf(place) - at) > OVER_MS) continue;
      const event = this.#held.at(place);
      if (isFirst)
        for (let term = 0; term < topic.terms.length; term++) this.#sole[term] = this.#soleOf(topic.terms[term]!);
      isFirst = false;
      tell(event.storyId, this.#odds(placed, event, at));
    }
  }

  /** Adds a report to an event, which begins with its first. */
  add(storyId: string, topic: Topic, at: number): void {
    const { voice, keys } = this.#placing.of(topic);
    const event = this.#held.told(storyId, at);
    event.voices.push(this.#voices.keep(voice));
    if (event.voices.length > MOST_VOICES) this.#voices.drop(event.voices.shift()!);
    for (let next = 0; next < keys.length; next++) this.#name(keys[next]!, event.name);
    if (this.#held.isFull) this.#forget();
    // A few at a time, so that no turn has to look through all of them.
    this.#byTerm.sweep(SWEPT, this.#held.isNamed);
  }

  #name(key: number, name: number): void {
    if (this.#byTerm.add(key, name) <= MOST_OF_A_TERM) return;
    if (this.#byTerm.keep(key, this.#held.isNamed) > MOST_OF_A_TERM) this.#byTerm.shift(key);
  }

  /** The name of the only event that a term is known of, or whether it is known of none or of several. */
  #soleOf(term: number): number {
    let sole = NOBODY;
    const list = this.#byTerm.of(term);
    if (list === 0) return sole;
    const { numbers } = this.#byTerm;
    for (let at = list + 1, end = at + this.#byTerm.lengthAt(list); at < end; at++) {
      const name = numbers[at]!;
      if (name === sole || !this.#held.isNamed(name)) continue;
      if (sole !== NOBODY) return SEVERAL;
      sole = name;
    }
    return sole;
  }

  /** The logarithm of the odds that a report tells of the event. */
  #odds(placed: PlacedTopic, event: HeldEvent, at: number): number {
    const { voice } = placed,
      { voices, storyId } = event;
    const metAnchors = this.#metAnchors.fill(0);
    this.#metTerms.fill(0);
    const isOwn = (number: number): boolean => this.#voices.languageOf(number) === voice.language;
    let [told, sexes, share, own] = [0, 0, 0, 0];
    for (const number of voices) {
      told |= this.#voices.daysOf(number);
      sexes |= this.#voices.sexesOf(number);
      share = Math.max(share, this.#voices.anchored(number, voice, metAnchors));
      if (isOwn(number)) own++;
    }
    if (areApart(sexes, voice.sexes)) return -Infinity;
    const isOfDay = (voice.days & told) !== 0;
    // Who speaks of the same day speaks of it late.
    const days = isOfDay ? 0 : Math.min(1, Math.abs(at - this.#held.lastOf(event.place)) / DAY_MS);
    const { names, numbers, share: known } = this.#sharedAnchors(voice, metAnchors);
    if (own === 0) {
      const isComparable = (number: number): boolean => isTranslated(this.#voices.languageOf(number));
      const near = isTranslated(voice.language) ? this.#nearness(voice, voices, isComparable) : undefined;
      const translated = near && { near, shared: this.#words(placed, event.name) };
      const reports = voices.length;
      return this.#judge.inOtherLanguages(
        { reports, anchors: names + numbers, known, share, numbers, days, translated },
        storyId,
      );
    }
    const otherDay = !isOfDay && voice.days > 0 && told > 0;
    const near = this.#nearness(voice, voices, isOwn)!;
    const strange = strangeIn(voice, this.#metTerms),
      unheard = unheardIn(voice, this.#metTerms);
    return this.#judge.inOneLanguage(
      { near, shared: this.#words(placed, event.name), strange, unheard, numbers, days, otherDay },
      storyId,
    );
  }

  /** How alike a report is to those of an event that can be compared; undefined where none can. Marks in `#metTerms`. */
  #nearness(
    voice: ReportVoice,
    voices: readonly number[],
    isComparable: (number: number) => boolean,
  ): Near | undefined {
    let [count, sum, titled, kin, most] = [0, 0, 0, 0, -1];
    for (const number of voices) {
      if (!isComparable(number)) continue;
      const { terms, heads } = this.#voices.nearness(number, voice, this.#metTerms);
      const bearing = this.#voices.bearing(number, voice);
      count++;
      sum += terms;
      titled += heads;
      kin += bearing;
      most = Math.max(most, bearing);
    }
    if (count === 0) return undefined;
    const kinship = isTranslated(voice.language) ? { mean: kin / count, most } : undefined;
    return { terms: sum / count, heads: titled / count, kin: kinship };
  }

  /** What the terms tell that both have, by what is marked of them. */
  #words({ topic, voice: { shares }, telling, rare, kinds }: PlacedTopic, name: number): Words {
    let [words, rarest, numbers, ownNames, ownLeading, ownWords] = [0, 0, 0, 0, 0, 0];
    for (let at = 0; at < shares.length; at++) {
      const met = this.#metTerms[at]!;
      if (met === 0) continue;
      const isOwn = this.#sole[at] === name || this.#sole[at] === NOBODY;
      const tells = telling[at]!;
      if (kinds[at] === NUMBER) numbers = Math.max(numbers, tells);
      else if (kinds[at] === NAME) {
        if (isOwn) ownNames++;
        if (isOwn && met & LED && topic.naming[at] === LEADING) ownLeading++;
      } else {
        words += tells * rare[at]!;
        rarest = Math.max(rarest, tells * rare[at]!);
        if (isOwn && (met & HEADED || shares[at]! > 0)) ownWords += rare[at]!;
      }
    }
    return { words, rarest, rarestNumber: numbers, ownNames, ownLeading, ownWords };
  }

  /** What the anchors that are met tell, in units of one that no other article has, and their share of all. */
  #sharedAnchors({ anchors }: ReportVoice, met: Uint8Array): { names: number; numbers: number; share: number } {
    const { unit } = this.#known;
    let [names, numbers, all] = [0, 0, 0];
    for (let at = 0; at < anchors.length; at++) {
      const tells = this.#known.of(anchors[at]!) / unit;
      all += tells;
      if (!met[at]) continue;
      if (isNumber(anchors[at]!)) numbers += tells;
      else names += tells;
    }
    return { names, numbers, share: all > 0 ? (names + numbers) / all : 0 };
  }

  #forget(): void {
    for (const { voices } of this.#held.forgetOldest()) for (const number of voices) this.#voices.drop(number);
    this.#byTerm.litter();
  }
}
