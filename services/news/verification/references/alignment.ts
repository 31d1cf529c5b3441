import { compareDates, type Agreement, type DateMention } from "../../../../core/text/statements/dates.ts";
import { compareFigures, type Figures } from "../../../../core/text/statements/comparison.ts";
import { measuresOf } from "../../../../core/text/statements/figures/measures.ts";
import { sameName, type Name } from "../../../../core/text/statements/names.ts";
import type { Sense } from "../../../../core/text/statements/meaning.ts";
import { wholeOf, type Statement } from "../../../../core/text/statements/statement.ts";
import { opposed, type Opposition } from "./opposing/opposition.ts";
import type { Idf, StanceOptions } from "./stance.ts";

/** A sense of the claim and its counterpart in the sentence. */
export interface Pair {
  claim: Sense;
  candidate: Sense;
}

export interface Alignment {
  overlap: number;
  besideNames: number;
  pairs: Pair[];
}

const share = ({ total, matched }: { total: number; matched: number }, ofNothing: number) =>
  total === 0 ? ofNothing : matched / total;

/** The first sense of each concept. One sentence is compared with many claims. */
function conceptsOf(said: readonly Sense[]): ReadonlyMap<string, Sense> {
  let known = byConcepts.get(said);
  if (!known) {
    const found = new Map<string, Sense>();
    for (const sense of said) if (!found.has(sense.concept)) found.set(sense.concept, sense);
    byConcepts.set(said, (known = found));
  }
  return known;
}
const byConcepts = new WeakMap<readonly Sense[], ReadonlyMap<string, Sense>>();

/** Which senses of the claim the candidate shares, and their share of the claim's weight. */
export function alignment(claim: readonly Sense[], candidate: readonly Sense[], idf: Idf): Alignment {
  const byConcept = conceptsOf(candidate);
  const pairs: Alignment["pairs"] = [];
  const counted = conceptsOf(claim);
  const all = { total: 0, matched: 0 };
  const besideNames = { total: 0, matched: 0 };
  for (const sense of claim) {
    if (counted.get(sense.concept) !== sense) continue;
    const partner = byConcept.get(sense.concept);
    if (partner) pairs.push({ claim: sense, candidate: partner });
    const weight = sense.weight * idf(sense.concept);
    for (const sum of sense.weight > 1 ? [all] : [all, besideNames]) {
      sum.total += weight;
      if (partner) sum.matched += weight;
    }
  }
  return { overlap: share(all, 0), besideNames: share(besideNames, 1), pairs };
}

export interface Names {
  agreement: Agreement;
  /** The candidate has names that neither the claim nor the surrounding text has, and none of the claim's. */
  foreign: boolean;
  reason: string;
}

export function compareNames(claimed: readonly Name[], found: readonly Name[], context: readonly string[]): Names {
  const matches = (key: string) => found.some((other) => sameName(key, other.key));
  const missing = claimed.filter(({ key }) => !matches(key));
  const others = found.filter(({ key }) => !claimed.some((one) => sameName(one.key, key)));
  const implied = missing.filter(({ key }) => !context.some((name) => sameName(name, key)));
  const foreign = others.find(({ key }) => !context.some((name) => sameName(name, key)));
  if (claimed.length === 0)
    return {
      agreement: "unclear",
      foreign: foreign !== undefined,
      reason: foreign ? `it may speak of another case: ${foreign.text}` : "",
    };
  if (missing.length > 0 && others.length > 0 && implied.length * 2 >= claimed.length) {
    return {
      agreement: "differ",
      foreign: true,
      reason: `it speaks of ${others[0]!.text}, not of ${implied[0]!.text}`,
    };
  }
  return { agreement: missing.length < claimed.length ? "agree" : "unclear", foreign: false, reason: "" };
}

const EVEN: Idf = () => 1;

/** What a claim and a sentence have in common and where they differ: the basis of every verdict on them. */
export interface Bearing {
  /** Shares of the claim's content, 0..1. */
  shared: Alignment;
  /** The same by the sentence's content: the longer of two says more. */
  reverse: Alignment;
  /** The number of shared concepts of full weight. */
  telling: number;
  names: Names;
  when: Agreement;
  figures: Figures;
  opposition: Opposition;
}

/** The comparison of a sentence with a claim, before any verdict. */
export const bearing = (claim: Statement, candidate: Statement, options: StanceOptions = {}): Bearing =>
  new Bears(claim, candidate, options);

/** Computes each part on first use: most sentences share too little with a claim for more than the first. */
class Bears implements Bearing {
  readonly shared: Alignment;
  readonly telling: number;
  readonly #claim: Statement;
  readonly #candidate: Statement;
  readonly #options: StanceOptions;
  #reverse: Alignment | undefined;
  #names: Names | undefined;
  #when: Agreement | undefined;
  #figures: Figures | undefined;
  #opposition: Opposition | undefined;

  constructor(claim: Statement, candidate: Statement, options: StanceOptions) {
    this.#claim = claim;
    this.#candidate = candidate;
    this.#options = options;
    this.shared = alignment(claim.senses, wholeOf(candidate).senses, options.idf ?? EVEN);
    this.telling = tellingOf(this.shared);
  }

  get reverse(): Alignment {
    return (this.#reverse ??= alignment(
      this.#candidate.senses,
      wholeOf(this.#claim).senses,
      this.#options.idf ?? EVEN,
    ));
  }

  get names(): Names {
    const { context = [] } = this.#options;
    return (this.#names ??= compareNames(this.#claim.entities, wholeOf(this.#candidate).entities, [
      ...(typeof context === "function" ? context() : context),
      ...speakersOf(this.#candidate),
    ]));
  }

  get when(): Agreement {
    return (this.#when ??= compareDates(happened(this.#claim), happened(this.#candidate)));
  }

  get figures(): Figures {
    const isOfOneEvent = this.#options.event === "same";
    return (this.#figures ??= compareFigures(measuresOf(this.#claim), measuresOf(this.#candidate), isOfOneEvent));
  }

  get opposition(): Opposition {
    return (this.#opposition ??= opposed(this.#claim, this.#candidate, this.shared));
  }
}

/** Names of the speaker, and of the place of speaking. */
const speakersOf = (matter: Statement): string[] =>
  wholeOf(matter).entities.flatMap((name) => (matter.entities.includes(name) ? [] : [name.key]));

/** Shared concepts of full weight. */
export const tellingOf = ({ pairs }: Alignment): number => pairs.filter(({ claim }) => claim.weight >= 1).length;

/** "The ministry said on Sunday": the time of the statement, not of the event. */
const TOLD =
  /\b(?:said|says|told \w+(?: \w+)?|added|announced|reported|wrote|confirmed|denied)(?: late| early)?(?: on| in)?\s*$/i;
const happened = ({ text, start, dates }: Statement): readonly DateMention[] =>
  dates.length === 0
    ? dates
    : dates.filter((one) => one.weekday === undefined || !TOLD.test(text.slice(0, one.start - start)));
