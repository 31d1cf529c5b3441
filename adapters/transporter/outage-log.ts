/** How often an outage that goes on is logged again. */
const AGAIN_MS = 30_000;
/** More reasons than these in one outage are not told apart. */
const MOST_REASONS = 8;

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
  #toldAt = 0;
  #unsaid = 0;

  constructor(logger: Logger, what: string) {
    this.#logger = logger;
    this.#what = what;
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
    if (this.#reasons.size) this.#logger.info(`${this.#what}: connected again.`);
    this.#reasons.clear();
    this.#unsaid = 0;
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
