import type { Context } from "moleculer";
import { NotDelivered } from "./redis.ts";

/** Between the attempts: a node that stopped is known to have, and one that came back is, within these. */
const PAUSES_MS = [20, 50, 100, 200, 400, 800, 1_600];

/**
 * For Moleculer: a request that reached no node goes to the next one, whatever it does; nothing else is ever tried again, because
 * it may have been done. Only this hop's own failure counts: one further down comes back as that node's answer.
 */
export const elsewhere = {
  name: "Elsewhere",
  remoteAction(next: (ctx: Context) => Promise<unknown>, { name }: { name: string }): (ctx: Context) => Promise<unknown> {
    const attempts = new WeakMap<Context, number>();
    return async (ctx: Context) => {
      try {
        return await next(ctx);
      } catch (error) {
        if (!(error instanceof NotDelivered) || error.contextId !== ctx.id || ctx.options.nodeID) throw error;
        const attempt = attempts.get(ctx) ?? 0;
        if (attempt >= PAUSES_MS.length) throw error;
        attempts.set(ctx, attempt + 1);
        await new Promise((resolve) => { setTimeout(resolve, PAUSES_MS[attempt]); });
        return ctx.broker.call(name, ctx.params as object, { ctx } as object);
      }
    };
  },
};
