import { setImmediate as nextTurn } from "node:timers/promises";
import { hash, verify } from "@node-rs/argon2";
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** argon2id with OWASP's second recommended setting (19 MiB, 2 passes, 1 lane): about 30 ms of one core. */
const SETTING = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A PHC string to store. */
export const hashPassword = (password: string): Promise<string> => hash(password.normalize("NFKC"), SETTING);

let nobody: Promise<string> | undefined;

/** Whether the password fits; without a hash (nobody has that address) it takes as long and answers no. */
export async function fitsPassword(stored: string | undefined, password: string): Promise<boolean> {
  const fits = await verify(
    stored ?? (await (nobody ??= hashPassword("nobody has this password"))),
    password.normalize("NFKC"),
  );
  return fits && stored !== undefined;
}

/** Ranking the dictionaries takes 20 ms and some megabytes: kept for the next password while nobody wants the room. */
let ranked: WeakRef<ZxcvbnFactory> | undefined;

async function judgeOfPasswords(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Judge }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const known = ranked?.deref();
  if (known) return known;
  // Loading, ranking and judging take a turn of the loop each: others have it in between.
  await nextTurn();
  const judge = new Judge({ dictionary, graphs: adjacencyGraphs });
  ranked = new WeakRef(judge);
  await nextTurn();
  return judge;
}

/**
 * Why a password is too easily guessed, in words; undefined when it will do. The dictionaries are loaded when first
 * asked.
 */
export async function weakness(password: string, about: readonly string[]): Promise<string | undefined> {
  const judge = await judgeOfPasswords();
  const { score, guessesLog10 } = judge.check(password, [...about, "signalmesh"]);
  return score < 2
    ? `It would be guessed after about 10^${Math.floor(guessesLog10)} tries: it is common, or built on what ` +
        "is known of you."
    : undefined;
}
