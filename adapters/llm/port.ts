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
  /** What the answer must be. It goes to the model as JSON Schema, and every answer is parsed by it. */
  schema: z.ZodType<T>;
  /** Names the shape to the model: letters, digits, `_` and `-`. */
  name: string;
  /** Longest answer in tokens; default 1,024. */
  maxTokens?: number;
  /** Another model of the same endpoint than the configured one. */
  model?: string;
  /** What that one costs, where it is not what the settings say. */
  prices?: LlmPrices;
  /** 0 where it is absent: the same question should get the same answer. */
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

/** How tools are offered: as the protocol's own `tools`, or in words, the answer being JSON of a shape that is shown. */
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
  /** One of them at least is what is chosen, so an end is a tool as well. */
  tools: readonly OfferedTool[];
}

export interface ToolDecision extends Omit<Completion<unknown>, "value"> {
  /** What it chose, in its order, at least one: tools that were offered, with arguments that nobody has checked yet. */
  acts: { tool: string; arguments: Record<string, unknown> }[];
}

export interface StreamRequest {
  messages: readonly ChatMessage[];
  maxTokens?: number;
  signal?: AbortSignal;
  /** Told once, at the end, what the answer took, however it ended. */
  onUsage?: (usage: Usage) => void;
}

export interface LlmStatus {
  configured: boolean;
  model?: string;
  circuit: "closed" | "open" | "half-open";
  /** Of this process: how many questions wait for their turn, and when the model last answered one (ISO 8601). */
  waiting: number;
  lastAnswerAt?: string;
  /** Why questions get no answer, whatever is asked: of the last one, until one is answered; or the day's budget. */
  fault?: LlmFailure;
  /** Since midnight UTC, over all nodes that share the ledger. */
  today: { calls: number; tokens: number; cost?: number; budget?: number; costBudget?: number };
}

/** A large language model behind the OpenAI protocol. Every method throws `LlmError` and nothing else. */
export interface Llm {
  readonly configured: boolean;
  readonly model?: string;
  /** How tools are offered to this endpoint at present. */
  readonly toolForm: ToolForm;
  /**
   * One structured answer, validated by the schema and repaired at most once. No tools are offered to the model.
   */
  complete<T>(request: CompletionRequest<T>): Promise<Completion<T>>;
  /**
   * Has the model choose among tools: by the protocol's own calls, or as a structured answer where the endpoint refuses
   * or ignores them; repaired at most once. Nothing is carried out.
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
  /** Many local servers want none. */
  apiKey?: string;
  model?: string;
  /** Longest wait for one whole answer, or between two pieces of a stream, in milliseconds. */
  timeoutMs: number;
  /** Further attempts after a failure that may pass. */
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
  /** How requests leave the process; its own `fetch` without it. */
  fetch?: typeof fetch;
}

/** Of 1,000,000 tokens, as far as they are set. */
export type LlmPrices = Pick<LlmSettings, "priceIn" | "priceOut">;

/** The model as it is configured now: settings can change while it is in use. */
export interface ConfigurableLlm extends Llm {
  readonly prices: LlmPrices;
  /** What is asked from now on is asked under these. Throws TypeError on settings that cannot be. */
  use(settings: LlmSettings): void;
}
