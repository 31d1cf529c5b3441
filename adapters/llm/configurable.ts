import type { Breaker } from "./calls/breaker.ts";
import type { Debt } from "./budget/budget.ts";
import { breakerOf, llm, type LlmWorld } from "./llm.ts";
import type { ConfigurableLlm, LlmSettings } from "./port.ts";

/**
 * The model under settings that may change during use: calls under way finish under their own settings, and the circuit
 * keeps its state if endpoint and model stay the same.
 */
export function configurable(settings: LlmSettings, world: LlmWorld = {}): ConfigurableLlm {
  const debts: Debt[] = [];
  const endpointOf = ({ baseUrl, model }: LlmSettings): string => `${baseUrl}\n${model}`;
  const under = (given: LlmSettings, circuit: Breaker) => ({
    settings: given,
    circuit,
    llm: llm(given, { ...world, circuit, debts }),
  });
  let now = under(settings, breakerOf(settings, world.clock));
  return {
    get configured() {
      return now.llm.configured;
    },
    get model() {
      return now.llm.model;
    },
    get prices() {
      const { priceIn, priceOut } = now.settings;
      return { priceIn, priceOut };
    },
    get toolForm() {
      return now.llm.toolForm;
    },
    complete: (request) => now.llm.complete(request),
    decide: (request) => now.llm.decide(request),
    stream: (request) => now.llm.stream(request),
    models: (signal) => now.llm.models(signal),
    status: () => now.llm.status(),
    use(next) {
      const stays = endpointOf(next) === endpointOf(now.settings);
      now = under(next, stays ? now.circuit : breakerOf(next, world.clock));
    },
  };
}
