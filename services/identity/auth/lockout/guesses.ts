import type { Ctx } from "../../../../core/access/caller.ts";
import { clientNetwork } from "../../../../core/access/client-network.ts";
import { SKEW_MS } from "../../../../core/clock.ts";
import { insertOnce } from "../../../../core/records/documents.ts";
import { sha256 } from "../../../../core/ids.ts";
import { tooMany } from "../../../../core/problem.ts";
import { removeInSlices } from "../../../../core/records/keeping/retention.ts";
import { FORGET_MS, waitFor, type Failures } from "./lockout.ts";
import type { Auth } from "../parts.ts";

const KINDS = ["pair", "address"] as const;
type Kind = (typeof KINDS)[number];
type Counted = Record<Kind, string>;
interface Seen {
  failures: Failures | undefined;
  wait: number;
}

/** The failures counted under a key, and the milliseconds that the next guess under it has to wait. */
async function look({ attempts }: Auth, kind: Kind, key: string, now: number): Promise<Seen> {
  const doc = await attempts.findById(key);
  if (!doc) return { failures: undefined, wait: 0 };
  const failures: Failures = { count: doc["count"], last: doc["last"] };
  if (failures.last > now + SKEW_MS) {
    // Noted before the clock was set back: it counts as of now, or nobody could guess before the clock comes there
    // again.
    await attempts.updateMany({ _id: key, ...failures }, { $set: { last: now } });
    failures.last = now;
  }
  return { failures, wait: waitFor(kind, failures, now) };
}

async function waitOf(auth: Auth, keys: Counted): Promise<number> {
  const now = auth.world.clock.now();
  return Math.max(
    ...(await Promise.all(KINDS.map((kind) => look(auth, kind, keys[kind], now)))).map(({ wait }) => wait),
  );
}

/**
 * Counts one failure and answers the milliseconds that it should have waited for. It is counted on top of what was
 * seen, or sees anew: of those at once each has its place in one order. What comes too late anyway is told nothing, and
 * need not be in order.
 */
async function count(auth: Auth, kind: Kind, _id: string): Promise<number> {
  const { attempts, world } = auth;
  for (;;) {
    const now = world.clock.now();
    const { failures, wait } = await look(auth, kind, _id, now);
    if (!failures) {
      if (await insertOnce(attempts, { _id, count: 1, last: now })) return wait;
    } else if (wait > 0) {
      if (await attempts.updateMany({ _id }, { $inc: { count: 1 }, $set: { last: now } })) return wait;
    } else {
      const before = now - failures.last < FORGET_MS ? failures.count : 0;
      if (await attempts.updateMany({ _id, ...failures }, { $set: { count: before + 1, last: now } })) return wait;
    }
  }
}

/**
 * Takes the place of a guess that is right: answers 0 and forgets the failures before it, or the milliseconds that it
 * should have waited for.
 */
async function settle(auth: Auth, keys: Counted): Promise<number> {
  for (;;) {
    const now = auth.world.clock.now();
    const [pair, address] = await Promise.all([
      look(auth, "pair", keys.pair, now),
      look(auth, "address", keys.address, now),
    ]);
    const wait = Math.max(pair.wait, address.wait);
    if (wait > 0 || !pair.failures || (await auth.attempts.removeMany({ _id: keys.pair, ...pair.failures })))
      return wait;
  }
}

/**
 * Lets a secret of `whose` be guessed at from where this request comes, as often as lock-out allows. Of many guesses
 * under way at once no more are heard than one by one: when the answer is known the guess takes its place among the
 * others, and one that may not be told answers 429 whether it was right or not. Throws 429.
 */
export async function guess(
  auth: Auth,
  ctx: Ctx<unknown>,
  whose: string,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const network = clientNetwork(ctx.meta.address);
  const keys = { pair: sha256(`${whose}\n${network}`), address: sha256(network) };
  const refuse = (wait: number): never => {
    throw tooMany("Too many wrong passwords; wait a little.", wait / 1000);
  };
  const before = await waitOf(auth, keys);
  if (before > 0) refuse(before);
  const right = await isRight();
  const early = right ? await settle(auth, keys) : 0;
  if (right && early === 0) return true;
  // One after the other: the order of two at once would be chance, and with a count that is begun another than with one
  // that goes on.
  const wait = Math.max(early, await count(auth, "pair", keys.pair), await count(auth, "address", keys.address));
  if (wait > 0) refuse(wait);
  return false;
}

/** Removes counts that have expired. */
export const forgetGuesses = ({ attempts, world }: Auth): Promise<number> =>
  removeInSlices(attempts, { last: { $lte: world.clock.now() - FORGET_MS } }, "last");
