import { LlmError, quoting } from "../../../adapters/llm/llm.ts";
import { systemActor } from "../../../core/access.ts";
import { actorOf, asSystem, type Caller } from "../../../core/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/endpoint.ts";
import { notFound } from "../../../core/problem.ts";
import type { Article } from "../articles/articles.ts";
import type { Prompt, Quoting } from "./prompts.ts";
import { PARTS, Verification, type Parts } from "./verification.ts";

export type Content = Article & { text: string };

const CALL_MS = 60_000;

/** Calls another domain as the mesh itself: what was asked of us was permitted already. */
export const ask = <T>({ broker }: Host, action: string, params: object): Promise<T> =>
  broker.call(action, params, { meta: { actor: systemActor("verification") }, timeout: CALL_MS });

/** The article with its text; throws 404. */
export async function contentOf(host: Host, id: number): Promise<Content> {
  const [found] = await ask<Content[]>(host, "articles.many", { ids: [id], text: true });
  if (!found) throw notFound("article", id);
  return found;
}

/** Tells one text of an article from another, without reading it. */
export const editionOf = ({ contentHash, textId, textLength }: Article): string => `${contentHash}/${textId}/${textLength}`;

/** What was found out about the text as it is now; null where nothing was. */
export async function recordOf(host: Host, content: Article): Promise<Verification | null> {
  const record = await host.store(Verification).one(asSystem("verification"), { _id: content.id });
  return record?.edition === editionOf(content) ? record : null;
}

/** Adds parts to an article's record; what was found out about an earlier text goes. */
export async function keep(host: Host, caller: Caller, content: Content, parts: Parts): Promise<Verification> {
  const store = host.store(Verification);
  const at = iso(host.world.clock.now());
  const edition = editionOf(content);
  const { id, title, sourceId, sourceName, domain } = content;
  caller.locals.trail?.({ type: Verification.name, id });
  await store.collection.claim({ _id: id, edition: { $ne: edition } }, { $set: { edition }, $unset: Object.fromEntries(PARTS.map((part) => [part, 1])) });
  await store.collection.claim({ _id: id }, {
    $set: { title, sourceId, sourceName, domain, edition, updatedAt: at, ...parts }, $setOnInsert: { createdAt: at, createdBy: actorOf(caller) }, $inc: { rev: 1 },
  }, { upsert: true });
  return store.get(caller, id);
}

/** What the model costs one request. After a failure it is not asked again within the request. */
export interface Spending {
  llmCalls: number;
  tokens: number;
  failed: boolean;
  /** No answer is awaited beyond this point of `performance.now()`: a slow model must not hold up the request. */
  until: number;
}
const MODEL_MS = 20_000;
export const spending = (): Spending => ({ llmCalls: 0, tokens: 0, failed: false, until: performance.now() + MODEL_MS });

/** The model's answer; undefined without a model, or where it fails: the heuristics then do the work. */
export async function asked<T>({ world: { llm }, logger }: Host, prompt: (marks: Quoting) => Prompt<T>, spent: Spending): Promise<{ value: T; model: string; version: string } | undefined> {
  const left = Math.floor(spent.until - performance.now());
  if (!llm.configured || spent.failed || left <= 0) return undefined;
  const { messages, schema, name, maxTokens, version } = prompt(quoting());
  try {
    const { value, usage, model, attempts } = await llm.complete({ messages, schema, name, maxTokens, signal: AbortSignal.timeout(left) });
    spent.llmCalls += attempts;
    spent.tokens += usage.promptTokens + usage.completionTokens;
    return { value, model, version };
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    spent.llmCalls += 1;
    spent.failed = true;
    logger.warn(`The model gave no answer to ${name} (${error.kind}); heuristics do the work.`);
    return undefined;
  }
}
