import { iso, type Clock } from "../../core/clock.ts";
import { LlmError } from "./errors.ts";
import type { ChatMessage, LlmSettings, LlmStatus, Usage } from "./port.ts";

export interface Reservation { settle(usage: Usage): void }
export interface Budget {
  /** Sets aside what a request may use at the most, so that requests under way together cannot overrun the day; throws `budget-exceeded`. */
  reserve(most: Usage): Reservation;
  spent(): LlmStatus["today"];
}

// English prose has about four characters a token in the common tokenisers; a message adds a few for its frame.
const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_MESSAGE = 4;

/** Tokens of the messages, estimated: exact counts come with the answer. */
export const estimateTokens = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, { content }) => sum + Math.ceil(content.length / CHARACTERS_PER_TOKEN) + TOKENS_PER_MESSAGE, 0);

/** What tokens cost under the configured prices (per 1,000,000 tokens); undefined where no price is set. */
export function priced(usage: Usage, { priceIn, priceOut }: Pick<LlmSettings, "priceIn" | "priceOut">): Usage {
  const { promptTokens, completionTokens } = usage;
  if (priceIn === undefined && priceOut === undefined) return { promptTokens, completionTokens };
  return { promptTokens, completionTokens, cost: (promptTokens * (priceIn ?? 0) + completionTokens * (priceOut ?? 0)) / 1e6 };
}

/** The sum of two usages; the cost is kept where either has one. */
export function added(a: Usage, b: Usage): Usage {
  const sum: Usage = { promptTokens: a.promptTokens + b.promptTokens, completionTokens: a.completionTokens + b.completionTokens };
  return a.cost === undefined && b.cost === undefined ? sum : { ...sum, cost: (a.cost ?? 0) + (b.cost ?? 0) };
}

/** An account of tokens and money that starts anew at midnight UTC. It counts this process: several nodes have a budget each. */
export function budget(settings: Pick<LlmSettings, "dailyTokenBudget" | "dailyCostBudget" | "priceIn" | "priceOut">, clock: Clock): Budget {
  const { dailyTokenBudget: mostTokens, dailyCostBudget: mostCost } = settings;
  const nothing = priced({ promptTokens: 0, completionTokens: 0 }, settings);
  let day = "";
  let calls = 0;
  let reserved = nothing;
  let used = nothing;

  function turnPage() {
    const today = iso(clock.now()).slice(0, 10);
    if (today === day) return;
    day = today;
    calls = 0;
    used = nothing;
  }

  /** Which budget a further use would overrun, in words. */
  function overrun(wanted: Usage): string | undefined {
    const then = added(added(used, reserved), wanted);
    if (mostTokens !== undefined && tokensOf(then) > mostTokens) return `${mostTokens} tokens`;
    // Prices are sums of floats: a millionth of the currency is no overrun.
    return mostCost !== undefined && (then.cost ?? 0) > mostCost + 1e-6 ? `${mostCost} in cost` : undefined;
  }

  return {
    reserve(most) {
      turnPage();
      const wanted = priced(most, settings);
      const limit = overrun(wanted);
      if (limit) {
        const retryAfterMs = Date.parse(`${day}T00:00:00Z`) + 86_400_000 - clock.now();
        throw new LlmError("budget-exceeded", `The day's budget of ${limit} leaves no room for this question.`, { retryAfterMs });
      }
      reserved = added(reserved, wanted);
      let open = true;
      return {
        settle(usage) {
          if (!open) return;
          open = false;
          reserved = added(reserved, negative(wanted));
          turnPage();
          calls += 1;
          used = added(used, priced(usage, settings));
        },
      };
    },
    spent() {
      turnPage();
      return {
        calls, tokens: tokensOf(used), ...(used.cost !== undefined && { cost: used.cost }),
        ...(mostTokens !== undefined && { budget: mostTokens }), ...(mostCost !== undefined && { costBudget: mostCost }),
      };
    },
  };
}

const tokensOf = ({ promptTokens, completionTokens }: Usage): number => promptTokens + completionTokens;
const negative = ({ promptTokens, completionTokens, cost }: Usage): Usage =>
  ({ promptTokens: -promptTokens, completionTokens: -completionTokens, ...(cost !== undefined && { cost: -cost }) });
