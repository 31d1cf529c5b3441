import { reportOf } from "../../articles/client.ts";
import { independentPairs } from "./independence.ts";
import { Readings, type ReadArticle } from "./readings.ts";
import { RELIABILITY_WEIGHT, type Credibility } from "../reliability/reliability.ts";
import type { Reliability } from "../../sources/events.ts";
import { alignment, stance, tellingOf, type Idf, type Stance, type StanceKind, type StanceOptions } from "./stance.ts";
import { DIFFERENT, isOutgrown } from "../../../../core/text/statements/measures.ts";
import { statementOf, type Statement } from "../../../../core/text/statements/statement.ts";
import { baseOf } from "../../../../core/text/words/stem.ts";
import { isFunctionWord } from "../../../../core/text/words/stop-words.ts";

export type ClaimStatus = "unverified" | "corroborated" | "contradicted" | "disputed";

/** Where a claim was made; what stems from there corroborates nothing. */
export interface Origin {
  articleId: number;
  /** The event that its article tells of. */
  storyId: string;
  /** The report that its article is a copy of; without it `storyId` is that, and no event is known. */
  reportId?: string | undefined;
  sourceId: number;
  /** The agency that its article credits. */
  credit?: string | undefined;
  /** ISO 8601; without it nothing is known of what was told first. */
  publishedAt?: string | undefined;
}

/** A stored article that may speak of a claim. */
export interface Candidate {
  articleId: number;
  storyId: string;
  reportId?: string | undefined;
  sourceId: number;
  credit?: string | undefined;
  sourceName: string;
  title?: string;
  text: string;
  /** ISO 8601 */
  publishedAt: string;
  reliability: Reliability;
}

/** What one article says of a claim, with the sentence that says it. */
export interface Reference extends Omit<Candidate, "text" | "title">, Stance {
  /** Neither from the claim's own source nor a copy of its report, nor by the agency that it credits. */
  independent: boolean;
  method: "heuristic" | "llm";
}

/** A later figure of the same outlet or agency in place of the claim's. */
export interface SupersededBy {
  articleId: number;
  text: string;
  value: number;
  subject: string;
}

export interface CrossReference {
  status: ClaimStatus;
  credibility: Credibility;
  /** 0..100; 50 where nothing is known. */
  score: number;
  supporting: Reference[];
  contradicting: Reference[];
  /** Those that speak of the same and settle nothing, the nearest first. */
  neutral: Reference[];
  supersededBy: SupersededBy | null;
  /** Supporting references of which no two share a report or a source. */
  independentSources: number;
  independentContradictions: number;
  /** Articles that were read. */
  candidates: number;
  reasons: string[];
}

export interface CrossReferenceOptions {
  /** How telling concepts are in the whole corpus; without it the candidates are the corpus. */
  idf?: Idf;
  /** Keeps the candidates taken apart for the next claim. */
  readings?: Readings;
}

/** What stored articles say of a claim, and what follows. Pure; the caller has searched the candidates. */
export const crossReference = (
  claim: string,
  origin: Origin,
  candidates: readonly Candidate[],
  options: CrossReferenceOptions = {},
): CrossReference => conclude(references(claim, origin, candidates, options), { candidates: candidates.length });

/** The best evidence of each candidate, those that say nothing of the claim left out. */
export function references(
  claim: string,
  origin: Origin,
  candidates: readonly Candidate[],
  { idf, readings = new Readings() }: CrossReferenceOptions = {},
): Reference[] {
  const claimed = statementOf(claim);
  const wanted = [
    ...new Set(claimed.words.filter(({ text }) => !isFunctionWord(text)).map(({ text }) => baseOf(text))),
  ];
  const agencies = agenciesOf([origin, ...candidates]);
  const credited = <T extends Origin | Candidate>(one: T): T => ({
    ...one,
    credit: one.credit ?? agencies.get(reportOf(one)),
  });
  const claimant = credited(origin);
  const others = candidates.filter(({ articleId }) => articleId !== origin.articleId).map(credited);
  const read = others.map((candidate) => ({ candidate, article: readings.of(candidate.text) }));
  const telling =
    idf ??
    idfOf(
      claimed,
      read.map(({ article }) => article),
    );
  return read.flatMap(({ candidate, article: told }) => {
    const best = evidence(claimed, wanted, told, candidate.title ? readings.namesInTitle(candidate.title) : [], {
      idf: telling,
      event: eventOf(origin, candidate),
    });
    if (!best) return [];
    const said = outgrown(claimed, best, origin, candidate) ?? best;
    const { text: _, title: __, ...article } = candidate;
    return [
      {
        ...article,
        ...said,
        independent: isIndependent(claimant, candidate),
        method: "heuristic" as const,
      },
    ];
  });
}

