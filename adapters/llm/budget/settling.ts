import { LlmError } from "../errors.ts";
import type { CompletionRequest, LlmPrices, Usage } from "../port.ts";
import { echoOf } from "../wire/tool-choice.ts";
import type { ModelReply } from "../wire/wire.ts";
import { added, estimateTokens, priced, type Reservation } from "./budget.ts";
import { estimateText } from "./tokens.ts";

/** Settles a question with the account, whether it was answered or not. */
export function settling(reserved: Reservation, messages: CompletionRequest<unknown>["messages"], prices: LlmPrices) {
  const promptTokens = estimateTokens(messages);
  let reads = 0;
  const settle = async (told: Usage): Promise<Usage> => {
    const usage = priced(added(told, { promptTokens: reads * promptTokens, completionTokens: 0 }), prices);
    await reserved.settle(usage);
    return usage;
  };
  return {
    /** Records a failed try. */
    tried: (error: unknown): void => void (reads += readsOf(error)),
    answered: (answer: ModelReply): Promise<Usage> =>
      settle(answer.usage ?? { promptTokens, completionTokens: estimateText(echoOf(answer)) }),
    /** The error, with what was billed. */
    async failed(error: unknown): Promise<unknown> {
      const told = error instanceof LlmError ? error.usage : undefined;
      const usage = await settle(told ?? { promptTokens: 0, completionTokens: 0 });
      return error instanceof LlmError ? Object.assign(error, { usage }) : error;
    },
  };
}

/**
 * How often the question of a failed try is billed in addition: an endpoint that was interrupted bills what it read;
 * one that refused bills nothing, and one that reported its usage is counted already.
 */
export const readsOf = (error: unknown): number =>
  error instanceof LlmError && !error.usage && ["timeout", "aborted", "malformed"].includes(error.kind) ? 1 : 0;

/** A failure after a paid answer includes the usage of that answer. */
export const tookToo = (error: unknown, before: Usage): unknown =>
  error instanceof LlmError
    ? Object.assign(error, { usage: error.usage ? added(before, error.usage) : before })
    : error;
