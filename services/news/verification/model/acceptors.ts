import { claimOf, extractClaims, MOST_CLAIMS, statements, type Claim } from "../claims/detection.ts";
import { addressesMachines, CHECK_WORTHY } from "../claims/check-worthiness.ts";
import { namesAround } from "../references/evidence.ts";
import { type Candidate, type Reference } from "../references/cross-reference.ts";
import { locate, locator } from "../../../../core/text/locate.ts";
import type { Quantity } from "../../../../core/text/statements/figures/quantities.ts";
import type { Span } from "../../../../core/text/words/words.ts";
import type { ClaimsAnswer, StanceAnswer, VerificationAnswer } from "./prompts.ts";
import { namesInTitle, ReadArticle } from "../references/readings.ts";
import { bearing } from "../references/alignment.ts";
import type { Stance } from "../references/outcome/verdicts.ts";
import { statementOf, type Statement } from "../../../../core/text/statements/statement.ts";

/**
 * What is accepted from a model's answer. The model proposes, the text decides: a quotation must stand in the text, an
 * id must be one of those given, and scores move only within bounds set by the heuristics. An answer that obeys a
 * hostile text can therefore neither invent evidence, nor hide it, nor settle a claim by itself.
 */

/** How far a model may move a check-worthiness score. */
const CLAIM_REACH = 20;
/** Claims of this score stay, whatever the model leaves out. */
const OUTSTANDING = 70;

/** The claims a model found, each a sentence of the text, together with those that no model may hide. Best first. */
export function acceptClaims(answer: ClaimsAnswer, text: string, limit = MOST_CLAIMS): Claim[] {
  const apart = statements(text);
  const find = locator(text);
  const found = new Map<number, Claim>();
  for (const { quote, score } of answer.claims) {
    const one = sentenceIn(apart, find(quote));
    if (!one || found.has(one.start)) continue;
    const claim = claimOf(text, one);
    if (claim.score < CHECK_WORTHY - CLAIM_REACH) continue;
    const moved = Math.round(between(claim.score - CLAIM_REACH, claim.score + CLAIM_REACH, score));
    found.set(one.start, {
      ...claim,
      score: between(0, 100, moved),
      reasons: [...claim.reasons, `the model says ${Math.round(score)}`],
    });
  }
  for (const claim of extractClaims(text, { minimum: OUTSTANDING }))
    if (!found.has(claim.start)) found.set(claim.start, claim);
  return [...found.values()]
    .filter(({ score }) => score >= CHECK_WORTHY)
    .sort((a, b) => b.score - a.score || a.start - b.start)
    .slice(0, limit);
}

/** The statement that contains a place; a place across sentences belongs to its first. */
const sentenceIn = (apart: readonly Statement[], place: Span | undefined): Statement | undefined =>
  place && apart.find(({ start, end }) => place.start < end && place.end > start);

const between = (low: number, high: number, value: number) => Math.min(high, Math.max(low, value));

/** Too little to settle a claim even from a source of rating A (0.33 of weight 1): two such references must agree. */
const POINTED_OUT = 32;
const RELATED = 0.35;
const FEWEST_CONCEPTS = 2;

/** Score of a cited verdict that replaces a heuristic one: less than that of a clear sentence which both read alike. */
const CITED = 50;

/**
 * One article's stance by a model beside the heuristic one. A verdict that cites a sentence of the article wins, even
 * against the heuristics, and is marked as the model's; one without a citation is only noted. Where the heuristics
 * found nothing, the cited sentence must speak of the same thing, and it cannot settle the claim alone. An article that
 * addresses machines may have instructed this model: there the heuristics decide.
 */
export function acceptStance(
  answer: StanceAnswer,
  claim: string,
  candidate: Candidate,
  heuristic: Stance | undefined,
): (Stance & Pick<Reference, "method">) | undefined {
  const judged = heuristic && isJudged(heuristic) ? heuristic : undefined;
  const standing = heuristic && { ...heuristic, method: "heuristic" as const };
  if (answer.articleId !== candidate.articleId) return standing;
  if (judged && answer.stance === judged.stance) return noted(judged, "the model agrees");
  const article = new ReadArticle(candidate.text);
  const apart = statements(candidate.text, article.sentences);
  const cited = sentenceIn(apart, locate(candidate.text, answer.quote));
  if (!cited || apart.some((one) => addressesMachines(candidate.text, one)))
    return judged ? noted(judged, "the model sees it otherwise") : standing;
  const evidence = { text: cited.text, start: cited.start, end: cited.end };
  const stated = statementOf(claim);
  const found = bearing(stated, cited, {
    context: namesAround(candidate.title ? namesInTitle(candidate.title) : [], article, apart.indexOf(cited)),
  });
  const said = `the model's verdict${judged ? `; the heuristics said ${judged.stance}` : ""}`;
  if (answer.stance === "unrelated")
    return judged ? { stance: "neutral", score: 0, method: "llm", evidence, reasons: [said] } : standing;
  // What the text states is not open to a verdict: another figure is no support, and the claim's own words are no
  // denial.
  const isRefuted = answer.stance === "support" ? found.figures.agreement === "differ" : restates(stated, found);
  if (judged && (found.telling === 0 || isRefuted)) return noted(judged, "the model sees it otherwise");
  if (!judged && (isRefuted || !(bears(found) || speaksOf(heuristic, cited, found)))) return standing;
  return {
    stance: answer.stance,
    score: judged ? CITED : POINTED_OUT,
    method: "llm",
    evidence,
    reasons: [said, `${Math.round(100 * found.shared.overlap)} % of the claim's content is there`],
  };
}