/** A count that has grown since contradicts nothing, on whichever side the later one is. */
function outgrown(claim: Statement, found: Stance, origin: Origin, candidate: Candidate): Stance | undefined {
  if (found.stance !== "contradict" || !origin.publishedAt || !found.reasons.some((one) => one.startsWith(DIFFERENT)))
    return undefined;
  const said = statementOf(found.evidence.text);
  const [earlier, later] = origin.publishedAt < candidate.publishedAt ? [claim, said] : [said, claim];
  return isOutgrown(earlier, later)
    ? { ...found, stance: "neutral", score: 0, reasons: ["counted at another time"] }
    : undefined;
}

const eventOf = (origin: Origin, candidate: Candidate): "same" | "other" | undefined =>
  origin.storyId === candidate.storyId ? "same" : origin.reportId && candidate.reportId ? "other" : undefined;

/** The agency that one of a report's copies credits wrote all of them. */
const agenciesOf = (articles: readonly (Origin | Candidate)[]): Map<string, string> =>
  new Map(articles.flatMap((article) => (article.credit ? [[reportOf(article), article.credit] as const] : [])));

/** Whether a candidate speaks for itself beside the claim's article. */
export const isIndependent = (origin: Origin, candidate: Candidate): boolean =>
  reportOf(candidate) !== reportOf(origin) &&
  candidate.sourceId !== origin.sourceId &&
  (candidate.credit === undefined || candidate.credit !== origin.credit);

const CLOSEST_SENTENCES = 6;
/** Share of the claim's content from which a sentence that says nothing of it is worth a look. */
const NEAR_ENOUGH = 0.25;
const FEWEST_COMMON_STEMS = 2;

