import type { Agreement } from "../../../../core/text/statements/dates.ts";
import { sameName, type Name } from "../../../../core/text/statements/names.ts";
import type { Sense } from "../../../../core/text/statements/meaning.ts";
import type { Idf } from "./stance.ts";

/** A sense of the claim and its like in the sentence. */
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

/** The first sense of each concept. One sentence is held against many claims. */
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

/** Which senses of the claim the candidate has too, and what share of the claim's weight they are. */
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
