import { faultOf, LlmError, quoting } from "../../../../adapters/llm/llm.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { sha256 } from "../../../../core/ids.ts";
import { modelBound } from "../work/bounds.ts";
import type { Prompt, Quoting } from "./prompts.ts";
import type { Cost } from "../scales.ts";

/** An answer of the model, and which one it was. */
export interface Answered<T = unknown> {
  value: T;
  model: string;
  version: string;
}

/**
 * Answers of the model that a piece of background work holds, by question: after a kill none is asked, and paid, again.
 */
export interface Memory {
  answers: Record<string, Answered>;
  /** Makes the answers and the cost so far durable; throws when the work was called off. */
  keep(): Promise<void>;
}

/** What the model costs one piece of work. After a failure it is not asked again within it. */
export interface Spending extends Cost {
  failed: boolean;
  /** No answer is awaited once it fires: a slow model must not hold up the request. */
  signal: AbortSignal;
  memory?: Memory;
}

/** For work inside one request. */
export const spending = ({ world }: Host): Spending => ({
  llmCalls: 0,
  tokens: 0,
  failed: false,
  signal: AbortSignal.timeout(modelBound(world.env)),
});

export const costOf = ({ llmCalls, tokens, price, fault }: Cost): Cost => ({
  llmCalls,
  tokens,
  ...(price !== undefined && { price }),
  ...(fault !== undefined && { fault }),
});

/** The model's answer; undefined without a model, or where it fails: the heuristics then do the work. */
export async function asked<T>(
  { world: { llm }, logger }: Host,
  prompt: (marks: Quoting) => Prompt<T>,
  spent: Spending,
): Promise<Answered<T> | undefined> {
  if (!llm.configured) return undefined;
  const { messages, schema, name, maxTokens, version } = prompt(quoting());
  const key = spent.memory && questionKey(prompt, llm.model);
  const known = key && spent.memory!.answers[key];
  if (known) return known as Answered<T>;
  if (spent.failed || spent.signal.aborted) return undefined;
  try {
    const { value, usage, model, attempts } = await llm.complete({
      messages,
      schema,
      name,
      maxTokens,
      signal: spent.signal,
    });
    const answered = { value, model, version };
    spend(spent, attempts, usage.promptTokens + usage.completionTokens, usage.cost);
    if (key) spent.memory!.answers[key] = answered;
    await spent.memory?.keep();
    return answered;
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    // Work that is called off goes on elsewhere, and asks there.
    if (spent.memory && spent.signal.aborted) throw error;
    const { promptTokens = 0, completionTokens = 0, cost } = error.usage ?? {};
    spend(spent, 1, promptTokens + completionTokens, cost);
    spent.failed = true;
    spent.fault = faultOf(error);
    logger.warn(`The model gave no answer to ${name} (${error.kind}); heuristics do the work.`);
    await spent.memory?.keep();
    return undefined;
  }
}

function spend(spent: Spending, calls: number, tokens: number, price?: number): void {
  spent.llmCalls += calls;
  spent.tokens += tokens;
  if (price !== undefined) spent.price = Math.round(((spent.price ?? 0) + price) * 1e6) / 1e6;
}

/** The marks around quoted text are new in each prompt; the question is the same under any. */
const PLAIN: Quoting = { rule: "", quote: (text, label) => JSON.stringify([label, text]) };
const questionKey = (prompt: (marks: Quoting) => Prompt<unknown>, model: string | undefined): string => {
  const { name, version, messages } = prompt(PLAIN);
  return sha256(JSON.stringify([name, version, model, messages])).slice(0, 32);
};
