import type { Host } from "../../../../core/contract/endpoint.ts";
import { liveTogether } from "../../../../core/contract/live.ts";
import { ArticlesArrived, type Arrived } from "../events.ts";

/** After the first of them came in, so that a round of feeds costs one message. */
const TELL_AFTER_MS = 1_000;
/** Sources that one message names. */
const MOST_SOURCES = 100;

/** Tells whoever looks on that articles came in: all that are stored here within a second as one hint. */
export class ArrivalBroadcast {
  readonly #host: Host;
  readonly #waiting = new Map<number, Arrived>();
  #timer: NodeJS.Timeout | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  note(source: { id: number; domain: Arrived["domain"] }, created: number): void {
    if (!created) return;
    const known = this.#waiting.get(source.id)?.created ?? 0;
    this.#waiting.set(source.id, { sourceId: source.id, domain: source.domain, created: known + created });
    this.#timer ??= setTimeout(() => this.#tell(), TELL_AFTER_MS).unref();
  }

  #tell(): void {
    const sources = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#timer = undefined;
    const data = {
      created: sources.reduce((sum, { created }) => sum + created, 0),
      sources: sources.slice(0, MOST_SOURCES),
    };
    // Articles are the same in training and in operations.
    const modes = [false, true].map((training) => ({
      event: ArticlesArrived,
      to: { topic: "articles", training },
      data,
    }));
    liveTogether(this.#host, modes).catch((error: Error) =>
      this.#host.logger.warn(`That articles came in was not told: ${error.message}`),
    );
  }
}
