import { LlmError } from "./errors.ts";
import { ConfiguredLlm, type LlmWorld } from "./model.ts";
import type { Llm, LlmSettings } from "./port.ts";

export { faultOf, LlmError } from "./errors.ts";
export { quoteAsData, quoting } from "./quote.ts";
export { breakerOf, type LlmWorld } from "./model.ts";
export type * from "./port.ts";

/**
 * A model behind any OpenAI-compatible endpoint, with time-outs, retries with back-off, a circuit breaker, bounded
 * concurrency and daily budgets of tokens and cost, shared by all nodes that share a ledger. Without `baseUrl` it is
 * not configured: then heuristics do the work. Throws TypeError on invalid settings.
 */
export function llm(settings: LlmSettings, world: LlmWorld = {}): Llm {
  if (!settings.baseUrl) return unconfigured;
  return new ConfiguredLlm(checked(settings), world);
}

const notConfigured = () => new LlmError("not-configured", "No language model is configured; set LLM_BASE_URL.");

const unconfigured: Llm = {
  configured: false,
  toolForm: "structured",
  complete: () => Promise.reject(notConfigured()),
  decide: () => Promise.reject(notConfigured()),
  stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(notConfigured()) }) }),
  models: () => Promise.reject(notConfigured()),
  status: () => Promise.resolve({ configured: false, circuit: "closed", waiting: 0, today: { calls: 0, tokens: 0 } }),
};

function checked(settings: LlmSettings): LlmSettings {
  if (!URL.canParse(settings.baseUrl!) || !/^https?:$/.test(new URL(settings.baseUrl!).protocol))
    throw new TypeError("baseUrl: not an http(s) address");
  if (!(settings.timeoutMs > 0)) throw new TypeError("timeoutMs: must be above 0");
  if (!Number.isInteger(settings.maxRetries) || settings.maxRetries < 0)
    throw new TypeError("maxRetries: must be a whole number from 0");
  if (settings.dailyCostBudget !== undefined && settings.priceIn === undefined && settings.priceOut === undefined)
    throw new TypeError("dailyCostBudget: needs priceIn or priceOut");
  if (settings.concurrency !== undefined && !(Number.isInteger(settings.concurrency) && settings.concurrency > 0)) {
    throw new TypeError("concurrency: must be a whole number above 0");
  }
  return settings;
}
