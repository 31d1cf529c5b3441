import type { Context } from "moleculer";
import { callAgain } from "../../mesh/private/moleculer.ts";
import { Crowded } from "./peers.ts";
import { NotDelivered } from "./redis.ts";

/** Between the attempts: a node that stopped is known to have, and one that came back is, within these. */
const PAUSES_MS = [20, 50, 100, 200, 400, 800, 1_600];
/** A node that is crowded is no reason to wait: the next one is asked at once, and then nobody. */
const FURTHER = 2;

/** Over all nodes that a call was sent to. */
const attempts = new WeakMap<Context, number>();

/**
 * For Moleculer: a request that reached no node, or that was not sent because a node is crowded, goes to the next one,
 * whatever it does; nothing else is ever tried again, because it may have been done. Only this hop's own failure
 * counts: one further down comes back as that node's answer.
 */
export const elsewhere = {
  name: "Elsewhere",
  remoteAction(
    next: (ctx: Context) => Promise<unknown>,
    { name }: { name: string },
  ): (ctx: Context) => Promise<unknown> {
    return (ctx) =>
      next(ctx).catch(async (error: unknown) => {
        if (
          !(error instanceof NotDelivered || error instanceof Crowded) ||
          error.contextId !== ctx.id ||
          ctx.options.nodeID
        )
          throw error;
        const attempt = attempts.get(ctx) ?? 0;
        attempts.set(ctx, attempt + 1);
        if (attempt >= (error instanceof Crowded ? FURTHER : PAUSES_MS.length)) throw error;
        if (error instanceof NotDelivered)
          await new Promise((resolve) => {
            setTimeout(resolve, PAUSES_MS[attempt]);
          });
        return callAgain(ctx, name);
      });
  },
};
