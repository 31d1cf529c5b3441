import type { ServiceBroker } from "moleculer";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { AuthorityLessened } from "../events.ts";
import { endOf, type ActingRun } from "./gate.ts";

/**
 * A hint says at once that a run may have lost what it acts by; hints can be lost, so that the stores are asked this
 * often beside them, once for all that a process has under way in one run.
 */
const LOOK_MS = 400;

/** What was under way was cut off, since nothing of its run would pass the gate any longer. */
export class Withdrawn extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

type Hint = Parameters<(typeof AuthorityLessened)["emit"]>[1] & { userId?: string | undefined };

/** What a process has under way in one run. */
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
  /** Answers whether nothing is left. */
  leave(end: (why: Withdrawn) => void): boolean {
    this.#ends.delete(end);
    if (this.#ends.size) return false;
    clearInterval(this.#timer);
    return true;
  }

  /** A question that is on its way may have been answered before what is told now. */
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
      // A store that is away says nothing of the run.
      const end = await endOf(this.#host, this.#run).catch(() => null);
      if (end) for (const one of this.#ends) one(new Withdrawn(end.code, end.why));
    } while (this.#isAskedAgain && this.#ends.size);
    this.#isAsking = false;
  }
}

const runs = new WeakMap<ServiceBroker, Map<string, Watched>>();

/** Somebody may have taken away what runs act by: whatever is under way in those that it concerns is looked at now. */
export function lookAgain({ broker }: Pick<Host, "broker">, hint: Hint): void {
  for (const watched of runs.get(broker)?.values() ?? []) watched.told(hint);
}

/**
 * Does something for a run that may take a while, and is told meanwhile when the run may no longer. Rejects with
 * Withdrawn then; work that ignores its signal is left behind.
 */
export async function underWatch<T>(host: Host, run: ActingRun, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const withdrawn = Promise.withResolvers<never>();
  const end = (why: Withdrawn): void => {
    // First: what the work says of its signal is not why it ended.
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
