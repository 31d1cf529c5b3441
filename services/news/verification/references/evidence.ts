import { SINCE } from "./outcome/conclusion.ts";
import { matterOf as matterOfConcept, type ReadArticle } from "./readings.ts";
import { alignment, tellingOf } from "./alignment.ts";
import { stance, type Held, type Idf, type StanceOptions } from "./stance.ts";
import type { Stance } from "./outcome/verdicts.ts";
import { MOST_SENTENCES } from "./pairs/between.ts";
import { commonWords } from "./pairs/judge.ts";
import { findingOn, isChecked } from "../../../../core/text/statements/speech/checked.ts";
import { causesOf } from "../../../../core/text/statements/causes.ts";
import { takesBack } from "../../../../core/text/statements/speech/errata.ts";
import { kindKeys } from "../../../../core/text/statements/kinds.ts";
import type { Statement } from "../../../../core/text/statements/statement.ts";
import { baseOf } from "../../../../core/text/words/stem.ts";
import { isFunctionWord } from "../../../../core/text/words/stop-words.ts";
import type { Steps } from "../../../../core/work/turns.ts";

const CLOSEST_SENTENCES = 6;
/** Sentences compared of those nearest in meaning. */
const NEAREST_SENTENCES = 4;
/** The share of the claim's content that makes a sentence without a stance worth showing. */
const NEAR_ENOUGH = 0.25;
const FEWEST_COMMON_STEMS = 2;

/** A claim's place in its article, for comparison with another article of its story. */
export type Beside = Pick<Held, "between" | "at" | "later">;

/** The sentence of an article that says most about the claim; a contradiction wins over equal support. A step is one. */
export function* evidence(
  claim: Statement,
  wanted: Wanted,
  article: ReadArticle,
  titled: readonly string[],
  { idf, event, beside }: Pick<StanceOptions, "idf" | "event"> & { beside?: Beside | undefined },
): Steps<Stance | undefined> {
  // What is only repeated, to take it back or to say whether it holds, is nobody's claim.
  if (takesBack(claim.text) || isChecked(claim.text)) return undefined;
  const close = event === "same" ? closestOfEvent(wanted, article, beside) : closest(wanted, article);
  if (close.length === 0) return undefined;
  let best: Stance | undefined;
  let neutralAt: Stance | undefined;
  let nearest = 0;
  for (const at of close) {
    yield;
    const candidate = article.statement(at);
    const found = byFinding(
      stance(claim, candidate, {
        idf,
        event,
        held: beside && at < MOST_SENTENCES ? { ...beside, there: at } : undefined,
        context: () => namesAround(titled, article, at),
      }),
      article,
      at,
    );
    if (found.reasons[0]?.startsWith(SINCE)) return found;
    if (found.stance === "support" && article.isAnonymous(at)) {
      neutralAt ??= { ...found, stance: "neutral", score: 0, reasons: ["it rests on sources that are not named"] };
      nearest = 1;
      continue;
    }
    if (found.stance === "unrelated") {
      const shared = alignment(claim.senses, candidate.senses, idf ?? (() => 1));
      if (tellingOf(shared) >= FEWEST_COMMON_STEMS && shared.overlap > nearest) {
        nearest = shared.overlap;
        neutralAt = { ...found, stance: "neutral" };
      }
      continue;
    }
    if (!best || found.score > best.score || (found.score === best.score && found.stance === "contradict"))
      best = found;
  }
  return best ?? (nearest >= NEAR_ENOUGH ? neutralAt : undefined);
}

/** A fact-checker repeats a claim to say whether it holds: what it found counts, and never that it repeats it. */
function byFinding(found: Stance, { sentences }: ReadArticle, at: number): Stance {
  if (!isChecked(sentences[at]!.text) || found.stance === "neutral" || found.stance === "unrelated") return found;
  const finding = findingOn(sentences, at);
  if (finding === "true") return found;
  return finding === "false" && found.stance === "support"
    ? { ...found, stance: "contradict", reasons: ["it checked this, and found it false", ...found.reasons] }
    : { ...found, stance: "neutral", score: 0, reasons: ["it repeats what it checks"] };
}

/** What the two sentences must cover of each other, both shares added. */
const OF_POST = 0.5;
const FEWEST_WORDS_OF_POST = 2;

/** The sentence that a post may refer to: a post's own words are few and casual. */
export function meantBy({ between, at }: Pick<Held, "between" | "at">, article: ReadArticle): Stance | undefined {
  const [there] = between.nearest(at, 1);
  if (there === undefined || article.addressesMachines(there)) return undefined;
  const [here, beyond] = between.coverings(at, there);
  if (here.covered + beyond.covered < OF_POST) return undefined;
  const [mine, theirs] = between.matters;
  const common = commonWords({ one: mine[at]!, other: theirs[there]!, between });
  if (common.length < FEWEST_WORDS_OF_POST) return undefined;
  const { text, start, end } = article.sentences[there]!;
  return {
    stance: "neutral",
    score: 0,
    evidence: { text, start, end },
    reasons: [`it may speak of the same: ${common.join(", ")}`],
  };
}

