import type { Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { acceptVerification } from "./acceptors.ts";
import { acceptBias } from "../bias/acceptor.ts";
import { analyseBias } from "../bias/bias.ts";
import type { BiasArticle } from "../bias/analysis.ts";
import { keep, recordOf } from "../content.ts";
import type { Content } from "../../articles/client.ts";
import { checkAll } from "../references/corroboration.ts";
import { extract } from "../claims/extraction.ts";
import { verifyHeuristically } from "../heuristic.ts";
import type { Verifier } from "../host.ts";
import { biasPrompt, verificationPrompt } from "./prompts.ts";
import { baseline, referencesOf } from "../claims/settlement.ts";
import { asked, type Spending } from "./spending.ts";
import type { Verification } from "../verification.ts";

/** Null: articles of any age are searched. */
export const DAYS_BACK: number | null = null;
/** The model is shown the strongest evidence. */
const MOST_EVIDENCE = 20;

const articleOf = ({ id, title, text, publishedAt }: Content): BiasArticle => ({
  contentId: id,
  title,
  text,
  publishedAt,
});
const at = (host: Verifier): string => iso(host.world.clock.now());

/** Analyses the bias of an article and stores it. */
export async function appraiseBias(
  host: Verifier,
  caller: Caller,
  content: Content,
  spent: Spending,
): Promise<Verification> {
  const article = articleOf(content);
  const heuristic = analyseBias(article);
  const answer = await asked(host, (marks) => biasPrompt(article, marks), spent);
  const analysis = answer ? acceptBias(answer.value, article, heuristic) : heuristic;
  return keep(host, caller, content, { bias: { ...analysis, at: at(host) } });
}

/** Runs the pattern check. Calls no model. */
export async function appraisePatterns(host: Verifier, caller: Caller, content: Content): Promise<Verification> {
  const { score, findings } = verifyHeuristically(articleOf(content));
  return keep(host, caller, content, { heuristic: { score, findings, at: at(host) } });
}

/** Claims and cross-references of the current text, made where they are missing. */
export async function groundwork(
  host: Verifier,
  caller: Caller,
  content: Content,
  spent: Spending,
): Promise<Verification> {
  const { claims, record } = await extract(host, caller, content, spent);
  if (record.crossReference && claims.every(({ checkedAt }) => checkedAt)) return record;
  await checkAll(host, caller, content, claims, DAYS_BACK, spent);
  return (await recordOf(host, content)) ?? record;
}

/**
 * Lets the model judge the article by the evidence; without a model, or when it fails, the sum of the evidence is the
 * judgement.
 */
export async function appraiseByModel(
  host: Verifier,
  caller: Caller,
  content: Content,
  record: Verification,
  spent: Spending,
): Promise<Verification> {
  const [ground, references] = await Promise.all([
    baseline(host, caller, content, record),
    referencesOf(host, caller, content.id),
  ]);
  const evidence = references.toSorted((a, b) => b.score - a.score).slice(0, MOST_EVIDENCE);
  const answer = await asked(host, (marks) => verificationPrompt(articleOf(content), evidence, marks), spent);
  if (!answer) {
    const reasons = [...ground.summary.positiveFactors, ...ground.summary.negativeFactors].map((text) => ({ text }));
    return keep(host, caller, content, {
      llm: { score: ground.finalConfidenceScore, method: "heuristic", reasons, dropped: 0, at: at(host) },
    });
  }
  const { score, reasons, dropped } = acceptVerification(answer.value, evidence, ground.finalConfidenceScore);
  return keep(host, caller, content, {
    llm: { score, method: "llm", model: answer.model, promptVersion: answer.version, reasons, dropped, at: at(host) },
  });
}
