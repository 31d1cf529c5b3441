import type { IncomingMessage } from "node:http";
import type { Actor } from "../../../core/access/access.ts";
import { unauthenticated } from "../../../core/problem.ts";

/** The caller of a request; undefined without a credential, throws for an invalid one. */
export type Identify = (req: IncomingMessage) => Promise<Actor | undefined>;

/** Admits nobody with outdated access: a lookup that a change of access overtook is repeated. */
export class Admission {
  readonly #identify: Identify;
  /** Users whose change was announced during an admission; one set for each admission under way. */
  readonly #under = new Set<Set<string | undefined>>();

  constructor(identify: Identify) {
    this.#identify = identify;
  }

  /** Announces a change of somebody's access; without a name, of everybody's. */
  changed(userId: string | undefined): void {
    for (const told of this.#under) told.add(userId);
  }

  /** The caller, as of now. Throws 401 for nobody. */
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
