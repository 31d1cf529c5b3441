import { isAway } from "../problem.ts";

/** How often an outage that goes on is told of again. */
const AGAIN_MS = 30_000;
/** More reasons than these in one outage are not told apart. */
const MOST_REASONS = 8;
const MOST_CAUSES = 4;

interface Logger {
  warn(...given: unknown[]): unknown;
  info(...given: unknown[]): unknown;
}

/**
 * Tells of an outage when it begins, of each further reason once, every half minute while it lasts, and when it is
 * over; not of each attempt.
 */
export class OutageLog {
  readonly #logger: Logger;
  readonly #what: string;
  readonly #reasons = new Set<string>();
  readonly #over: string;
  #toldAt = 0;
  #unsaid = 0;

  /** `over`: what is said when it works again. */
  constructor(logger: Logger, what: string, over = "connected again.") {
    this.#logger = logger;
    this.#what = what;
    this.#over = over;
  }

  /** Another attempt failed. */
  failed(why: string): void {
    const now = performance.now(),
      isNew = !this.#reasons.has(why) && this.#reasons.size < MOST_REASONS;
    if (!isNew && now - this.#toldAt < AGAIN_MS) return void this.#unsaid++;
    this.#logger.warn(
      `${this.#what}: ${why}${this.#unsaid ? ` (${this.#unsaid} more attempts failed meanwhile)` : ""}`,
    );
    this.#reasons.add(why);
    this.#toldAt = now;
    this.#unsaid = 0;
  }

  worked(): void {
    if (this.#reasons.size) this.#logger.info(`${this.#what}: ${this.#over}`);
    this.#reasons.clear();
    this.#unsaid = 0;
  }
}

/** An error's words, and those of what it came from, such as the address that refused. */
export function wordsOf(error: unknown): string {
  const words = new Set<string>();
  for (let at = error; at instanceof Error && words.size < MOST_CAUSES; at = at.cause) words.add(at.message);
  return words.size ? [...words].join(" · ") : String(error);
}

interface Failing {
  log: OutageLog;
  /** Who failed for it and has not worked since. */
  whom: Set<string>;
}

/**
 * What fails in the background of a node. One server that is away fails everything that needs it: it is told of once,
 * with its cause, and when the last of them works again; any other error is told of whoever meets it.
 */
export class Outages {
  readonly #logger: Logger & { error(...given: unknown[]): unknown };
  readonly #failing = new Map<string, Failing>();
  readonly #reasons = new Map<string, string>();

  constructor(logger: Logger & { error(...given: unknown[]): unknown }) {
    this.#logger = logger;
  }

  /** `who` tried, and could not. */
  failed(who: string, error: Error): void {
    const reason = isAway(error) ? error.message : `${who}: ${error.message}`;
    if (this.#reasons.get(who) !== reason) this.worked(who);
    const failing = this.#failing.get(reason) ?? { log: this.#logOf(who, error), whom: new Set() };
    this.#failing.set(reason, failing);
    this.#reasons.set(who, reason);
    failing.whom.add(who);
    failing.log.failed(wordsOf(error));
  }

  /** `who` tried, and could. */
  worked(who: string): void {
    const reason = this.#reasons.get(who);
    const failing = reason === undefined ? undefined : this.#failing.get(reason);
    if (reason === undefined || !failing) return;
    this.#reasons.delete(who);
    failing.whom.delete(who);
    if (failing.whom.size) return;
    this.#failing.delete(reason);
    failing.log.worked();
  }

  #logOf(who: string, error: Error): OutageLog {
    if (isAway(error)) return new OutageLog(this.#logger, "Background work", `goes on again. It was: ${error.message}`);
    const { error: say, info } = this.#logger;
    return new OutageLog({ warn: say.bind(this.#logger), info: info.bind(this.#logger) }, who, "works again.");
  }
}

/**
 * From now on this logger's errors that tell of an outage, named by `outageOf` from what a line carries, are told of as
 * outages are, by `OutageLog`.
 */
export function thin(
  logger: Logger & { error(...given: unknown[]): unknown },
  what: string,
  outageOf: (carried: unknown) => string | undefined,
): void {
  const outages = new OutageLog(logger, what),
    say = logger.error.bind(logger);
  logger.error = (...given) => {
    const why = given.map(outageOf).find((found) => found !== undefined);
    return why === undefined ? say(...given) : outages.failed(why);
  };
}
