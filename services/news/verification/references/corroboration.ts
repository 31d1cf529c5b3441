import type { Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { BulkWrite } from "../../../../core/records/documents.ts";
import { acceptStance } from "../model/acceptors.ts";
import { Claim, totals, type StoredClaim } from "../claims/claim.ts";
import { LONGEST_TEXT } from "../claims/detection.ts";
import { keep } from "../content.ts";
import { candidateOf, candidatesOf, type Found } from "./candidates.ts";
import { isRejected, kindredStories, reportOf, type Content } from "../../articles/client.ts";
import { conclude, CORRECTED } from "./outcome/conclusion.ts";
import {
  correctedIn,
  correctionOf,
  isLeftAlone,
  replacing,
  retractionOf,
  withoutCorrected,
  withoutRejected,
  withoutReplaced,
  withoutRetracted,
} from "./outcome/given-up.ts";
import { nearestTo, referring, type Candidate, type CrossReference, type Reference } from "./cross-reference.ts";
import type { Verifier } from "../host.ts";
import { isIndependent } from "./independence.ts";
import { preparing } from "./pairs/preparing.ts";
import { stancePrompt } from "../model/prompts.ts";
import { creditIn, Readings, replacedIn, retractedIn } from "./readings.ts";
import { unknown } from "../reliability/source-records.ts";
import { RELIABILITY_WORDS } from "../reliability/reliability.ts";
import { ClaimReference, tallyOf } from "./reference.ts";
import { asked, type Spending } from "../model/spending.ts";
import { inTurns } from "../../../../core/work/turns.ts";

const MOST_OF_STORY = 40;
/** So many other stories are held for the same event. */
const MOST_KINDRED = 3;
/** The model reads this many articles for each claim, and for this many claims. */
const MODEL_READS = 3;
const MODEL_CLAIMS = 5;

export interface Checked extends CrossReference {
  claim: StoredClaim;
  method: "heuristic" | "llm";
}

/** Searches stored articles for support or contradiction of these claims of one article, and stores the result. */
export async function check(
  host: Verifier,
  caller: Caller,
  content: Content,
  claims: readonly StoredClaim[],
  daysBack: number | null,
  spent: Spending,
  readings = new Readings(),
): Promise<Checked[]> {
  await inTurns(preparing());
  const read = new Map<number, Content>();
  const checked: Checked[] = [];
  const story = claims.length > 0 ? await readings.ofStory(host, content.storyId, MOST_OF_STORY) : [];
  for (const article of story) read.set(article.id, article);
  const standing = stillStanding(story, content);
  const replaced = replacedIn(standing);
  const retracted = retractedIn(standing);
  const corrected = correctedIn(standing);
  const takenBack = retracted.get(content.id);
  const isGivenUp = takenBack !== undefined || corrected.has(content.id);
  const own = isGivenUp ? (await host.sources.many([content.sourceId])).get(content.sourceId)?.rating : undefined;
  const kindred = claims.length > 0 ? (await kindredStories(host, content)).slice(0, MOST_KINDRED) : [];
  const others = await Promise.all(kindred.map((id) => readings.ofStory(host, id, MOST_OF_STORY)));
  for (const article of others.flat()) read.set(article.id, article);
  const candidates = await candidatesOf(host, content, claims, daysBack, readings, read, [...story, ...others.flat()]);
  const rejected = new Set([...read.values()].filter(isRejected).map(({ id }) => id));
  const about = { content, kindred: new Set(kindred), rejected };
  for (const [at, claim] of claims.entries()) {
    const found = candidates[at]!;
    const { method, said } = await stances(host, claim, about, found, readings, at < MODEL_CLAIMS ? spent : undefined);
    const supersededBy = replacing(claim, content, replaced);
    const correction = correctionOf(claim, corrected.get(content.id));
    const retraction = takenBack
      ? retractionOf(candidateOf(takenBack, own ?? unknown.rating))
      : correction && retractionOf(candidateOf(correction, own ?? unknown.rating), CORRECTED);
    const standingBy = withoutRetracted(withoutReplaced(said, replaced), retracted, read);
    checked.push({
      ...conclude(withoutCorrected(standingBy, corrected), {
        candidates: found.candidates.length,
        supersededBy,
        retraction,
      }),
      claim,
      method,
    });
  }
  await store(host, caller, content, checked, read);
  await host.sources.renew(host, content);
  return checked;
}

/** The same for all claims of an article; afterwards it counts as cross-referenced, `unasked` or not. */
export async function checkAll(
  host: Verifier,
  caller: Caller,
  content: Content,
  claims: readonly StoredClaim[],
  daysBack: number | null,
  spent: Spending,
  { readings = new Readings(), unasked = false }: { readings?: Readings; unasked?: boolean } = {},
): Promise<Checked[]> {
  const checked = await check(host, caller, content, claims, daysBack, spent, readings);
  const at = iso(host.world.clock.now());
  await keep(host, caller, content, {
    crossReference: {
      method: methodOf(checked),
      daysBack,
      claims: claims.length,
      at,
      ...(unasked && { unasked }),
      ...(isLeftAlone(await readings.ofStory(host, content.storyId, MOST_OF_STORY), content) && { alone: true }),
    },
  });
  return checked;
}

const methodOf = (checked: readonly Checked[]) =>
  checked.some(({ method }) => method === "llm") ? ("llm" as const) : ("heuristic" as const);

/** The claims' article, and the other stories that tell of its event. */
interface About {
  content: Content;
  kindred: ReadonlySet<string>;
  /** Articles that a person rejected. */
  rejected: ReadonlySet<number>;
}

/** A story without what a person rejected; the same array where that is nothing, as what is read of it is kept by it. */
const stillStanding = (story: readonly Content[], { id }: Content): readonly Content[] =>
  story.some(isRejected) ? story.filter((one) => one.id === id || !isRejected(one)) : story;

/** The stances of the candidates: by heuristics, and by the model where the heuristics find nothing. */
async function stances(
  host: Verifier,
  claim: StoredClaim,
  { content, kindred, rejected }: About,
  { candidates: all, nearest }: Found,
  readings: Readings,
  spent: Spending | undefined,
): Promise<{ said: Reference[]; method: "heuristic" | "llm" }> {
  const { id: articleId, storyId, reportId, sourceId, text, publishedAt } = content;
  const opening = text.slice(0, LONGEST_TEXT);
  const origin = {
    articleId,
    storyId,
    kindred,
    reportId,
    sourceId,
    credit: creditIn(content),
    publishedAt,
    text: opening,
  };
  const candidates = all.filter(({ articleId: id }) => !rejected.has(id));
  // Each claim is compared with some sixty texts: other work gets its turn in between.
  const seen = await inTurns(referring(claim.text, origin, candidates, { readings }));
  const isSeen = seen.some((one) => one.articleId === nearest?.articleId);
  const isOpen = nearest && !isSeen && !rejected.has(nearest.articleId);
  const best = isOpen ? nearestTo(claim.text, origin, nearest, readings) : undefined;
  const aside = all.filter(({ articleId: id }) => rejected.has(id));
  const unheard = aside.length
    ? withoutRejected(await inTurns(referring(claim.text, origin, aside, { readings })))
    : [];
  const said = best ? [...seen, best] : seen;
  if (!spent) return { said: [...unheard, ...said], method: "heuristic" };
  const byArticle = new Map(said.map((reference) => [reference.articleId, reference]));
  let method: "heuristic" | "llm" = "heuristic";
  for (const candidate of worthAsking(candidates, byArticle)) {
    const answer = await asked(host, (marks) => stancePrompt(claim.text, candidate, marks), spent);
    if (!answer) break;
    method = "llm";
    const accepted = acceptStance(answer.value, claim.text, candidate, byArticle.get(candidate.articleId));
    if (!accepted) continue;
    const { text: _, title: __, ...article } = candidate;
    byArticle.set(candidate.articleId, { ...article, ...accepted, independent: isIndependent(origin, candidate) });
  }
  return { said: [...unheard, ...byArticle.values()], method };
}

/** Support with another verb, or hedged, is uncertain. */
const UNSURE = 50;

/**
 * The candidates for the model, the most valuable first: both sides where the heuristics see support and contradiction,
 * then contradictions, then uncertain support, then those without a finding.
 */
function worthAsking(found: readonly Candidate[], said: ReadonlyMap<number, Reference>): Candidate[] {
  const stancesFound = new Set([...said.values()].map(({ stance }) => stance));
  const isConflict = stancesFound.has("support") && stancesFound.has("contradict");
  const rank = ({ articleId }: Candidate): number => {
    const reference = said.get(articleId);
    if (!reference) return 3;
    if (reference.stance === "contradict") return isConflict ? 0 : 1;
    if (reference.stance === "support") return isConflict ? 1 : reference.score < UNSURE ? 2 : 4;
    return 2;
  };
  return found
    .toSorted((one, other) => rank(one) - rank(other))
    .filter((candidate) => rank(candidate) < 4)
    .slice(0, MODEL_READS);
}

/** Replaces the references of each claim; all become durable together. */
async function store(
  host: Verifier,
  caller: Caller,
  content: Content,
  checked: readonly Checked[],
  read: ReadonlyMap<number, Content>,
): Promise<void> {
  const at = iso(host.world.clock.now());
  const referenced = checked.flatMap(({ supporting, contradicting, neutral }) => [
    ...supporting,
    ...contradicting,
    ...neutral,
  ]);
  await host.sources.name(referenced);
  await host.store(ClaimReference).bulk(
    checked.flatMap(({ claim, status, supporting, contradicting, neutral }): BulkWrite[] => {
      const said = [...supporting, ...contradicting, ...neutral];
      return [
        // A claim that was never checked has no references.
        ...(claim.checkedAt
          ? [{ remove: { claimId: claim.id, articleId: { $nin: said.map(({ articleId }) => articleId) } } }]
          : []),
        ...said.map((reference) => ({
          update: { _id: `${claim.id}:${reference.articleId}` },
          upsert: true,
          with: {
            $set: {
              ...stored(reference),
              claimId: claim.id,
              contentId: content.id,
              groundTruth: reference.reliability === "A" || read.get(reference.articleId)?.verdict?.verified === true,
              tally: tallyOf(reference.sourceId, reference.stance, status),
              updatedAt: at,
            },
            $setOnInsert: { createdAt: at, createdBy: caller.meta.actor?.userId ?? "anonymous" },
            $inc: { rev: 1 },
          },
        })),
      ];
    }),
  );
  await host.store(Claim).bulk(
    checked.map(({ claim, status, credibility, score, independentSources, independentContradictions, ...found }) => ({
      update: { _id: claim.id },
      with: {
        $set: {
          status,
          credibility,
          score,
          independentSources,
          independentContradictions,
          supersededBy: found.supersededBy,
          checkedAt: at,
          updatedAt: at,
          ...(status !== "unverified" && { reviewedAt: status === claim.status ? (claim.reviewedAt ?? at) : at }),
        },
        ...(status === "unverified" && { $unset: { reviewedAt: 1 } }),
        $inc: { rev: 1 },
      },
    })),
  );
  for (const { claim } of checked) caller.locals.trail?.({ type: Claim.name, id: claim.id });
}

/** A reference in its stored form; the credit is read from the text each time. */
const stored = ({ credit: _credit, ...reference }: Reference): Omit<Reference, "credit"> => ({
  ...reference,
  reportId: reportOf(reference),
});

const referenceView = (reference: Reference) => ({
  ...reference,
  reliabilityMeaning: RELIABILITY_WORDS[reference.reliability],
});

export const checkedView = ({ claim, ...found }: Checked) => ({
  ...found,
  supporting: found.supporting.map(referenceView),
  contradicting: found.contradicting.map(referenceView),
  neutral: found.neutral.map(referenceView),
  claimId: claim.id,
  contentId: claim.articleId,
  text: claim.text,
});
export const checkedContentView = ({ id, title }: Content, daysBack: number | null, checked: readonly Checked[]) => ({
  contentId: id,
  contentTitle: title,
  daysBack,
  method: methodOf(checked),
  totals: totals(checked),
  claims: checked.map(checkedView),
});
