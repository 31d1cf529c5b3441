import type { IncomingMessage, ServerResponse } from "node:http";
import { Passport } from "passport";
import { Strategy } from "passport-strategy";
import type { Actor } from "../../core/access.ts";
import { forbidden, unauthenticated, type Problem } from "../../core/problem.ts";

export type CredentialKind = "bearer" | "key" | "session";
/** Asks the mesh whose credential this is; null when it is nobody's (any longer). */
export type Identify = (kind: CredentialKind, credential: string, req: IncomingMessage) => Promise<Actor | null>;

/** Actors are asked for again after this long even when nobody says that they changed. */
const KEEP_MS = 10_000;
const MOST_KEPT = 20_000;

/** Remembers whose a credential is for a short while; told when an account, a membership or a credential changes. */
export class ActorCache {
  readonly #kept = new Map<string, { actor: Actor; until: number }>();

  get(credential: string): Actor | undefined {
    const entry = this.#kept.get(credential);
    return entry && entry.until > Date.now() ? entry.actor : undefined;
  }

  set(credential: string, actor: Actor): void {
    if (this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(credential, { actor, until: Date.now() + KEEP_MS });
  }

  /** Forgets one user's credentials, or everybody's. */
  forget(userId?: string): void {
    if (userId === undefined) return this.#kept.clear();
    for (const [credential, { actor }] of this.#kept) if (actor.userId === userId) this.#kept.delete(credential);
  }
}

const COOKIE = /(?:^|;\s*)(?:__Host-sid|sid)=([^;]+)/;

/** Which credential a request carries: a header wins over the cookie, because a browser sends the cookie by itself. */
export function credentialOf(req: IncomingMessage): { kind: CredentialKind; credential: string } | undefined {
  const { authorization, cookie, "x-api-key": key } = req.headers;
  if (authorization?.slice(0, 7).toLowerCase() === "bearer ") return { kind: "bearer", credential: authorization.slice(7).trim() };
  if (typeof key === "string" && key) return { kind: "key", credential: key };
  const sid = cookie && COOKIE.exec(cookie)?.[1];
  return sid ? { kind: "session", credential: sid } : undefined;
}

/** A passport strategy for one kind of credential: the mesh decides, the cache spares asking twice. */
class CredentialStrategy extends Strategy {
  name: CredentialKind;
  // Plain fields: passport runs each request on an object made from this one, which private fields do not reach.
  readonly identify: Identify;
  readonly cache: ActorCache;

  constructor(kind: CredentialKind, identify: Identify, cache: ActorCache) {
    super();
    this.name = kind;
    this.identify = identify;
    this.cache = cache;
  }

  override authenticate(req: any): void {
    const { credential } = credentialOf(req)!;
    const known = this.cache.get(`${this.name} ${credential}`);
    if (known) return this.success(known);
    this.identify(this.name as CredentialKind, credential, req).then(
      (actor): void => {
        if (actor) {
          this.cache.set(`${this.name} ${credential}`, actor);
          this.success(actor);
        } else this.fail("unknown", 401);
        return;
      },
      (error: Error) => this.error(error),
    );
  }
}

const UNSAFE = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** A browser sends the cookie from any site: an unsafe request under it must come from this one (Fetch Metadata, else Origin). */
export function refuseForgery(req: IncomingMessage, actor: Actor): Problem | undefined {
  if (actor.via !== "session" || !UNSAFE.has(req.method!)) return undefined;
  const site = req.headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return undefined;
  const origin = req.headers["origin"];
  if (site === undefined && origin !== undefined && URL.canParse(origin) && new URL(origin).host === req.headers.host) return undefined;
  return forbidden("A request under a session cookie must come from this site.");
}

/** Who is asking, by passport: undefined without a credential; throws 401 for one that is nobody's. */
export function authenticator(identify: Identify, cache: ActorCache): (req: IncomingMessage, res: ServerResponse) => Promise<Actor | undefined> {
  const passport = new Passport();
  for (const kind of ["bearer", "key", "session"] as const) passport.use(kind, new CredentialStrategy(kind, identify, cache));
  return (req, res) => {
    const found = credentialOf(req);
    if (!found) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const done = (error: unknown, actor?: Actor | false | null): void => {
        if (error) return reject(error as Error);
        if (!actor) return reject(unauthenticated("The credential is not valid, or no longer."));
        const forgery = refuseForgery(req, actor);
        if (forgery) reject(forgery);
        else resolve(actor);
      };
      passport.authenticate(found.kind, { session: false }, done as never)(req as never, res as never, reject);
    });
  };
}
