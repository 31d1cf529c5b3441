import type { z } from "zod";
import type { LlmFailure } from "./errors.ts";

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface Usage {
  promptTokens: number;
  completionTokens: number;
  /** In the currency of the configured prices; absent where none is configured. */
  cost?: number;
}

export interface CompletionRequest<T> {
  messages: readonly ChatMessage[];
  /** What the answer must be. It is sent to the model as JSON Schema, and validates every answer. */
  schema: z.ZodType<T>;
  /** Names the schema to the model: letters, digits, `_` and `-`. */
  name: string;
  /** Longest answer in tokens; default 1,024. */
  maxTokens?: number;
  /** A model of the same endpoint other than the configured one. */
  model?: string;
  /** Prices of that model, where they differ from the settings'. */
  prices?: LlmPrices;
  /** 0 by default: the same question should get the same answer. */
  temperature?: number;
  signal?: AbortSignal;
}

export interface Completion<T> {
  value: T;
  /** Usage of all attempts together, the repair included. */
  usage: Usage;
  /** The model that answered, in the endpoint's words. */
  model: string;
  /** Requests sent: 1 where all went well. */
  attempts: number;
}

/**
 * How tools are offered: by the protocol's own `tools`, or described in words, with the answer as JSON of a given
 * schema.
 */
export type ToolForm = "native" | "structured";

/** Something that a model may choose to do. */
export interface OfferedTool {
  /** Letters, digits, `_` and `-`. */
  name: string;
  description: string;
  /** JSON Schema of an object. */
  parameters: Record<string, unknown>;
}

export interface DecisionRequest extends Omit<CompletionRequest<unknown>, "schema"> {
  /** At least one of them is chosen, so ending is a tool as well. */
  tools: readonly OfferedTool[];
}

export interface ToolDecision extends Omit<Completion<unknown>, "value"> {
  /** What the model chose, in order, at least one: tools that were offered, with unchecked arguments. */
  acts: { tool: string; arguments: Record<string, unknown> }[];
}

export interface StreamRequest {
  messages: readonly ChatMessage[];
  maxTokens?: number;
  signal?: AbortSignal;
  /** Called once, at the end, with the answer's usage, however it ended. */
  onUsage?: (usage: Usage) => void;
  /** Called where the answer ended at the limit of its length. */
  onCut?: () => void;
}

export interface LlmStatus {
  configured: boolean;
  model?: string;
  circuit: "closed" | "open" | "half-open";
  /** Of this process: how many questions wait, and when the model last answered one (ISO 8601). */
  waiting: number;
  lastAnswerAt?: string;
  /** Why no question gets an answer: since the last one, until one is answered; or the day's budget is used up. */
  fault?: LlmFailure;
  /** Since midnight UTC, for all nodes that share the ledger. */
  today: { calls: number; tokens: number; cost?: number; budget?: number; costBudget?: number };
}

/** A large language model behind the OpenAI protocol. Every method throws `LlmError` and nothing else. */
export interface Llm {
  readonly configured: boolean;
  readonly model?: string;
  /** How tools are currently offered to this endpoint. */
  readonly toolForm: ToolForm;
  /**
   * One structured answer, validated by the schema and repaired at most once. No tools are offered to the model.
   */
  complete<T>(request: CompletionRequest<T>): Promise<Completion<T>>;
  /**
   * Lets the model choose among tools: by the protocol's own calls, or as a structured answer where the endpoint
   * refuses or ignores them; repaired at most once. Nothing is carried out.
   */
  decide(request: DecisionRequest): Promise<ToolDecision>;
  /** The answer as it is written, piece by piece. Leaving the loop early ends the request. */
  stream(request: StreamRequest): AsyncIterable<string>;
  /** Ids of the models the endpoint offers. */
  models(signal?: AbortSignal): Promise<string[]>;
  status(): Promise<LlmStatus>;
}

export interface LlmSettings {
  /** Base of an OpenAI-compatible endpoint (`https://host/v1`); none: not configured. */
  baseUrl?: string;
  /** Many local servers need none. */
  apiKey?: string;
  model?: string;
  /** Longest wait for one whole answer, or between two pieces of a stream, in milliseconds. */
  timeoutMs: number;
  /** Further attempts after a transient failure. */
  maxRetries: number;
  /** Tokens a day (UTC), prompts and answers together. */
  dailyTokenBudget?: number;
  /** Money a day (UTC), by the prices below. */
  dailyCostBudget?: number;
  /** Price of 1,000,000 prompt tokens. */
  priceIn?: number;
  /** Price of 1,000,000 answer tokens. */
  priceOut?: number;
  /** Requests under way at once; default 4. */
  concurrency?: number;
  /**
   * Consecutive failures that open the circuit (default 5), and how long it stays open in milliseconds (default
   * 30,000).
   */
  breaker?: { failures: number; coolDownMs: number };
  /** How requests leave the process; the global `fetch` by default. */
  fetch?: typeof fetch;
}

/** Prices per 1,000,000 tokens, where set. */
export type LlmPrices = Pick<LlmSettings, "priceIn" | "priceOut">;

/** The model as configured now: settings can change during use. */
export interface ConfigurableLlm extends Llm {
  readonly prices: LlmPrices;
  /** From now on questions are asked under these. Throws TypeError on invalid settings. */
  use(settings: LlmSettings): void;
}
