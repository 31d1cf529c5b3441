import type { ServiceBroker } from "moleculer";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { AuthorityLessened } from "../events.ts";
import { endOf, type ActingRun } from "./gate.ts";

/**
 * A hint announces at once that a run may have lost its authority. Hints can be lost, so the stores are also read this
 * often, once for all the work of a run in a process.
 */
const LOOK_MS = 400;

/** Work was cancelled, since nothing of its run would pass the gate any more. */
export class Withdrawn extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

type Hint = Parameters<(typeof AuthorityLessened)["emit"]>[1] & { userId?: string | undefined };

/** A process's work in progress for one run. */
class Watched {
  readonly #host: Host;
  readonly #run: ActingRun;
  readonly #ends = new Set<(why: Withdrawn) => void>();
  readonly #timer: NodeJS.Timeout;
  #isAsking = false;
  #isAskedAgain = false;

  constructor(host: Host, run: ActingRun) {
    this.#host = host;
    this.#run = run;
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
  }

  enter(end: (why: Withdrawn) => void): void {
    this.#ends.add(end);
  }
  /** Answers whether no work is left. */
  leave(end: (why: Withdrawn) => void): boolean {
    this.#ends.delete(end);
    if (this.#ends.size) return false;
    clearInterval(this.#timer);
    return true;
  }

  /** A read that is already under way may predate this hint. */
  told(hint: Hint): void {
    const { id, agentId, problemSetId, by } = this.#run;
    const concerns = (named: string | undefined, own: string | undefined): boolean =>
      named === undefined || named === own;
    if (!concerns(hint.executionId, id) || !concerns(hint.agentId, agentId)) return;
    if (!concerns(hint.problemSetId, problemSetId) || !concerns(hint.userId, by)) return;
    if (this.#isAsking) this.#isAskedAgain = true;
    else void this.#look();
  }

  async #look(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    do {
      this.#isAskedAgain = false;
      // An unavailable store says nothing about the run.
      const end = await endOf(this.#host, this.#run).catch(() => null);
      if (end) for (const one of this.#ends) one(new Withdrawn(end.code, end.why));
    } while (this.#isAskedAgain && this.#ends.size);
    this.#isAsking = false;
  }
}

const runs = new WeakMap<ServiceBroker, Map<string, Watched>>();

/** Runs may have lost their authority: the work in progress of those concerned is checked now. */
export function lookAgain({ broker }: Pick<Host, "broker">, hint: Hint): void {
  for (const watched of runs.get(broker)?.values() ?? []) watched.told(hint);
}

/**
 * Runs work for a run, and cancels it when the run loses its authority: then it rejects with Withdrawn; work that
 * ignores its signal is abandoned.
 */
export async function underWatch<T>(host: Host, run: ActingRun, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const withdrawn = Promise.withResolvers<never>();
  const end = (why: Withdrawn): void => {
    // Rejected first: the work's own abort error must not be taken for the reason.
    withdrawn.reject(why);
    over.abort(why);
  };
  let here = runs.get(host.broker);
  if (!here) runs.set(host.broker, (here = new Map()));
  let watched = here.get(run.id);
  if (!watched) here.set(run.id, (watched = new Watched(host, run)));
  watched.enter(end);
  try {
    return await Promise.race([work(over.signal), withdrawn.promise]);
  } finally {
    if (watched.leave(end)) here.delete(run.id);
  }
}
