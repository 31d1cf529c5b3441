import type { Ctx } from "../../../core/caller.ts";
import { clientNetwork } from "../../../core/client-network.ts";
import { type Collection, insertOnce } from "../../../core/documents.ts";
import { sha256 } from "../../../core/ids.ts";
import { tooMany } from "../../../core/problem.ts";
import { removeInSlices } from "../../../core/retention.ts";
import { FORGET_MS, waitFor, type Failures } from "./lockout.ts";
import type { Auth } from "./parts.ts";

interface Counted { pair: string; address: string }

const failuresOf = (doc: Record<string, unknown> | null): Failures | undefined => (doc ? { count: doc["count"] as number, last: doc["last"] as number } : undefined);

/** Milliseconds that the next guess has to wait for. */
async function waitOf({ attempts, world }: Auth, keys: Counted): Promise<number> {
  const now = world.clock.now();
  const [pair, address] = await Promise.all([attempts.findById(keys.pair), attempts.findById(keys.address)]);
  return Math.max(waitFor("pair", failuresOf(pair), now), waitFor("address", failuresOf(address), now));
}

/** Counts one failure, however many are counted at once: none overwrites another. */
async function count(attempts: Collection, _id: string, now: number): Promise<void> {
  for (;;) {
    if (await attempts.claim({ _id, last: { $gt: now - FORGET_MS } }, { $inc: { count: 1 }, $set: { last: now } })) return;
    if (await attempts.updateMany({ _id, last: { $lte: now - FORGET_MS } }, { $set: { count: 1, last: now } })) return;
    if (await insertOnce(attempts, { _id, count: 1, last: now })) return;
  }
}

/**
 * Lets a secret of `whose` be guessed at from where this request comes, as often as lock-out allows. Of many guesses under way at
 * once no more are heard than one by one: when the answer is known it is asked again whether it may be told, and a guess that may
 * not be answers 429 whether it was right or not. Throws 429.
 */
export async function guess(auth: Auth, ctx: Ctx<unknown>, whose: string, isRight: () => Promise<boolean>): Promise<boolean> {
  const network = clientNetwork(ctx.meta.address);
  const keys = { pair: sha256(`${whose}\n${network}`), address: sha256(network) };
  const refuse = (wait: number): never => { throw tooMany("Too many wrong passwords; wait a little.", wait / 1000); };
  const before = await waitOf(auth, keys);
  if (before > 0) refuse(before);
  const right = await isRight();
  const wait = await waitOf(auth, keys);
  if (!right || wait > 0) await Promise.all([keys.pair, keys.address].map((key) => count(auth.attempts, key, auth.world.clock.now())));
  if (wait > 0) refuse(wait);
  if (right) await auth.attempts.removeById(keys.pair);
  return right;
}

/** Drops what is counted no longer. */
export const forgetGuesses = ({ attempts, world }: Auth): Promise<number> => removeInSlices(attempts, { last: { $lte: world.clock.now() - FORGET_MS } }, "last");
