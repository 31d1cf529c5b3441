import type { ServiceBroker } from "moleculer";
import { liveTogether, type Telling } from "../contract/live.ts";
import type { Entity, Item } from "../records/entity.ts";

/** What pages that show records of an entity are told when one is made, changed or removed, whoever writes it. */
export interface Showing {
  entity: Entity;
  /** Whom a record concerns, by what it is now, or was before. */
  tell(record: any): readonly Telling<any>[];
}
export const showing = <E extends Entity>(entity: E, tell: (record: Item<E>) => readonly Telling<any>[]): Showing => ({
  entity,
  tell,
});

/** Records that are written one after another, as by a report of hundreds, cost one message for each audience. */
const TELL_AFTER_MS = 100;

interface Teller {
  broker: ServiceBroker;
  logger: { warn(message: string): void };
}

/** Tells open pages of the records that this process writes; hints, as all live events. */
export class RecordBroadcast {
  readonly #host: Teller;
  readonly #waiting = new Map<string, Telling<any>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(host: Teller) {
    this.#host = host;
  }

  note(tellings: readonly Telling<any>[]): void {
    for (const one of tellings) this.#waiting.set(JSON.stringify([one.event.name, one.to, one.data]), one);
    if (this.#waiting.size) this.#timer ??= setTimeout(() => void this.#tell(), TELL_AFTER_MS).unref();
  }

  /** Tells what is still to be told. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#tell();
  }

  async #tell(): Promise<void> {
    const tellings = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#timer = undefined;
    await liveTogether(this.#host, tellings).catch((error: Error) =>
      this.#host.logger.warn(`That records changed was not told: ${error.message}`),
    );
  }
}
