import { Errors, type Context } from "moleculer";

/**
 * For Moleculer: a remote call that is not answered in time fails inside the circuit breaker. Moleculer's own time-out lies around
 * the breaker, which would take the late answer for a success: an action that stalls would never open its circuit.
 */
export const patience = {
  name: "Patience",
  remoteAction(next: (ctx: Context) => Promise<unknown>, { name }: { name: string }): (ctx: Context) => Promise<unknown> {
    return (ctx) => {
      const milliseconds = ctx.options.timeout;
      if (!milliseconds) return next(ctx);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => { timer = setTimeout(() => reject(new Errors.RequestTimeoutError({ action: name, nodeID: ctx.nodeID! })), milliseconds); });
      return Promise.race([next(ctx), late]).finally(() => clearTimeout(timer));
    };
  },
};
