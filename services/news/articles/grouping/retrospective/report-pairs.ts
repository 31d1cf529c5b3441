import { areOfTwoMatches } from "../../../../../core/text/statements/figures/matches.ts";
import type { Steps } from "../../../../../core/work/turns.ts";
import { ReportComparison } from "./report-comparison.ts";
import type { PairJudge } from "./pair-likeness.ts";
import { Placing, type PlacedTopic } from "../placing.ts";
import { Rarities } from "../rarities.ts";
import { MOST_TERMS, type Topic } from "../topics/topic.ts";
import { Voices } from "../voices.ts";

export interface Report {
  topic: Topic;
  /** When it was published. */
  at: number;
  /** Of a match that it tells of. */
  scores: ReadonlySet<string>;
}

/** What more reports have is no reason to compare any two of them. */
const MOST_OF_A_KEY = 60;
/** So many of these two reports must have in common. */
const LEAST_KEYS = 2;

/** Tells of two reports, by their places, the logarithm of the odds that they tell of one event, as one of them sees it. */
export type TellPair = (one: number, other: number, odds: number) => void;

/** Reports that are all known before any is compared: what is rare is learned from all of them first. */
export class ReportPairs {
  readonly #reports: readonly Report[];
  readonly #known = new Rarities();
  readonly #placing = new Placing(this.#known, MOST_TERMS);
  readonly #voices = new Voices();
  readonly #numbers: number[] = [];
  readonly #byKey = new Map<number, number[]>();
  readonly #comparison: ReportComparison;

  constructor(reports: readonly Report[], judge: PairJudge) {
    this.#reports = reports;
    this.#comparison = new ReportComparison(this.#known, this.#voices, judge);
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
    this.#comparison.of(placed);
    for (const key of placed.keys) {
      const places = this.#byKey.get(key)!;
      if (places.length > MOST_OF_A_KEY) continue;
      for (const other of places)
        if (other !== place && ++counts[other]! === LEAST_KEYS) {
          const odds = this.#odds(place, other);
          if (odds !== undefined) tell(place, other, odds);
        }
    }
  }

  #odds(one: number, other: number): number | undefined {
    const [mine, theirs] = [this.#reports[one]!, this.#reports[other]!];
    if (areOfTwoMatches(mine.scores, theirs.scores)) return undefined;
    return this.#comparison.odds(this.#numbers[other]!, Math.abs(mine.at - theirs.at), one, other);
  }
}
