import { estimateTokens, priced } from "../../adapters/llm/budget/budget.ts";
import { messagesIn } from "../../adapters/llm/wire/tool-choice.ts";
import type { LlmFailure } from "../../adapters/llm/errors.ts";
import {
  faultOf,
  LlmError,
  type ChatMessage,
  type Completion,
  type CompletionRequest,
  type ToolDecision,
  type DecisionRequest,
  type Llm,
  type LlmPrices,
  type Usage,
} from "../../adapters/llm/llm.ts";
import type { Host } from "../../core/contract/endpoint.ts";

/** What a question cost, or may cost at most. */
export interface AnswerCost {
  tokens: number;
  cost?: number;
}
/** Who pays for a question: its highest cost is reserved before it is asked, and its cost is booked afterwards. */
export interface Payer {
  hold(most: AnswerCost): boolean | Promise<boolean>;
  settle?(most: AnswerCost, used: AnswerCost): Promise<unknown>;
}
export interface Bounds {
  signal: AbortSignal;
  payer?: Payer;
  /** Called with the question's cost, whatever its outcome. */
  spends?(usage: Usage): void;
}
/** The result: an answer, or why there is none; `isBroke` where no budget was left. */
export type AskResult<A> =
  | { answer: A; used: AnswerCost; fault?: undefined; kind?: undefined; isBroke?: undefined }
  | { answer?: undefined; used: AnswerCost; fault: string; kind?: LlmFailure; isBroke?: true };

const NO_ROOM = "There is no room for a question to the model in the budget.";

/** What is asked, as far as it bears on what it takes. */
interface Asked {
  messages: readonly ChatMessage[];
  maxTokens: number;
  prices?: LlmPrices;
}

/**
 * The only way in which the staff asks a model anything except streamed text: reserved before, booked afterwards,
 * whatever the outcome. The model's errors are returned; other errors, and aborts by `signal`, are thrown.
 */
async function ask<A extends { usage: Usage }>(
  host: Host,
  { messages, maxTokens, prices, signal, payer, spends }: Asked & Bounds,
  send: (llm: Llm) => Promise<A>,
): Promise<AskResult<A>> {
  const { llm } = host.world;
  let used: AnswerCost = { tokens: 0 };
  if (!llm.configured) return { used, fault: faultOf(new LlmError("not-configured", "")) };
  const amountOf = (usage: Usage): AnswerCost => {
    const { cost } = priced(usage, prices ?? llm.prices);
    return { tokens: usage.promptTokens + usage.completionTokens, ...(cost !== undefined && { cost }) };
  };
  const most = amountOf({ promptTokens: estimateTokens(messages), completionTokens: maxTokens });
  if (payer && !(await payer.hold(most))) return { used, fault: NO_ROOM, isBroke: true };
  const took = (usage: Usage): void => {
    used = amountOf(usage);
    spends?.(usage);
  };
  try {
    const answer = await send(llm);
    took(answer.usage);
    return { answer, used };
  } catch (error) {
    if (error instanceof LlmError && error.usage) took(error.usage);
    if (!(error instanceof LlmError) || error.kind === "aborted" || signal.aborted) throw error;
    return { used, fault: faultOf(error), kind: error.kind };
  } finally {
    await payer?.settle?.(most, used);
  }
}

/** Lets the model choose among tools, paid like any question. Carries nothing out. */
export function decide(host: Host, question: Choosing, bounds: Bounds): Promise<AskResult<ToolDecision>> {
  const { tools, maxTokens, messages, prices } = question;
  const asked = { maxTokens, messages: messagesIn("structured", messages, tools), ...(prices && { prices }) };
  const most = { ...asked, ...bounds };
  return ask(host, most, (llm) => llm.decide({ ...question, signal: bounds.signal }));
}
type Choosing = Omit<DecisionRequest, "signal" | "maxTokens"> & { maxTokens: number };

/** Asks for an answer of a given schema, paid like any question. */
export function complete<T>(host: Host, question: Shaped<T>, bounds: Bounds): Promise<AskResult<Completion<T>>> {
  return ask(host, { ...question, ...bounds }, (llm) => llm.complete({ ...question, signal: bounds.signal }));
}
type Shaped<T> = Omit<CompletionRequest<T>, "signal" | "maxTokens"> & { maxTokens: number };

/** Whether costs are known: by the administrators' present configuration, not the one at the node's start. */
export function isPriced({ world: { llm } }: Pick<Host, "world">): boolean {
  const { priceIn, priceOut } = llm.prices;
  return priceIn !== undefined || priceOut !== undefined;
}
