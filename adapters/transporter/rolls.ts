import type { Context } from "moleculer";
import type { Rolls } from "../../core/access/memberships/rolls.ts";

/** What a node says of itself that puts memberships back which travel by the hash of their roll. */
export const UNPACKS = "unpacksRolls";

type Handler = (ctx: Context) => Promise<unknown>;

async function after<T>(asked: Promise<void>, then: () => T): Promise<Awaited<T>> {
  await asked;
  return await then();
}

/**
 * For Moleculer: who calls from another node is given back their memberships before anything is done in their name, and
 * so is an answer of the mesh's own actions that says what somebody may do. `internal`: the names of those; what others
 * answer is data, whatever it looks like.
 */
export function unpacking(rolls: Rolls, internal: ReadonlySet<string>) {
  return {
    name: "Rolls",
    localAction:
      (next: Handler): Handler =>
      (ctx) => {
        const asked = rolls.unpack((ctx.meta as { actor?: unknown }).actor);
        return asked ? after(asked, () => next(ctx)) : next(ctx);
      },
    remoteAction: (next: Handler, { name }: { name: string }): Handler =>
      internal.has(name)
        ? (ctx) =>
            next(ctx).then((answer) => {
              const asked = rolls.unpack(answer);
              return asked ? after(asked, () => answer) : answer;
            })
        : next,
  };
}
