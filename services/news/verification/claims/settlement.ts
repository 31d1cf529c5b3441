import { asSystem, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { StoredClaim } from "./claim.ts";
import { keep } from "../content.ts";
import { isJudgedBeforeChange, type Content } from "../../articles/client.ts";
import { claimsOf } from "./extraction.ts";
import type { Verifier } from "../host.ts";
import { unknown } from "../reliability/source-records.ts";
import { RETRACTED } from "../references/outcome/conclusion.ts";
import { ClaimReference, type StoredReference } from "../references/reference.ts";
import { trail, type Trail, type TrailInput } from "../trail/trail.ts";
import { isVerified, Verification } from "../verification.ts";

export interface Settled {
  trail: Trail;
  verified: boolean;
  record: Verification;
}

const NOTHING: TrailInput["comparison"] = { sourceAverage: null, domainAverage: null, below: 0, equal: 0, total: 0 };

/** The model's score that has no effect. */
const MIDDLE = 50;
const isSupport = ({ stance, independent }: StoredReference): boolean => stance === "support" && independent;

/** References of an article's claims. */
export const referencesOf = (host: Host, caller: Caller, contentId: number): Promise<StoredReference[]> =>
  host.store(ClaimReference).find(caller, { contentId }, { sort: ["claimId", "-score"] });

/** The cross-references of the claims that were checked, as a trail keeps them. */
const crossReferencesOf = (
  claims: readonly StoredClaim[],
  references: readonly StoredReference[],
): TrailInput["crossReferences"] =>
  claims
    .filter(({ checkedAt }) => checkedAt)
    .map(({ id, status, credibility, score, independentSources }) => ({
      claimId: id,
      status,
      credibility,
      score,
      independentSources,
      ...(isRetracted(references, id) && { retracted: true as const }),
      supporting: cited(references, id, "support"),
      contradicting: cited(references, id, "contradict"),
    }));

const biasOf = (bias: NonNullable<Verification["bias"]>): TrailInput["bias"] => ({
  score: bias.overallBiasScore,
  method: bias.method,
  lexiconVersion: bias.lexiconVersion,
  loadedLanguage: bias.indicators.loadedLanguage.length,
  unsupportedClaims: bias.indicators.unsupportedClaims.length,
});

const judgementOf = (
  llm: NonNullable<Verification["llm"]>,
  references: readonly StoredReference[],
): TrailInput["llm"] => ({
  // Approval without evidence does not raise the score.
  score: references.some(isSupport) ? llm.score : Math.min(MIDDLE, llm.score),
  model: llm.model!,
  promptVersion: llm.promptVersion!,
  citedIds: [...new Set(llm.reasons.flatMap(({ articleId }) => articleId ?? []))],
});

/** The current input of the trail; `comparison` and a person's verdict are added later. */
async function inputOf(
  host: Verifier,
  caller: Caller,
  content: Content,
  record: Verification | null,
): Promise<{ input: TrailInput; claims: StoredClaim[]; supporters: string[] }> {
  const [claims, references, standings] = await Promise.all([
    record?.extraction ? claimsOf(host, caller, content.id) : [],
    record?.extraction ? referencesOf(host, caller, content.id) : [],
    host.sources.many([content.sourceId]),
  ]);
  const { rating, estimate, evidence } = standings.get(content.sourceId) ?? unknown;
  const { extraction, bias, heuristic, llm } = record ?? {};
  const input: TrailInput = {
    version: 1,
    contentId: content.id,
    contentTitle: content.title,
    asOf: iso(host.world.clock.now()),
    publishedAt: content.publishedAt,
    ...startOf(content, record),
    ...(record?.crossReference?.alone && { alone: true as const }),
    source: { id: content.sourceId, name: content.sourceName, letter: rating, estimate, evidence },
    groundTruth: references
      .filter((one) => one.groundTruth && one.independent)
      .flatMap(({ claimId, articleId, sourceName, stance }) =>
        stance === "support" || stance === "contradict" ? [{ claimId, articleId, sourceName, stance }] : [],
      ),
    claims: extraction ? { ids: claims.map(({ id }) => id), method: extraction.method } : null,
    crossReferences: crossReferencesOf(claims, references),
    bias: bias ? biasOf(bias) : null,
    llm: llm?.method === "llm" ? judgementOf(llm, references) : null,
    heuristic: heuristic
      ? { score: heuristic.score, findings: heuristic.findings.map(({ label, points }) => ({ label, points })) }
      : null,
    manual: null,
    comparison: NOTHING,
  };
  const supporters = references.filter(isSupport).map(({ sourceName }) => sourceName);
  return { input, claims, supporters: [...new Set(supporters)].sort() };
}

/** What an article started with: its own factors until a check replaces them, then as kept in the record. */
function startOf(content: Content, record: Verification | null): Pick<TrailInput, "initial"> {
  if (!content.factors.some(({ name }) => name === "prior"))
    return record?.input?.initial === undefined ? {} : { initial: record.input.initial };
  const sumOf = (wanted: (name: string) => boolean) =>
    content.factors.reduce((sum, { name, contribution }) => sum + (wanted(name) ? contribution : 0), 0);
  const hundred = (share: number) => Math.round(10_000 * share) / 100;
  const score = hundred(
    Math.min(
      1,
      Math.max(
        0,
        sumOf((name) => name !== "manual"),
      ),
    ),
  );
  const parts = content.factors
    .filter(({ name }) => name !== "manual")
    .map(({ description, contribution }) => ({ label: description, points: hundred(contribution) }));
  return { initial: { score, record: hundred(sumOf((name) => name === "source-record")), parts } };
}

const isRetracted = (references: readonly StoredReference[], claimId: number): boolean =>
  references.some((one) => one.claimId === claimId && one.stance === "contradict" && one.reasons[0] === RETRACTED);

const cited = (references: readonly StoredReference[], claimId: number, stance: string) =>
  references.filter((one) => one.claimId === claimId && one.stance === stance).map(({ articleId }) => articleId);

/** The score's position among those of other articles. */
async function comparison(
  host: Host,
  { id, sourceId, domain }: Content,
  score: number,
): Promise<TrailInput["comparison"]> {
  const { collection } = host.store(Verification);
  const others = { _id: { $ne: id }, score: { $exists: true } };
  const average = async (query: object): Promise<number | null> => {
    const [all] = await collection.groups({ query: { ...others, ...query }, avg: { score: "score" } });
    return (all?.["score"] as number | undefined) === undefined ? null : Math.round(all!["score"] * 100) / 100;
  };
  const count = (query: object) => collection.count({ query: { ...others, ...query } });
  const [sourceAverage, domainAverage, below, equal, total] = await Promise.all([
    average({ sourceId }),
    average({ domain }),
    count({ score: { $lt: score } }),
    count({ score }),
    count({}),
  ]);
  return { sourceAverage, domainAverage, below, equal, total };
}

function verdictOf(content: Content): TrailInput["manual"] {
  if (!content.verdict) return null;
  const { verified, by, at, notes } = content.verdict;
  return { verified, by, at, notes, ...(isJudgedBeforeChange(content) && { beforeChange: true }) };
}

/** The score without a person's verdict and without the model's. */
export async function baseline(host: Verifier, caller: Caller, content: Content, record: Verification): Promise<Trail> {
  const { input } = await inputOf(host, caller, content, record);
  return trail({ ...input, llm: null });
}

/**
 * Recomputes the trail, stores its input, and updates the article where `tells` is set. `compares`: with the scores of
 * all others, which costs five queries.
 */
export async function settle(
  host: Verifier,
  caller: Caller,
  content: Content,
  record: Verification,
  { tells, compares = true }: { tells: boolean; compares?: boolean },
): Promise<Settled> {
  const { input, claims, supporters } = await inputOf(host, caller, content, record);
  const machine = trail(input);
  const score = machine.finalConfidenceScore;
  const full = compares ? { ...input, comparison: await comparison(host, content, score) } : input;
  const verified = isVerified(score, claims);
  const kept = await keep(host, caller, content, { input: full, score, verified, supporters });
  if (tells) await tell(host, content, kept, machine, claims);
  return {
    trail: compares || content.verdict ? trail({ ...full, manual: verdictOf(content) }) : machine,
    verified: content.verdict?.verified ?? verified,
    record: kept,
  };
}

/** Updates the article's `verification` and confidence; a person's verdict on it has the last word there. */
async function tell(
  host: Verifier,
  content: Content,
  { verified, supporters = [] }: Verification,
  { finalConfidenceScore, steps }: Trail,
  claims: readonly StoredClaim[],
): Promise<void> {
  await host.tell({
    id: content.id,
    contentHash: content.contentHash,
    score: Math.round(100 * finalConfidenceScore) / 10_000,
    verified,
    sources: supporters.slice(0, 100),
    claims: claims.map(({ text, status }) => ({ text, verified: status === "corroborated", status })),
    factors: steps.map(({ type, description, scoreContribution }) => ({
      name: type,
      contribution: Math.round(scoreContribution * 100) / 10_000,
      description,
    })),
  });
}

/** The trail as stored, with the verdict a person gave since; from the source alone where nothing was verified yet. */
export async function trailOf(host: Verifier, content: Content, record: Verification | null): Promise<Trail> {
  const input = record?.input ?? (await inputOf(host, asSystem("verification"), content, record)).input;
  // Batches leave the comparison with all others to the readers of a trail.
  const compared =
    record?.input && input.comparison.total === 0
      ? await comparison(host, content, trail(input).finalConfidenceScore)
      : input.comparison;
  return trail({ ...input, comparison: compared, manual: verdictOf(content) });
}
