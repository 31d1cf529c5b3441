/** How often an outage that goes on is told of again. */
const AGAIN_MS = 30_000;

/** Tells of an outage when it begins, every half minute while it lasts, and when it is over; not of each attempt in between. */
export class OutageLog {
  readonly #logger: { warn(line: string): void; info(line: string): void };
  readonly #what: string;
  #told: { why: string; at: number; unsaid: number } | undefined;

  constructor(logger: { warn(line: string): void; info(line: string): void }, what: string) {
    this.#logger = logger;
    this.#what = what;
  }

  /** Another attempt failed. */
  failed(why: string): void {
    const now = performance.now(), told = this.#told;
    if (told && told.why === why && now - told.at < AGAIN_MS) return void told.unsaid++;
    this.#logger.warn(`${this.#what}: ${why}${told?.unsaid ? ` (${told.unsaid} more attempts failed meanwhile)` : ""}`);
    this.#told = { why, at: now, unsaid: 0 };
  }

  worked(): void {
    if (this.#told) this.#logger.info(`${this.#what}: connected again.`);
    this.#told = undefined;
  }
}
