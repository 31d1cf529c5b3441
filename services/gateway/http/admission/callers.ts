import type { IncomingMessage, ServerResponse } from "node:http";
import type { Limiter } from "../../../../adapters/rate-limit/limiter.ts";
import { authorize, sameAccess, type Actor, type Permit } from "../../../../core/access/access.ts";
import type { Meta } from "../../../../core/access/caller.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Problem } from "../../../../core/problem.ts";
import { countRequest, type RateLimits } from "./rate-limits.ts";

/** The caller: synchronous where cached or anonymous. Throws, or rejects with, 401 or 403. */
export type CallerLookup = Promise<Actor | undefined> | Actor | undefined;

export interface CallersParts {
  whoAsks: (req: IncomingMessage) => CallerLookup;
  /** The same without the cache. */
  askAnew: (req: IncomingMessage) => CallerLookup;
  /** A hash of the credential that a request carries; undefined without one. */
  credentialMark: (req: IncomingMessage) => string | undefined;
  addressOf: (req: IncomingMessage) => string | undefined;
  origin: () => string;
  limiter: Limiter;
  limits: RateLimits;
  clock: Clock;
}

/**
 * Identifies callers, counts them against their limit, and checks the permit of what they ask for; synchronous where
 * nothing has to be looked up.
 */
export class Callers {
  readonly #parts: CallersParts;

  constructor(parts: CallersParts) {
    this.#parts = parts;
  }

  /**
   * A refusal, or a 404, is not given on cached access alone: this gateway may not have heard yet what another one
   * granted. Throws the refusal where the access is unchanged.
   */
  async grantedSince(error: unknown, req: IncomingMessage, meta: Meta): Promise<Meta> {
    const { code } = error as Problem,
      { actor } = meta;
    if ((code !== 403 && code !== 404) || !actor) throw error;
    const now = await this.#parts.askAnew(req);
    if (!now || sameAccess(actor, now)) throw error;
    return { ...meta, actor: now };
  }

  /**
   * The caller and their address, counted against their limit; synchronous where both are known here. Throws 401, 403
   * or 429.
   */
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

  /**
   * For what ends the caller's credential: a repetition under an Idempotency-Key goes on without a caller, for the
   * action to find what the first was told, by the credential's mark. Rejects as the admission does otherwise.
   */
  async orEnded(req: IncomingMessage, admission: Promise<Meta> | Meta): Promise<Meta> {
    const credentialMark = this.#parts.credentialMark(req);
    try {
      return { ...(await admission), credentialMark };
    } catch (error) {
      const isRepeated = req.headers["idempotency-key"] !== undefined && credentialMark !== undefined;
      if ((error as Problem).code !== 401 || !isRepeated) throw error;
      return { ...this.#metaOf(undefined, req), credentialMark };
    }
  }

  /** The caller, from the cache unless `ask` says otherwise. */
  whoAsks(req: IncomingMessage, isOpen: boolean, ask = this.#parts.whoAsks): CallerLookup {
    const asking = ask(req);
    if (!isOpen || !(asking instanceof Promise)) return asking;
    return asking.catch((error: unknown) => {
      // A public endpoint also serves callers with an expired token.
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

  /** Counts a request against the caller's limit. Throws 429; synchronous where the count is known here. */
  count(actor: Actor | undefined, req: IncomingMessage, res: ServerResponse): Promise<void> | undefined {
    const { limiter, limits, addressOf, clock } = this.#parts;
    return countRequest(limiter, limits, actor, () => addressOf(req), res, clock);
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
