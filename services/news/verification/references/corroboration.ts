import type { Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { BulkWrite } from "../../../../core/records/documents.ts";
import { acceptStance } from "../model/acceptors.ts";
import { Claim, totals, type StoredClaim } from "../claims/claim.ts";
import { LONGEST_TEXT } from "../claims/detection.ts";
import { keep } from "../content.ts";
import { contentsOf, type Content } from "../../articles/client.ts";
import { conclude, references, type Candidate, type CrossReference, type Reference } from "./cross-reference.ts";
import type { Verifier } from "../host.ts";
import { stancePrompt } from "../model/prompts.ts";
import { Readings } from "./readings.ts";
import { unknown } from "../reliability/source-records.ts";
import { ClaimReference, tallyOf } from "./reference.ts";
import { asked, type Spending } from "../model/spending.ts";
import { isFunctionWord } from "../../../../core/text/stop-words.ts";
import { words } from "../../../../core/text/words.ts";
import { rankedArticles } from "../../search/client.ts";

const DAY_MS = 86_400_000;
const MOST_CANDIDATES = 40;
const MOST_TERMS = 16;
/**
 * For each claim the model is asked of this many articles in which the heuristics see nothing, and for this many
 * claims.
 */
const MODEL_READS = 3;
const MODEL_CLAIMS = 5;

export interface Checked extends CrossReference {
  claim: StoredClaim;
  method: "heuristic" | "llm";
}

/**
 * Words of a claim by which articles about the same are found, as a query: any of them, the most telling first by rank.
 */
export function queryFor(claim: string): string {
  const spoken = words(claim)
    .map(({ text }) => text)
    .filter((word) => !isFunctionWord(word) && /^\p{L}[\p{L}\p{N}]+$/u.test(word));
  return [...new Set(spoken)].slice(0, MOST_TERMS).join(" | ");
}

/** Looks through stored articles for what they say of these claims of one article, and keeps it. */
export async function check(
  host: Verifier,
  caller: Caller,
  content: Content,
  claims: readonly StoredClaim[],
  daysBack: number,
  spent: Spending,
  readings = new Readings(),
): Promise<Checked[]> {
  const read = new Map<number, Content>();
  const checked: Checked[] = [];
  for (const [at, claim] of claims.entries()) {
    const found = await candidates(host, claim, daysBack, read);
    const { method, said } = await stances(
      host,
      claim,
      content,
      found,
      readings,
      at < MODEL_CLAIMS ? spent : undefined,
    );
    checked.push({ ...conclude(said, found.length), claim, method });
  }
  await store(host, caller, content, checked, read);
  await host.sources.renew(host, content);
  return checked;
}

/** The same for all claims of an article; it then counts as cross-referenced. */
export async function checkAll(
  host: Verifier,
  caller: Caller,
  content: Content,
  claims: readonly StoredClaim[],
  daysBack: number,
  spent: Spending,
  readings?: Readings,
): Promise<Checked[]> {
  const checked = await check(host, caller, content, claims, daysBack, spent, readings);
  await keep(host, caller, content, {
    crossReference: { method: methodOf(checked), daysBack, claims: claims.length, at: iso(host.world.clock.now()) },
  });
  return checked;
}

const methodOf = (checked: readonly Checked[]) =>
  checked.some(({ method }) => method === "llm") ? ("llm" as const) : ("heuristic" as const);

async function candidates(
  host: Verifier,
  claim: StoredClaim,
  daysBack: number,
  read: Map<number, Content>,
): Promise<Candidate[]> {
  const q = queryFor(claim.text);
  if (!q) return [];
  const from = iso(host.world.clock.now() - daysBack * DAY_MS);
  const ranked = await rankedArticles(host, { q, from, limit: MOST_CANDIDATES + 1 });
  const ids = ranked.filter((id) => id !== claim.articleId).slice(0, MOST_CANDIDATES);
  const missing = ids.filter((id) => !read.has(id));
  if (missing.length) for (const article of await contentsOf(host, missing)) read.set(article.id, article);
  const found = ids.flatMap((id) => read.get(id) ?? []);
  const standings = await host.sources.many(found.map(({ sourceId }) => sourceId));
  return found.map(({ id, storyId, sourceId, sourceName, title, text, publishedAt }) => ({
    articleId: id,
    storyId,
    sourceId,
    sourceName,
    title,
    text: text.slice(0, LONGEST_TEXT),
    publishedAt,
    reliability: standings.get(sourceId)?.rating ?? unknown.rating,
  }));
}

/** What the candidates say: by heuristics, and by the model of those in which the heuristics see nothing. */
async function stances(
  host: Verifier,
  claim: StoredClaim,
  content: Content,
  found: readonly Candidate[],
  readings: Readings,
  spent: Spending | undefined,
): Promise<{ said: Reference[]; method: "heuristic" | "llm" }> {
  const origin = { articleId: content.id, storyId: content.storyId, sourceId: content.sourceId };
  const said = references(claim.text, origin, found, { readings });
  let method: "heuristic" | "llm" = "heuristic";
  if (!spent) return { said, method };
  const silent = found
    .filter(({ articleId }) => !said.some((reference) => reference.articleId === articleId))
    .slice(0, MODEL_READS);
  for (const candidate of silent) {
    const answer = await asked(host, (marks) => stancePrompt(claim.text, candidate, marks), spent);
    if (!answer) break;
    method = "llm";
    const accepted = acceptStance(answer.value, claim.text, candidate, undefined);
    if (!accepted) continue;
    const { text: _, title: __, ...article } = candidate;
    said.push({
      ...article,
      ...accepted,
      independent: candidate.storyId !== origin.storyId && candidate.sourceId !== origin.sourceId,
    });
  }
  return { said, method };
}

/** Each claim's references take the place of those it had; all become durable together. */
async function store(
  host: Verifier,
  caller: Caller,
  content: Content,
  checked: readonly Checked[],
  read: ReadonlyMap<number, Content>,
): Promise<void> {
  const at = iso(host.world.clock.now());
  const referenced = checked.flatMap(({ supporting, contradicting }) => [...supporting, ...contradicting]);
  await host.sources.name(referenced);
  await host.store(ClaimReference).bulk(
    checked.flatMap(({ claim, status, supporting, contradicting }): BulkWrite[] => {
      const said = [...supporting, ...contradicting];
      return [
        { remove: { claimId: claim.id, articleId: { $nin: said.map(({ articleId }) => articleId) } } },
        ...said.map((reference) => ({
          update: { _id: `${claim.id}:${reference.articleId}` },
          upsert: true,
          with: {
            $set: {
              ...reference,
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
    checked.map(({ claim, status, credibility, score, independentSources, independentContradictions }) => ({
      update: { _id: claim.id },
      with: {
        $set: {
          status,
          credibility,
          score,
          independentSources,
          independentContradictions,
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

export const checkedView = ({ claim, ...found }: Checked) => ({
  ...found,
  claimId: claim.id,
  contentId: claim.articleId,
  text: claim.text,
});
export const checkedContentView = ({ id, title }: Content, daysBack: number, checked: readonly Checked[]) => ({
  contentId: id,
  contentTitle: title,
  daysBack,
  method: methodOf(checked),
  totals: totals(checked),
  claims: checked.map(checkedView),
});
