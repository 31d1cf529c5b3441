import type { ActiveConfiguration } from "../configurations.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { LlmSettings } from "./port.ts";

/** An administrator's address is reached only through the guarded client; the environment's is the operator's own. */
export const modelSettings = (
  { value, secrets }: ActiveConfiguration<"llm">,
  isGuarded: boolean,
  out: () => Outbound,
): LlmSettings => ({
  baseUrl: value.baseUrl,
  apiKey: secrets["apiKey"],
  model: value.model,
  timeoutMs: value.timeoutMs,
  maxRetries: value.maxRetries,
  concurrency: value.concurrency,
  dailyTokenBudget: value.dailyTokens,
  // Without prices from the environment a stored cost limit cannot be measured, and does not apply.
  dailyCostBudget: value.priceIn === undefined && value.priceOut === undefined ? undefined : value.dailyCost,
  priceIn: value.priceIn,
  priceOut: value.priceOut,
  ...(isGuarded && { fetch: out().fetch }),
});
