import { hash, verify } from "@node-rs/argon2";
import { Thread, workerBeside } from "../core/work/thread.ts";

/** argon2id with OWASP's second recommended setting (19 MiB, 2 passes, 1 lane): about 30 ms of one core. */
const SETTING = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A PHC string to store. */
export const hashPassword = (password: string): Promise<string> => hash(password.normalize("NFKC"), SETTING);

let nobody: Promise<string> | undefined;

/** Whether the password is right; without a hash (unknown address) it takes as long and answers no. */
export async function fitsPassword(stored: string | undefined, password: string): Promise<boolean> {
  const fits = await verify(
    stored ?? (await (nobody ??= hashPassword("nobody has this password"))),
    password.normalize("NFKC"),
  );
  return fits && stored !== undefined;
}

/** A password, and words that somebody who knows its owner would try first. */
export interface Guess {
  password: string;
  about: readonly string[];
}
/** Its strength, from 0 to 4, and the power of ten of the tries needed to guess it (zxcvbn). */
export interface Guessed {
  score: number;
  guessesLog10: number;
}

/** Ranking the dictionaries takes 70 ms, and a long password that imitates many words up to 300. */
const judges = new Thread<Guess, Guessed>(
  workerBeside(import.meta.url, "./password-worker.ts", "./password-worker.mjs"),
);

/**
 * Why a password is too easily guessed, in words; undefined for a good one. The dictionaries are loaded on first use,
 * in a separate thread.
 */
export async function weakness(password: string, about: readonly string[]): Promise<string | undefined> {
  const { score, guessesLog10 } = await judges.ask({ password, about: [...about, "signalmesh"] });
  return score < 2
    ? `It would be guessed after about 10^${Math.floor(guessesLog10)} tries: it is common, or built on what ` +
        "is known of you."
    : undefined;
}
