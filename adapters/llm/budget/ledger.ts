import { type Documents, insertOnce, opener, type Query } from "../../../core/records/documents.ts";

/** Tokens, and money in millionths of the currency. */
export interface ModelSpend {
  tokens: number;
  cost: number;
}
export interface Spent extends ModelSpend {
  calls: number;
}
export type Limits = Partial<ModelSpend>;

/** Where the spending of a day (`YYYY-MM-DD`, UTC) is recorded. */
export interface Ledger {
  /** Reserves an amount in one atomic step; answers which limit leaves no room for it, or null when it is reserved. */
  hold(day: string, amount: ModelSpend, limits: Limits): Promise<keyof ModelSpend | null>;
  /** Releases the reservation and books what was used, for this many calls. */
  settle(day: string, held: ModelSpend, used: Spent): Promise<void>;
  spent(day: string): Promise<Spent>;
}

/** Sums of prices are floats: a millionth of the currency is no overrun. */
const TOLERANCE = 1;

interface Page extends Spent {
  committedTokens: number;
  committedCost: number;
}
const EMPTY: Page = { calls: 0, tokens: 0, cost: 0, committedTokens: 0, committedCost: 0 };

const overrun = (page: Page, amount: ModelSpend, limits: Limits): keyof ModelSpend | null => {
  if (limits.tokens !== undefined && page.committedTokens + amount.tokens > limits.tokens) return "tokens";
  return limits.cost !== undefined && page.committedCost + amount.cost > limits.cost + TOLERANCE ? "cost" : null;
};

/** A ledger of this process alone; it keeps two days. */
export function memoryLedger(): Ledger {
  const pages = new Map<string, Page>();
  const pageOf = (day: string): Page => {
    let page = pages.get(day);
    if (!page) {
      for (const old of [...pages.keys()].sort().slice(0, -1)) pages.delete(old);
      pages.set(day, (page = { ...EMPTY }));
    }
    return page;
  };
  return {
    hold(day, amount, limits) {
      const page = pageOf(day);
      const limit = overrun(page, amount, limits);
      if (!limit) commit(page, amount.tokens, amount.cost);
      return Promise.resolve(limit);
    },
    settle(day, held, { calls, tokens, cost }) {
      const page = pageOf(day);
      commit(page, tokens - held.tokens, cost - held.cost);
      page.calls += calls;
      page.tokens += tokens;
      page.cost += cost;
      return Promise.resolve();
    },
    spent(day) {
      const { calls, tokens, cost } = pageOf(day);
      return Promise.resolve({ calls, tokens, cost });
    },
  };
}

function commit(page: Page, tokens: number, cost: number): void {
  page.committedTokens += tokens;
  page.committedCost += cost;
}

const KEPT_DAYS = 31;

/**
 * The ledger of a mesh: one record a day, in which every node reserves and settles by one conditional write. What a
 * node had reserved when it died stays reserved until midnight: the budget is never overrun because of it.
 */
export function documentsLedger(documents: Documents): Ledger {
  const pages = opener(documents, "llm_spending");

  /** The first write of a day creates its record and drops those older than a month. */
  async function begin(day: string): Promise<void> {
    const all = await pages();
    await insertOnce(all, { _id: day, ...EMPTY });
    await all.removeMany({
      _id: { $lt: new Date(Date.parse(day) - KEPT_DAYS * 86_400_000).toISOString().slice(0, 10) },
    });
  }

  return {
    async hold(day, amount, limits) {
      const all = await pages();
      const room: Query = {
        _id: day,
        ...(limits.tokens !== undefined && { committedTokens: { $lte: limits.tokens - amount.tokens } }),
        ...(limits.cost !== undefined && { committedCost: { $lte: limits.cost + TOLERANCE - amount.cost } }),
      };
      for (;;) {
        if (await all.updateMany(room, { $inc: { committedTokens: amount.tokens, committedCost: amount.cost } }))
          return null;
        const page = (await all.findById(day)) as Page | null;
        const limit = page && overrun(page, amount, limits);
        if (limit) return limit;
        if (!page) await begin(day);
      }
    },
    async settle(day, held, { calls, tokens, cost }) {
      const $inc = { calls, tokens, cost, committedTokens: tokens - held.tokens, committedCost: cost - held.cost };
      if (await (await pages()).updateMany({ _id: day }, { $inc })) return;
      await begin(day);
      await (await pages()).updateMany({ _id: day }, { $inc });
    },
    async spent(day) {
      const { calls, tokens, cost } = ((await (await pages()).findById(day)) as Page | null) ?? EMPTY;
      return { calls, tokens, cost };
    },
  };
}
