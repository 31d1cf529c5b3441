import { faultOf, LlmError, quoting } from "../../../../adapters/llm/llm.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { sha256 } from "../../../../core/ids.ts";
import { modelBound } from "../work/bounds.ts";
import type { Prompt, Quoting } from "./prompts.ts";
import type { Cost } from "../scales.ts";

/** The model's answer, and which model gave it. */
export interface Answered<T = unknown> {
  value: T;
  model: string;
  version: string;
}

/** The model's answers that background work keeps, by question: after a kill none is asked, and paid, again. */
export interface Memory {
  answers: Record<string, Answered>;
  /** Makes the answers and the cost so far durable; throws where the work was cancelled. */
  keep(): Promise<void>;
}

/** The model's cost for one piece of work. After a failure the model is not called again within it. */
export interface Spending extends Cost {
  failed: boolean;
  /** No answer is awaited after it fires: a slow model must not delay the request. */
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

/** The model's answer; undefined without a model, or where it fails: then the heuristics decide. */
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
    // Cancelled work continues elsewhere, and calls the model there.
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

/** The marks around quoted text differ in each prompt; the question under them is the same. */
const PLAIN: Quoting = { rule: "", quote: (text, label) => JSON.stringify([label, text]) };
const questionKey = (prompt: (marks: Quoting) => Prompt<unknown>, model: string | undefined): string => {
  const { name, version, messages } = prompt(PLAIN);
  return sha256(JSON.stringify([name, version, model, messages])).slice(0, 32);
};
