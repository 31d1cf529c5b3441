import { iso, type Clock } from "../../../core/clock.ts";
import { LlmError } from "../errors.ts";
import { memoryLedger, type ModelSpend, type Ledger, type Limits, type Spent } from "./ledger.ts";
import { estimateText } from "./tokens.ts";
import type { ChatMessage, LlmPrices, LlmSettings, LlmStatus, Usage } from "../port.ts";

export interface Reservation {
  /** Books what was used. Never rejects: what the ledger cannot take now is booked with the next amount. */
  settle(usage: Usage): Promise<void>;
}
/** An amount not booked because the ledger was away; it is booked with the next. */
export interface Debt {
  day: string;
  held: ModelSpend;
  used: Spent;
}
export interface Budget {
  /**
   * Reserves the most that a request may use, so that concurrent requests on any nodes cannot overrun the day; throws
   * `budget-exceeded`. Uses the settings' prices unless others are given.
   */
  reserve(most: Usage, prices?: LlmPrices): Promise<Reservation>;
  spent(): Promise<LlmStatus["today"]>;
}

/** Tokens that each message adds. */
const TOKENS_PER_MESSAGE = 4;

/** Tokens of the messages, estimated: exact counts come with the answer. */
export const estimateTokens = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, { content }) => sum + estimateText(content) + TOKENS_PER_MESSAGE, 0);

/** What tokens cost under the configured prices (per 1,000,000 tokens); undefined where no price is set. */
export function priced(usage: Usage, { priceIn, priceOut }: LlmPrices): Usage {
  const { promptTokens, completionTokens } = usage;
  if (priceIn === undefined && priceOut === undefined) return { promptTokens, completionTokens };
  return {
    promptTokens,
    completionTokens,
    cost: (promptTokens * (priceIn ?? 0) + completionTokens * (priceOut ?? 0)) / 1e6,
  };
}

/** The sum of two usages; the cost is kept where either has one. */
export function added(a: Usage, b: Usage): Usage {
  const sum: Usage = {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
  };
  if (a.cost === undefined && b.cost === undefined) return sum;
  // 0.00042, not 0.00041999999999999996.
  return { ...sum, cost: Number(((a.cost ?? 0) + (b.cost ?? 0)).toFixed(12)) };
}

/**
 * An account of tokens and money that starts anew at midnight UTC, shared by all who use the ledger. A question counts
 * for the day on which it was asked.
 */
export function budget(
  settings: Pick<LlmSettings, "dailyTokenBudget" | "dailyCostBudget" | "priceIn" | "priceOut">,
  clock: Clock,
  ledger: Ledger = memoryLedger(),
  owed: Debt[] = [],
): Budget {
  const { dailyTokenBudget, dailyCostBudget } = settings;
  const limits: Limits = {
    ...(dailyTokenBudget !== undefined && { tokens: dailyTokenBudget }),
    ...(dailyCostBudget !== undefined && { cost: dailyCostBudget * 1e6 }),
  };
  const limited = Object.keys(limits).length > 0;
  const today = (): string => iso(clock.now()).slice(0, 10);
  const amountOf = (usage: Usage, prices: LlmPrices): ModelSpend => ({
    tokens: usage.promptTokens + usage.completionTokens,
    cost: Math.round((priced(usage, prices).cost ?? 0) * 1e6),
  });
  async function book(): Promise<void> {
    const now = owed.splice(0);
    for (const [at, { day, held, used }] of now.entries()) {
      try {
        await ledger.settle(day, held, used);
      } catch {
        owed.push(...now.slice(at));
        return;
      }
    }
  }

  async function hold(day: string, wanted: ModelSpend): Promise<void> {
    const limit = await ledger.hold(day, wanted, limits).catch(() => {
      throw new LlmError("server", "The account of the day's budget cannot be read now.");
    });
    if (!limit) return;
    const most = limit === "tokens" ? `${dailyTokenBudget} tokens` : `${dailyCostBudget} in cost`;
    throw new LlmError("budget-exceeded", `The day's budget of ${most} leaves no room for this question.`, {
      retryAfterMs: Date.parse(`${day}T00:00:00Z`) + 86_400_000 - clock.now(),
    });
  }

  return {
    async reserve(most, prices = settings) {
      const day = today();
      const wanted = limited ? amountOf(most, prices) : { tokens: 0, cost: 0 };
      if (limited) await hold(day, wanted);
      let open = true;
      return {
        async settle(usage) {
          if (!open) return;
          open = false;
          owed.push({ day, held: wanted, used: { calls: 1, ...amountOf(usage, prices) } });
          await book();
        },
      };
    },
    async spent() {
      await book();
      const { calls, tokens, cost } = await ledger.spent(today());
      const hasPrices = settings.priceIn !== undefined || settings.priceOut !== undefined;
      return {
        calls,
        tokens,
        ...(hasPrices && { cost: cost / 1e6 }),
        ...(dailyTokenBudget !== undefined && { budget: dailyTokenBudget }),
        ...(dailyCostBudget !== undefined && { costBudget: dailyCostBudget }),
      };
    },
  };
}
