import { POST_SENTENCES } from "../claims/detection.ts";
import { reportOf } from "../../articles/client.ts";
import { Readings, type ReadArticle } from "./readings.ts";
import type { Credibility } from "../reliability/reliability.ts";
import type { Reliability } from "../../sources/events.ts";
import { agenciesOf, areTwoPrints, isIndependent, repeats } from "./independence.ts";
import type { Idf } from "./stance.ts";
import type { Stance } from "./outcome/verdicts.ts";
import { DIFFERENT, isOutgrown, overtaking } from "../../../../core/text/statements/comparison.ts";
import { numbersIn } from "../../../../core/text/statements/figures/numerals.ts";
import { matterOf, statementOf, type Statement } from "../../../../core/text/statements/statement.ts";
import { atOnce, each, type Steps } from "../../../../core/work/turns.ts";
import { sumBeyond } from "../../../../core/text/statements/figures/sums.ts";
import { conclude, SINCE } from "./outcome/conclusion.ts";
import { MOST_SENTENCES } from "./pairs/between.ts";
import { otherFigureIn } from "./pairs/copied.ts";
import { preparing } from "./pairs/preparing.ts";
import { evidence, idfOf, meantBy, sentenceNearest, wantedBy, type Beside } from "./evidence.ts";
import { areOfTwoMatches } from "../../../../core/text/statements/figures/matches.ts";

export type ClaimStatus = "unverified" | "corroborated" | "contradicted" | "disputed";

/** Where a claim was made; whatever comes from there does not corroborate it. */
export interface Origin {
  articleId: number;
  /** The event that its article reports. */
  storyId: string;
  /** Stories of other names that tell of the event too. */
  kindred?: ReadonlySet<string> | undefined;
  /** The report that its article copies; without it, `storyId` names the report and the event is unknown. */
  reportId?: string | undefined;
  sourceId: number;
  /** The agency that its article credits. */
  credit?: string | undefined;
  /** ISO 8601; without it, it is unknown which report was first. */
  publishedAt?: string | undefined;
  /** Text of its article; without it, look-alikes in one story cannot be told apart. */
  text?: string | undefined;
}

/** A stored article that may support or contradict a claim. */
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

/** One article's stance towards a claim, with the sentence that shows it. */
export interface Reference extends Omit<Candidate, "text" | "title">, Stance {
  /** Neither from the claim's own source, nor a copy of its report, nor by the agency that it credits. */
  independent: boolean;
  method: "heuristic" | "llm";
}

/** A later figure of the same outlet or agency that replaces the claim's. */
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
  /** Those about the same matter that settle nothing, the nearest first. */
  neutral: Reference[];
  supersededBy: SupersededBy | null;
  /** Supporting references, no two of which share a report or a source. */
  independentSources: number;
  independentContradictions: number;
  /** Number of articles read. */
  candidates: number;
  reasons: string[];
}

export interface CrossReferenceOptions {
  /** How rare concepts are in the whole corpus; without it, the candidates are the corpus. */
  idf?: Idf;
  /** Keeps parsed candidates for the next claim. */
  readings?: Readings;
}

/** What stored articles say about a claim, and the conclusion. Pure; the caller has searched the candidates. */
export const crossReference = (
  claim: string,
  origin: Origin,
  candidates: readonly Candidate[],
  options: CrossReferenceOptions = {},
): CrossReference => conclude(references(claim, origin, candidates, options), { candidates: candidates.length });

/** The best evidence of each candidate that says something about the claim. */
export const references = (...asked: Parameters<typeof referring>): Reference[] => atOnce(referring(...asked));

/** As `references`, a sentence of a candidate a step. */
export function* referring(
  claim: string,
  origin: Origin,
  candidates: readonly Candidate[],
  options: CrossReferenceOptions = {},
): Steps<Reference[]> {
  yield* preparing();
  const withReadings = { ...options, readings: options.readings ?? new Readings() };
  const found = yield* evidenceOf(claim, origin, candidates, withReadings);
  const since = yield* overtakenWith(claim, origin, candidates, found, withReadings);
  return since.length > 0 ? [...found.filter(({ articleId }) => !isOneOf(since, articleId)), ...since] : found;
}