/** The parts of a claim that a sentence is searched for. */
interface Wanted {
  stems: readonly string[];
  concepts: readonly string[];
  isCaused: boolean;
  /** Its figures as written, of two digits or more. */
  figures: readonly string[];
}

export const wantedBy = (claimed: Statement): Wanted => {
  const stems = claimed.words.filter(({ text }) => !isFunctionWord(text)).map(({ text }) => baseOf(text));
  return {
    stems: [...new Set(stems)],
    concepts: [
      ...new Set(claimed.senses.filter(({ weight }) => weight === 1).map(({ concept }) => matterOfConcept(concept))),
      ...kindKeys(claimed.words),
    ],
    isCaused: causesOf(claimed).length > 0,
    figures: claimed.quantities.flatMap(({ text }) => /\d[\d.,]*\d/.exec(text)?.[0] ?? []),
  };
};

/** Indexes of the sentences with most words in common with the claim: this search costs a tenth of the comparison. */
function closest({ stems }: Wanted, article: ReadArticle): number[] {
  const counts = article.counted(stems);
  const fewest = Math.min(FEWEST_COMMON_STEMS, stems.length);
  return nearest(article, (at) => (counts[at]! >= fewest ? counts[at]! : 0));
}

/** The sentence with most words in common with the claim; undefined where none may be shown. */
export function sentenceNearest({ stems }: Wanted, article: ReadArticle): Stance["evidence"] | undefined {
  const counts = article.counted(stems);
  const [at] = [...counts.keys()]
    .sort((a, b) => counts[b]! - counts[a]! || a - b)
    .filter((at) => !article.addressesMachines(at));
  if (at === undefined) return undefined;
  const { text, start, end } = article.sentences[at]!;
  return { text, start, end };
}

/** A shared figure counts as much as two words. */
const OF_A_FIGURE = 2;

/**
 * Indexes of the sentences of an article about the same event that are compared with a claim. They need not share its
 * words: one shared concept, figure or pair of causes is enough.
 */
export function closestOfEvent(
  { concepts, isCaused, figures }: Wanted,
  article: ReadArticle,
  beside: Beside | undefined,
): number[] {
  const near = beside ? beside.between.nearest(beside.at, NEAREST_SENTENCES) : [];
  const found = nearest(
    article,
    (at) =>
      commonWith(concepts, article.concepts(at)) +
      (figures.some((figure) => article.sentences[at]!.text.includes(figure)) ? OF_A_FIGURE : 0) +
      (isCaused && article.isCaused(at) ? 1 : 0),
  );
  return [...new Set([...found, ...near.filter((at) => !article.addressesMachines(at))])];
}

const nearest = (article: ReadArticle, nearnessOf: (at: number) => number): number[] =>
  article.sentences
    .map((_, at) => ({ at, common: nearnessOf(at) }))
    .filter(({ common }) => common > 0)
    .sort((a, b) => b.common - a.common || a.at - b.at)
    .slice(0, CLOSEST_SENTENCES)
    .map(({ at }) => at)
    .filter((at) => !article.addressesMachines(at));

function commonWith(wanted: readonly string[], there: ReadonlySet<string>): number {
  let common = 0;
  for (const one of wanted) if (there.has(one)) common++;
  return common;
}

/** Names in the title, the first sentence and the sentence before: what "it" and "the company" may refer to. */
export function namesAround(titled: readonly string[], article: ReadArticle, at: number): string[] {
  const before = [0, at - 1].filter((other) => other >= 0 && other !== at && other < article.sentences.length);
  return [...titled, ...before.flatMap((other) => article.names(other))];
}

const FEWEST_FOR_IDF = 8;

/** Rarity of the claim's concepts among the candidates, around 1 and within 0.5 to 1.5: few articles tell little. */
export function idfOf(claim: Statement, articles: readonly ReadArticle[]): Idf {
  if (articles.length < FEWEST_FOR_IDF) return () => 1;
  const concepts = [...new Set(claim.senses.map(({ concept }) => concept))];
  const rarity = new Map(
    concepts.map((concept) => [
      concept,
      Math.log(1 + articles.length / (1 + articles.filter((article) => article.has(concept)).length)),
    ]),
  );
  const mean = [...rarity.values()].reduce((sum, value) => sum + value, 0) / Math.max(1, rarity.size);
  return (concept) => Math.min(1.5, Math.max(0.5, (rarity.get(concept) ?? mean) / mean));
}
