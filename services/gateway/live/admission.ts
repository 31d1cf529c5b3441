import type { IncomingMessage } from "node:http";
import type { Actor } from "../../../core/access/access.ts";
import { unauthenticated } from "../../../core/problem.ts";

/** Who a request comes from; undefined without a credential, throws for one that is nobody's. */
export type Identify = (req: IncomingMessage) => Promise<Actor | undefined>;

/** Lets nobody in as whom they were: an answer that a change of access overtook on its way is asked for again. */
export class Admission {
  readonly #identify: Identify;
  /** Users of whom a change was told while somebody was being let in; one set for each such admission. */
  readonly #under = new Set<Set<string | undefined>>();

  constructor(identify: Identify) {
    this.#identify = identify;
  }

  /** Somebody's access changed; everybody's, without a name. */
  changed(userId: string | undefined): void {
    for (const told of this.#under) told.add(userId);
  }

  /** Who asks to be let in, as of now. Throws 401 for nobody. */
  async actorOf(request: IncomingMessage): Promise<Actor> {
    const told = new Set<string | undefined>();
    this.#under.add(told);
    try {
      for (;;) {
        told.clear();
        const actor = await this.#identify(request);
        if (!actor) throw unauthenticated();
        if (!told.has(actor.userId) && !told.has(undefined)) return actor;
      }
    } finally {
      this.#under.delete(told);
    }
  }
}
