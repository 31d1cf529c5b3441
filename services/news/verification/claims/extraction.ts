import type { Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { DuplicateKey, type BulkWrite } from "../../../../core/records/documents.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { preparing } from "../../../../core/text/preparing.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { sha256 } from "../../../../core/ids.ts";
import { acceptClaims } from "../model/acceptors.ts";
import { Claim, type StoredClaim } from "./claim.ts";
import { extractClaims, LONGEST_TEXT, type Claim as Found } from "./detection.ts";
import { keep, recordOf } from "../content.ts";
import type { Content } from "../../articles/client.ts";
import { analysisKey, claimsPrompt, PROMPT_VERSIONS } from "../model/prompts.ts";
import { ClaimReference } from "../references/reference.ts";
import { asked, type Spending } from "../model/spending.ts";
import type { Verification } from "../verification.ts";

const HEURISTICS = "heuristics-4";

export interface Extracted {
  claims: StoredClaim[];
  record: Verification;
  cached: boolean;
}

/** Claims of an article as they are stored, best first. */
export const claimsOf = (host: Host, caller: Caller, contentId: number): Promise<StoredClaim[]> =>
  host
    .store(Claim)
    .find(caller, { articleId: contentId })
    .then((claims) => claims.sort((a, b) => b.checkWorthiness - a.checkWorthiness || a.start - b.start));

/** Extracts the claims of an article, or answers the stored ones for the same text, method and prompt. */
export async function extract(
  host: Host,
  caller: Caller,
  content: Content,
  spent: Spending,
  { force = false }: { force?: boolean } = {},
): Promise<Extracted> {
  const { llm } = host.world;
  const record = await recordOf(host, content);
  const known = record?.extraction;
  const wanted = keyOf(content, llm.configured ? "llm" : "heuristic", llm.model);
  const holds = known && (known.key === wanted || (known.method === "llm" && !llm.configured));
  if (record && holds && !force) return { claims: await claimsOf(host, caller, content.id), record, cached: true };

  await inTurns(preparing());
  const answer = await asked(host, (marks) => claimsPrompt({ title: content.title, text: content.text }, marks), spent);
  const method = answer ? "llm" : "heuristic";
  const found = answer ? acceptClaims(answer.value, content.text.slice(0, LONGEST_TEXT)) : extractClaims(content.text);
  const claims = await store(host, caller, content, found, method);
  const extraction = {
    key: keyOf(content, method, llm.model),
    method,
    ...(answer && { model: answer.model }),
    promptVersion: answer?.version ?? HEURISTICS,
    claims: claims.length,
    at: iso(host.world.clock.now()),
  } as const;
  return { claims, record: await keep(host, caller, content, { extraction }), cached: false };
}

const keyOf = ({ title, text }: Content, method: "heuristic" | "llm", model?: string): string =>
  method === "llm"
    ? analysisKey(`${title}\n${text}`, method, PROMPT_VERSIONS.claims, model)
    : analysisKey(`${title}\n${text}`, method, HEURISTICS);

/** A sentence that was a claim before keeps its id and its results; removed claims lose their references. */
async function store(
  host: Host,
  caller: Caller,
  content: Content,
  found: readonly Found[],
  method: "heuristic" | "llm",
): Promise<StoredClaim[]> {
  const claims = host.store(Claim);
  const before = new Map((await claimsOf(host, caller, content.id)).map((claim) => [claim.key, claim]));
  const wanted = new Map(found.map((claim) => [claimKey(content.id, claim.text), claim]));
  const gone = [...before.values()].filter(({ key }) => !wanted.has(key)).map(({ id }) => id);
  const writes: BulkWrite[] = [...wanted]
    .filter(([key]) => before.has(key))
    .map(([key, claim]) => ({
      update: { _id: before.get(key)!.id },
      with: { $set: fieldsOf(claim, content, method), $inc: { rev: 1 } },
    }));
  const fresh = [...wanted]
    .filter(([key]) => !before.has(key))
    .map(([key, claim]) => ({
      ...fieldsOf(claim, content, method),
      articleId: content.id,
      key,
      status: "unverified",
      credibility: 6,
      score: 50,
      independentSources: 0,
      independentContradictions: 0,
    }));
  try {
    if (fresh.length) await claims.createMany(caller, fresh);
  } catch (error) {
    if (!(error instanceof DuplicateKey)) throw error;
    // Another process extracts the same text at this moment: its claims are ours.
    return store(host, caller, content, found, method);
  }
  if (gone.length) await host.store(ClaimReference).bulk([{ remove: { claimId: { $in: gone } } }]);
  if (writes.length + gone.length) await claims.bulk([...writes, ...gone.map((id) => ({ remove: { _id: id } }))]);
  return claimsOf(host, caller, content.id);
}

const claimKey = (contentId: number, text: string): string => `${contentId}/${sha256(text).slice(0, 32)}`;

const fieldsOf = ({ score, ...claim }: Found, { sourceId, publishedAt }: Content, method: "heuristic" | "llm") => ({
  ...claim,
  checkWorthiness: score,
  sourceId,
  month: publishedAt.slice(0, 7),
  method,
});
