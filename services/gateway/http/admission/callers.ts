import type { IncomingMessage, ServerResponse } from "node:http";
import type { Limiter } from "../../../../adapters/rate-limit/limiter.ts";
import type { Env } from "../../../../config/env.ts";
import { authorize, sameAccess, type Actor, type Permit } from "../../../../core/access/access.ts";
import type { Meta } from "../../../../core/access/caller.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Problem } from "../../../../core/problem.ts";
import { countRequest } from "./rate-limits.ts";

/** Who asks: at once where they are remembered, or nobody. Throws, or rejects with, 401 or 403. */
export type CallerLookup = Promise<Actor | undefined> | Actor | undefined;

export interface CallersParts {
  whoAsks: (req: IncomingMessage) => CallerLookup;
  /** The same, whatever is remembered of them. */
  askAnew: (req: IncomingMessage) => CallerLookup;
  addressOf: (req: IncomingMessage) => string | undefined;
  origin: () => string;
  limiter: Limiter;
  tier: Env["RATE_LIMIT_TIER"];
  clock: Clock;
}

/**
 * Whoever asks the gateway: recognised, counted against their limit, and let in by the permit of what they ask for; at
 * once where nobody has to be asked.
 */
export class Callers {
  readonly #parts: CallersParts;

  constructor(parts: CallersParts) {
    this.#parts = parts;
  }

  /**
   * A refusal, or a denial that something is there, is not given on remembered access alone: what somebody was granted
   * by way of another gateway may not have been heard of here yet. Throws the refusal where they are who they were.
   */
  async grantedSince(error: unknown, req: IncomingMessage, meta: Meta): Promise<Meta> {
    const { code } = error as Problem,
      { actor } = meta;
    if ((code !== 403 && code !== 404) || !actor) throw error;
    const now = await this.#parts.askAnew(req);
    if (!now || sameAccess(actor, now)) throw error;
    return { ...meta, actor: now };
  }

  /** Who asks and from where, counted against their limit; at once where that is known here. Throws 401, 403 or 429. */
  admit(req: IncomingMessage, res: ServerResponse, permit: Permit): Promise<Meta> | Meta {
    let asking: CallerLookup;
    try {
      asking = this.whoAsks(req, permit === "public");
    } catch (error) {
      return this.#nobody(req, res, error);
    }
    if (asking instanceof Promise)
      return asking.then(
        (actor) => this.#counted(actor, req, res, permit),
        (error: unknown) => this.#nobody(req, res, error),
      );
    return this.#counted(asking, req, res, permit);
  }

  /** Who asks, by what is remembered unless `ask` says otherwise. */
  whoAsks(req: IncomingMessage, isOpen: boolean, ask = this.#parts.whoAsks): CallerLookup {
    const asking = ask(req);
    if (!isOpen || !(asking instanceof Promise)) return asking;
    return asking.catch((error: unknown) => {
      // What is open to everybody is open to somebody with an old token too.
      if ((error as Problem).code === 401) return undefined;
      throw error;
    });
  }

  /**
   * A caller with an invalid credential is counted by address, like one without any. Throws 401 or 403, or 429 where
   * they tried too often.
   */
  async #nobody(req: IncomingMessage, res: ServerResponse, error: unknown): Promise<never> {
    await this.count(undefined, req, res);
    throw error;
  }

  #counted(actor: Actor | undefined, req: IncomingMessage, res: ServerResponse, permit: Permit): Promise<Meta> | Meta {
    const counting = this.count(actor, req, res);
    return counting ? counting.then(() => this.#admitted(actor, req, permit)) : this.#admitted(actor, req, permit);
  }

  #admitted(actor: Actor | undefined, req: IncomingMessage, permit: Permit): Promise<Meta> | Meta {
    const meta = this.#metaOf(actor, req);
    try {
      authorize(actor, permit);
      return meta;
    } catch (error) {
      return this.grantedSince(error, req, meta).then((anew) => {
        authorize(anew.actor, permit);
        return anew;
      });
    }
  }

  /** Counts a request against the limit of whoever asks. Throws 429; at once where that is known here. */
  count(actor: Actor | undefined, req: IncomingMessage, res: ServerResponse): Promise<void> | undefined {
    const { limiter, tier, addressOf, clock } = this.#parts;
    return countRequest(limiter, tier, actor, () => addressOf(req), res, clock);
  }

  #metaOf(actor: Actor | undefined, req: IncomingMessage): Meta {
    return {
      actor,
      address: this.#parts.addressOf(req),
      origin: this.#parts.origin(),
      agent: req.headers["user-agent"]?.slice(0, 300),
    };
  }
}