const isJudged = ({ stance }: Stance): boolean => stance === "support" || stance === "contradict";
const noted = (heuristic: Stance, word: string) => ({
  ...heuristic,
  reasons: [...heuristic.reasons, word],
  method: "heuristic" as const,
});

type Bearing = ReturnType<typeof bearing>;
const bears = ({ shared, telling, names, when }: Bearing) =>
  shared.overlap >= RELATED &&
  telling >= FEWEST_CONCEPTS &&
  names.agreement !== "differ" &&
  !names.foreign &&
  when !== "differ";
/** Whether the heuristics too find the cited sentence nearest to the claim, although they conclude nothing from it. */
const speaksOf = (heuristic: Stance | undefined, cited: Span, { telling }: Bearing): boolean =>
  heuristic?.evidence.start === cited.start && telling > 0;

const SAME_WORDS = 0.6;
/** "The two governments": too small a figure to identify anything. */
const FEWEST_COUNTED = 4;
const tells = ({ unit, value }: Quantity): boolean =>
  (unit !== "count" && unit !== "number") || value >= FEWEST_COUNTED;

/** Whether a sentence repeats the claim, with all its figures and without negation. */
const restates = ({ quantities }: Statement, { shared, figures, opposition }: Bearing): boolean =>
  shared.overlap >= SAME_WORDS &&
  quantities.some(tells) &&
  figures.agreeing === quantities.length &&
  !opposition.opposed &&
  !opposition.unclear;

/** The parts of a reference that a model's citation needs. */
export type Evidence = Pick<Reference, "articleId" | "stance" | "evidence" | "independent">;

export interface ModelVerification {
  /** 0..100, within reach of `baseline`. */
  score: number;
  reasons: { text: string; articleId: number; quote: string }[];
  /** Reasons of the model without evidence. */
  dropped: number;
}

/** How far each correctly cited piece of evidence lets a model move the score, and how far all together. */
const EACH_CITATION = 5;
const VERIFICATION_REACH = 10;
const LONGEST_REASON = 300;

/**
 * A model's judgement of an article, bound to the evidence: reasons stay if they cite a given reference by words that
 * stand in it; only cited support raises the score above the baseline, only cited contradiction lowers it.
 */
export function acceptVerification(
  answer: VerificationAnswer,
  evidence: readonly Evidence[],
  baseline: number,
): ModelVerification {
  const byId = Map.groupBy(
    evidence.filter(({ stance }) => stance !== "unrelated"),
    ({ articleId }) => articleId,
  );
  const reasons: ModelVerification["reasons"] = [];
  const cited = { support: new Set<number>(), contradict: new Set<number>() };
  for (const reason of answer.reasons) {
    const reference = byId.get(reason.articleId)?.find((one) => locate(one.evidence.text, reason.quote));
    const place = reference && locate(reference.evidence.text, reason.quote);
    if (!reference || !place) continue;
    if (reference.independent && (reference.stance === "support" || reference.stance === "contradict"))
      cited[reference.stance].add(reference.articleId);
    reasons.push({
      text: plainWords(reason.text),
      articleId: reason.articleId,
      quote: reference.evidence.text.slice(place.start, place.end),
    });
  }
  const reach = (side: ReadonlySet<number>) => Math.min(VERIFICATION_REACH, EACH_CITATION * side.size);
  const score = between(baseline - reach(cited.contradict), baseline + reach(cited.support), answer.score);
  return {
    score: between(0, 100, Math.round(score * 100) / 100),
    reasons,
    dropped: answer.reasons.length - reasons.length,
  };
}

/**
 * A model's own words, made safe to show: one line, no addresses (a model may repeat those of a hostile text), cut to
 * length.
 */
export const plainWords = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .replace(/\b(?:https?:\/\/|www\.)\S+/gi, "[address]")
    .replace(/[<>]/g, "")
    .trim()
    .slice(0, LONGEST_REASON);