/** The sentence of an article that says most about the claim; a contradiction wins over equal support. */
function evidence(
  claim: Statement,
  wanted: readonly string[],
  article: ReadArticle,
  titled: readonly string[],
  { idf, event }: Pick<StanceOptions, "idf" | "event">,
): Stance | undefined {
  const close = closest(wanted, article);
  if (close.length === 0) return undefined;
  let best: Stance | undefined;
  let neutralAt: Stance | undefined;
  let nearest = 0;
  for (const at of close) {
    const candidate = article.statement(at);
    const found = stance(claim, candidate, {
      idf,
      event,
      context: namesAround(titled, article, at),
    });
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

/**
 * Indexes of the sentences with most words in common with the claim: the comparison proper costs ten times this look.
 */
function closest(wanted: readonly string[], article: ReadArticle): number[] {
  return article.sentences
    .map((_, at) => ({ at, common: commonWith(wanted, article.stemsOf(at)) }))
    .filter(({ common }) => common >= Math.min(FEWEST_COMMON_STEMS, wanted.length))
    .sort((a, b) => b.common - a.common || a.at - b.at)
    .slice(0, CLOSEST_SENTENCES)
    .map(({ at }) => at)
    .filter((at) => !article.addressesMachines(at));
}

function commonWith(wanted: readonly string[], stems: ReadonlySet<string>): number {
  let common = 0;
  for (const one of wanted) if (stems.has(one)) common++;
  return common;
}

/** Names in the title, the first sentence and the sentence before: what "it" and "the company" may stand for. */
export function namesAround(titled: readonly string[], article: ReadArticle, at: number): string[] {
  const before = [0, at - 1].filter((other) => other >= 0 && other !== at && other < article.sentences.length);
  return [...titled, ...before.flatMap((other) => article.names(other))];
}

const FEWEST_FOR_IDF = 8;

/** Rarity of the claim's concepts among the candidates, around 1 and within 0.5 to 1.5: few articles tell little. */
function idfOf(claim: Statement, articles: readonly ReadArticle[]): Idf {
  if (articles.length < FEWEST_FOR_IDF) return () => 1;
  const concepts = [...new Set(claim.senses.map(({ concept }) => concept))];
  const rarity = new Map(
    concepts.map((concept) => [
      concept,
      Math.log(1 + articles.length / (1 + articles.filter(({ stems }) => stems.has(concept)).length)),
    ]),
  );
  const mean = [...rarity.values()].reduce((sum, value) => sum + value, 0) / Math.max(1, rarity.size);
  return (concept) => Math.min(1.5, Math.max(0.5, (rarity.get(concept) ?? mean) / mean));
}

/** Evidence that settles a claim: one clear sentence of a source that cannot be judged, or two weak ones. */
const SETTLING = 0.33;
/** One side outweighs the other when it has three times its evidence. */
const OUTWEIGHS = 3;
const CONFIRMED = 0.9;

const MOST_NEUTRAL = 10;
/** Below what contradiction makes of any claim: a figure that was given up is never trusted above its successor. */
const SUPERSEDED = 10;

/** What references amount to. Only independent ones count, and of those that share a report or a source only one. */
export function conclude(
  found: readonly Reference[],
  { candidates = found.length, supersededBy = null }: { candidates?: number; supersededBy?: SupersededBy | null } = {},
): CrossReference {
  const side = (kind: StanceKind) =>
    found
      .filter((reference) => reference.stance === kind)
      .sort((a, b) => b.score - a.score || a.articleId - b.articleId);
  const supporting = side("support");
  const contradicting = side("contradict");
  const pro = weigh(supporting);
  const contra = weigh(contradicting);
  // Whoever said it says otherwise now: what agreed with the old figure confirms it no longer.
  const status = supersededBy ? "unverified" : statusOf(pro.weight, contra.weight);
  return {
    status,
    credibility: supersededBy ? 4 : credibilityOf(status, pro, contra),
    score: supersededBy ? SUPERSEDED : Math.round((1000 * (pro.weight + 0.5)) / (pro.weight + contra.weight + 1)) / 10,
    supersededBy,
    supporting,
    contradicting,
    neutral: found.filter((reference) => reference.stance === "neutral").slice(0, MOST_NEUTRAL),
    independentSources: pro.count,
    independentContradictions: contra.count,
    candidates,
    reasons: supersededBy
      ? [`the same outlet or agency gave ${supersededBy.text} later`]
      : reasonsOf(status, pro, contra, supporting, contradicting),
  };
}

interface Side {
  weight: number;
  count: number;
  names: string[];
}

function weigh(side: readonly Reference[]): Side {
  const counted = independentPairs(
    side
      .filter(({ independent }) => independent)
      .map((reference) => ({ reference, reportId: voiceOf(reference), sourceId: reference.sourceId })),
    ({ reference }) => weightOf(reference),
  );
  return {
    weight: counted.reduce((sum, { reference }) => sum + weightOf(reference), 0),
    count: counted.length,
    names: counted.map(({ reference }) => reference.sourceName),
  };
}

/** Reports that credit one agency are that agency's. */
const voiceOf = (reference: Reference): string => (reference.credit ? `by ${reference.credit}` : reportOf(reference));

const weightOf = ({ score, reliability }: Reference) => (score / 100) * RELIABILITY_WEIGHT[reliability];

function statusOf(pro: number, contra: number): ClaimStatus {
  if (pro < SETTLING && contra < SETTLING) return "unverified";
  if (contra < SETTLING || pro >= OUTWEIGHS * contra) return "corroborated";
  if (pro < SETTLING || contra >= OUTWEIGHS * pro) return "contradicted";
  return "disputed";
}

function credibilityOf(status: ClaimStatus, pro: Side, contra: Side): Credibility {
  switch (status) {
    case "corroborated":
      return pro.count >= 2 && pro.weight >= CONFIRMED && contra.count === 0 ? 1 : 2;
    case "contradicted":
      return contra.count >= 2 ? 5 : 4;
    case "disputed":
      return pro.weight >= contra.weight ? 3 : 4;
    case "unverified":
      return pro.count > 0 && contra.count === 0 ? 3 : 6;
  }
}

function reasonsOf(
  status: ClaimStatus,
  pro: Side,
  contra: Side,
  supporting: readonly Reference[],
  contradicting: readonly Reference[],
): string[] {
  const said: string[] = [];
  if (pro.count > 0) said.push(`supported by ${listed(pro.names)}`);
  if (contra.count > 0) said.push(`contradicted by ${listed(contra.names)}`);
  const copies = supporting.length + contradicting.length - pro.count - contra.count;
  if (copies > 0)
    said.push(
      `${copies} further ${copies === 1 ? "article counts" : "articles count"} no more: the same story or the same source`,
    );
  if (status === "unverified") said.push(said.length > 0 ? "too little to settle it" : "no other source speaks of it");
  return said;
}

const listed = (names: readonly string[]) =>
  names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