function* evidenceOf(
  claim: string,
  origin: Origin,
  candidates: readonly Candidate[],
  { idf, readings }: CrossReferenceOptions & { readings: Readings },
): Steps<Reference[]> {
  const own = origin.text === undefined ? undefined : readings.of(origin.text);
  const place = own?.sentences.findIndex(({ text }) => text === claim) ?? -1;
  const claimed = place < 0 ? statementOf(claim) : own!.statement(place);
  const wanted = wantedBy(claimed);
  const agencies = agenciesOf([origin, ...candidates]);
  const credited = <T extends Origin | Candidate>(one: T): T => ({
    ...one,
    credit: one.credit ?? agencies.get(reportOf(one)),
  });
  const claimant = credited(origin);
  const others = candidates.filter(({ articleId }) => articleId !== origin.articleId).map(credited);
  const read = yield* each(others, (candidate) => ({ candidate, article: readings.of(candidate.text) }));
  const telling =
    idf ??
    idfOf(
      claimed,
      read.map(({ article }) => article),
    );
  const isPost = place >= 0 && own!.sentences.length <= POST_SENTENCES;
  const scores = own?.scores ?? NONE;
  const besideOf = (told: ReadArticle, candidate: Candidate): Beside | undefined =>
    own && place >= 0 && place < MOST_SENTENCES && eventOf(origin, candidate) === "same"
      ? { between: readings.between(own, told), at: place, later: hoursBetween(origin, candidate) }
      : undefined;
  const found: Reference[] = [];
  for (const { candidate, article: told } of read) {
    yield;
    if (areOfTwoMatches(scores, told.scores)) continue;
    const beside = besideOf(told, candidate);
    yield;
    const best = yield* evidence(claimed, wanted, told, candidate.title ? readings.namesInTitle(candidate.title) : [], {
      idf: telling,
      event: eventOf(origin, candidate),
      beside,
    });
    const said =
      (areTwoPrints(origin, candidate)
        ? otherFigureIn(claimed, place, told, hoursBetween(origin, candidate))
        : undefined) ??
      countedSince(claimed, told, origin, candidate) ??
      (best && outgrown(claimed, best, origin, candidate)) ??
      best ??
      (isPost ? meantBy({ between: readings.between(own!, told), at: place }, told) : undefined);
    if (!said) continue;
    const isTaken = said.stance === "support" && repeats(claim, said.evidence.text);
    found.push({
      ...referenceTo(candidate),
      ...said,
      ...(isTaken && { reasons: [...said.reasons, "the same words: one has them from the other"] }),
      independent: !isTaken && isIndependent(claimant, candidate),
    });
  }
  return found;
}

const isOneOf = (references: readonly Reference[], id: number): boolean =>
  references.some(({ articleId }) => articleId === id);

/** A figure more than this many times larger or smaller counts something else. */
const MOST_APART = 8;

/**
 * Later reports that outdate a supporting reference's figure, where the claim's own words cannot show it: it is in
 * another language, or names what it counts differently.
 */
