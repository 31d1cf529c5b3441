import { onlyAsks } from "../../../../core/text/statements/speech/asking.ts";
import { takesBack } from "../../../../core/text/statements/speech/errata.ts";
import { matterOf, statementOf, type Statement } from "../../../../core/text/statements/statement.ts";
import { bearing, type Bearing } from "./alignment.ts";
import { doubtOf } from "./outcome/doubts.ts";
import { neutral, RELATED, unrelated, type Stance, type Verdict } from "./outcome/verdicts.ts";
import type { Two } from "./pairs/features.ts";
import { weighed } from "./pairs/weighing.ts";
import { acrossEvents } from "./rules/across-events.ts";
import { withinEvent } from "./rules/within-event.ts";
import { areOfTwoLanguages } from "./slots/guards.ts";

/** How much weight a concept has: rare ones more. 1 for all where the corpus is unknown. */
export type Idf = (concept: string) => number;

export interface StanceOptions {
  idf?: Idf;
  /** Keys of names in the text around the candidate, which its pronouns may refer to. */
  context?: readonly string[] | (() => readonly string[]);
  /** Whether both are about the same event (by their stories), about different ones, or that is unknown. */
  event?: "same" | "other";
  /** The places of both in their articles: with them, the learned judge weighs the rules' verdict. */
  held?: Held | undefined;
}

export type Held = Omit<Two, "one" | "other" | "bearing">;

/**
 * Whether a sentence supports or contradicts a claim, by what can be compared without a model: shared content (weighted
 * by idf), figures with their units, times, names, negation, and opposites from a lexicon. It uses the alignment
 * features of early textual-entailment systems (Dagan et al. 2006, RTE; de Marneffe et al. 2008 on contradiction), with
 * every verdict explained.
 */
export function stance(claim: Statement | string, candidate: Statement | string, options: StanceOptions = {}): Stance {
  const one = matterOf(typeof claim === "string" ? statementOf(claim) : claim);
  const other = matterOf(typeof candidate === "string" ? statementOf(candidate) : candidate);
  const evidence = { text: other.text, start: other.start, end: other.end };
  // Nor is the judge asked: it takes what is repeated for what is said.
  if (takesBack(other.text)) return { ...unrelated("it takes back what was said before"), evidence };
  const found = bearing(one, other, options);
  const said = compare(one, other, found, options);
  const judged = options.held ? weighed(said, { one, other, bearing: found, ...options.held }) : said;
  const doubt = judged.stance === "support" ? doubtOf(one, other, found) : undefined;
  const { isOfSlot: _, ...verdict } = doubt ? neutral(doubt) : judged;
  return { ...verdict, evidence };
}

/** The verdict by the rules alone. */
function compare(claim: Statement, candidate: Statement, found: Bearing, { event, held }: StanceOptions): Verdict {
  if (onlyAsks(candidate.text))
    return found.shared.overlap >= RELATED ? neutral("it asks, and states nothing") : unrelated("it asks");
  const said =
    event === "same"
      ? withinEvent({ claim, candidate, found, later: held?.later, between: held?.between })
      : acrossEvents({ claim, candidate, found }, event === "other");
  return said.stance === "contradict" && areOfTwoLanguages(claim, candidate) ? neutral("in another language") : said;
}