function* overtakenWith(
  claim: string,
  origin: Origin,
  candidates: readonly Candidate[],
  found: readonly Reference[],
  options: CrossReferenceOptions & { readings: Readings },
): Steps<Reference[]> {
  const isKnown = found.some(({ reasons }) => reasons[0]?.startsWith(SINCE));
  const numbers = isKnown || !origin.publishedAt ? [] : numbersIn(claim);
  const isNear = (newer: number): boolean =>
    !numbers.includes(newer) && numbers.some((one) => newer <= MOST_APART * one && one <= MOST_APART * newer);
  const agreeing = found.filter(
    ({ stance, evidence: { text } }) =>
      stance === "support" && numbers.length > 0 && numbersIn(text).some((number) => numbers.includes(number)),
  );
  const open = candidates.filter(({ articleId }) => !isOneOf(agreeing, articleId));
  for (const { articleId, evidence: said } of agreeing) {
    const speaker = candidates.find((candidate) => candidate.articleId === articleId)!;
    const later = open.filter(({ publishedAt: at }) => at > origin.publishedAt! && at > speaker.publishedAt);
    const one = (yield* evidenceOf(said.text, speaker, later, options)).find(
      ({ reasons: [reason] }) => reason?.startsWith(SINCE) && isNear(numbersIn(reason)[0] ?? 0),
    );
    if (one)
      return [
        {
          ...one,
          independent: isIndependent(
            origin,
            later.find(({ articleId: id }) => id === one.articleId)!,
          ),
        },
      ];
  }
  return [];
}

function referenceTo(candidate: Candidate) {
  const { text: _, title: __, ...article } = candidate;
  return { ...article, method: "heuristic" as const };
}

/** The article that matches a claim's words best, where nothing else is found in it: it settles nothing. */
export function nearestTo(
  claim: string,
  origin: Origin,
  candidate: Candidate,
  readings: Readings,
): Reference | undefined {
  const evidence = sentenceNearest(wantedBy(statementOf(claim)), readings.of(candidate.text));
  return (
    evidence && {
      ...referenceTo(candidate),
      stance: "neutral",
      score: 0,
      evidence,
      reasons: ["no other article answers the claim's words as well"],
      independent: isIndependent(origin, candidate),
    }
  );
}

const HOUR_MS = 3_600_000;
const hoursBetween = ({ publishedAt = "" }: Origin, candidate: Candidate): number =>
  publishedAt ? (Date.parse(candidate.publishedAt) - Date.parse(publishedAt)) / HOUR_MS : 0;

const NONE: ReadonlySet<string> = new Set();

/** A count that has changed since neither contradicts nor confirms, whichever side is later. */
function outgrown(claim: Statement, found: Stance, origin: Origin, candidate: Candidate): Stance | undefined {
  const isDifference = found.stance === "contradict" && found.reasons.some((one) => one.startsWith(DIFFERENT));
  if (!origin.publishedAt || !(isDifference || found.stance === "support")) return undefined;
  const said = statementOf(found.evidence.text);
  const [earlier, later] = origin.publishedAt < candidate.publishedAt ? [claim, said] : [said, claim];
  const hasMoved = isDifference
    ? isOutgrown(earlier, later)
    : eventOf(origin, candidate) === "same" && overtaking(earlier, later);
  return hasMoved ? { ...found, stance: "neutral", score: 0, reasons: ["counted at another time"] } : undefined;
}

/** A later report of the event has another count than the claim: what else it says is no support. */
function countedSince(
  claim: Statement,
  article: ReadArticle,
  origin: Origin,
  candidate: Candidate,
): Stance | undefined {
  if (claim.quantities.length === 0 || eventOf(origin, candidate) !== "same") return undefined;
  if (!origin.publishedAt || origin.publishedAt >= candidate.publishedAt) return undefined;
  const matter = matterOf(claim);
  for (const at of article.counts) {
    const told = article.statement(at);
    const newer = overtaking(matter, matterOf(told))?.quantity ?? sumBeyond(matter, told.text);
    if (!newer) continue;
    const { text, start, end } = article.sentences[at]!;
    return {
      stance: "neutral",
      score: 0,
      evidence: { text, start, end },
      reasons: [`${SINCE}: ${newer.text}`],
    };
  }
  return undefined;
}

const eventOf = (origin: Origin, candidate: Candidate): "same" | "other" | undefined =>
  origin.storyId === candidate.storyId || origin.kindred?.has(candidate.storyId)
    ? "same"
    : origin.reportId && candidate.reportId
      ? "other"
      : undefined;
