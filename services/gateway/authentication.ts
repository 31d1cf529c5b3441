import type { IncomingMessage } from "node:http";
import { Passport } from "passport";
import { Strategy } from "passport-strategy";
import { permitsOf } from "../../config/roles.ts";
import type { Actor } from "../../core/access/access.ts";
import { steadily, type Clock } from "../../core/clock.ts";
import { sha256 } from "../../core/ids.ts";
import { cookieName, isLoopback } from "../../core/access/origin.ts";
import { forbidden, unauthenticated, type Problem } from "../../core/problem.ts";

export type CredentialKind = "bearer" | "key" | "session";
/**
 * Asks the mesh whose credential this is; null where it is nobody's, or no longer valid. Throws where the request
 * claims a DID that is not the holder's.
 */
export type Identify = (kind: CredentialKind, credential: string, req: IncomingMessage) => Promise<Actor | null>;

export interface Authentication {
  identify: Identify;
  /** Looks a key up again soon, together with others. */
  renew: (key: string) => Promise<Actor | null>;
  cache: ActorCache;
  /** The gateway's own origin; known once it listens. */
  origin: () => string;
  /** Whether `origin` comes from the settings rather than from the listening address. */
  named: boolean;
}

/** Actors are looked up again after this long, even if nobody announced a change. */
const KEEP_MS = 10_000;
/** Keys in use are looked up before `KEEP_MS`, many in one call, so that no request has to wait. */
const RENEWED_MS = 7_000;
const MOST_KEPT = 20_000;

/** When a lookup began, and how many changes had been announced by then: the answer is at least that recent. */
interface Stamp {
  count: number;
  at: number;
  steadyAt: number;
}

interface Kept {
  kind: CredentialKind;
  actor: Actor;
  at: number;
  steadyAt: number;
  isRenewed: boolean;
}

/**
 * Caches the actor of each credential for a short time; is told when an account, a membership or a credential changes.
 */
export class ActorCache {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  /** The credentials of each user, so that forgetting one user does not touch others. */
  readonly #byUser = new Map<string, Set<string>>();
  /** The number of each user's last announced change; changes below `#floor` are no longer kept by user. */
  readonly #told = new Map<string, number>();
  #floor = 0;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The actor of a credential of this kind: the same text of another kind is another credential. `renew` is called once
   * when the entry will soon expire.
   */
  get(kind: CredentialKind, credential: string, renew?: (credential: string, stamp: Stamp) => void): Actor | undefined {
    const entry = this.#kept.get(credential);
    if (entry?.kind !== kind) return undefined;
    // The larger of two ages: the wall clock can be set back, and the steady one stops while the machine sleeps.
    const age = Math.max(this.#clock.now() - entry.at, steadily(this.#clock) - entry.steadyAt);
    if (age >= KEEP_MS) return undefined;
    if (renew && age >= RENEWED_MS && !entry.isRenewed) {
      entry.isRenewed = true;
      renew(credential, this.stamp);
    }
    return entry.actor;
  }

  /** Take it before asking the mesh, and pass it to `set` with the answer. */
  get stamp(): Stamp {
    return { count: this.#count, at: this.#clock.now(), steadyAt: steadily(this.#clock) };
  }

  /** Keeps an answer, unless its user changed after the stamp was taken: then the answer may already be outdated. */
  set(kind: CredentialKind, credential: string, actor: Actor, { count, at, steadyAt }: Stamp): void {
    if (count < Math.max(this.#floor, this.#told.get(actor.userId) ?? 0)) return;
    if (this.#kept.size >= MOST_KEPT) this.drop(this.#kept.keys().next().value!);
    this.drop(credential);
    this.#kept.set(credential, { kind, actor, at, steadyAt, isRenewed: false });
    const own = this.#byUser.get(actor.userId);
    if (own) own.add(credential);
    else this.#byUser.set(actor.userId, new Set([credential]));
  }

  /** Forgets one credential; its next request is looked up. */
  drop(credential: string): void {
    const entry = this.#kept.get(credential);
    if (!entry) return;
    this.#kept.delete(credential);
    const own = this.#byUser.get(entry.actor.userId)!;
    own.delete(credential);
    if (!own.size) this.#byUser.delete(entry.actor.userId);
  }

  /** Forgets the credentials of these users, or of everybody; answers how many. */
  dropUsers(fits: (userId: string) => boolean = () => true): number {
    const before = this.#kept.size;
    for (const userId of [...this.#byUser.keys()].filter(fits)) this.forget(userId);
    return before - this.#kept.size;
  }

  /** Forgets one user's credentials, or everybody's. */
  forget(userId?: string): void {
    this.#count++;
    if (userId === undefined || this.#told.size >= MOST_KEPT) {
      this.#floor = this.#count;
      this.#told.clear();
    }
    if (userId === undefined) {
      this.#kept.clear();
      this.#byUser.clear();
      return;
    }
    this.#told.set(userId, this.#count);
    for (const credential of this.#byUser.get(userId) ?? []) this.drop(credential);
  }
}

type CookieName = ReturnType<typeof cookieName>;

/** The session cookie's name, computed once: the origin does not change after the first request. */
function cookieOf({ origin }: Authentication): () => CookieName {
  let name: CookieName | undefined;
  return () => (name ??= cookieName(origin()));
}

const COOKIES: Record<CookieName, RegExp> = {
  "__Host-sid": /(?:^|;\s*)__Host-sid=([^;]+)/,
  sid: /(?:^|;\s*)sid=([^;]+)/,
};

/**
 * The credential that a request carries. A header wins over the cookie, because browsers send cookies by themselves.
 * Only the cookie with this origin's name counts: a neighbouring site could plant a plain `sid`.
 */
export function credentialOf(
  req: IncomingMessage,
  name: () => CookieName,
): { kind: CredentialKind; credential: string } | undefined {
  const { authorization, cookie, "x-api-key": key } = req.headers;
  if (authorization?.slice(0, 7).toLowerCase() === "bearer ")
    return { kind: "bearer", credential: authorization.slice(7).trim() };
  if (typeof key === "string" && key) return { kind: "key", credential: key };
  const sid = cookie && COOKIES[name()].exec(cookie)?.[1];
  return sid ? { kind: "session", credential: sid } : undefined;
}

/** What stands for a request's credential where its text must not: a hash. Undefined without a credential. */
export function credentialMarker(authentication: Authentication): (req: IncomingMessage) => string | undefined {
  const cookie = cookieOf(authentication);
  return (req) => {
    const found = credentialOf(req, cookie);
    return found && sha256(`credential\n${found.kind}\n${found.credential}`);
  };
}

/**
 * The key of the cache: the same credential under another DID is another actor. Usually the header's own text: joining
 * a long token anew would cost as much as looking it up.
 */
const keptAs = (credential: string, { headers: { "x-did": did } }: IncomingMessage): string =>
  did === undefined ? credential : `${credential}\n${did as string}`;

/** A passport strategy for one kind of credential: the mesh decides, and its answer is cached. */
class CredentialStrategy extends Strategy {
  name: CredentialKind;
  // Plain fields: passport runs each request on an object derived from this one, which has no access to private
  // fields.
  readonly identify: Identify;
  readonly cache: ActorCache;
  readonly cookie: () => CookieName;

  constructor(kind: CredentialKind, authentication: Authentication) {
    super();
    this.name = kind;
    this.identify = authentication.identify;
    this.cache = authentication.cache;
    this.cookie = cookieOf(authentication);
  }

  override authenticate(req: any): void {
    const { credential } = credentialOf(req, this.cookie)!;
    const key = keptAs(credential, req);
    const { stamp } = this.cache;
    this.identify(this.name as CredentialKind, credential, req).then(
      (actor): void => {
        if (actor) {
          this.cache.set(this.name, key, actor, stamp);
          this.success(actor);
        } else this.fail("unknown", 401);
        return;
      },
      (error: Error) => this.error(error),
    );
  }
}

const UNSAFE = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * Browsers send the cookie from any site: an unsafe request with a cookie must come from this site (Fetch Metadata,
 * else Origin).
 */
function refuseForgery(
  req: IncomingMessage,
  actor: Actor,
  { origin, named }: Pick<Authentication, "origin" | "named">,
): Problem | undefined {
  if (actor.via !== "session" || !UNSAFE.has(req.method!)) return undefined;
  const site = req.headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return undefined;
  const given = req.headers["origin"];
  const ours =
    given !== undefined &&
    URL.canParse(given) &&
    (new URL(given).origin === origin() || (!named && new URL(given).host === req.headers.host));
  if (site === undefined && ours) return undefined;
  return forbidden("A request under a session cookie must come from this site.");
}

/**
 * Whether a socket is opened by a page of this site, or by no page at all: browsers name the origin of every WebSocket
 * (RFC 6455 §10.2).
 */
export function fromHere(req: IncomingMessage, { origin, named }: Pick<Authentication, "origin" | "named">): boolean {
  const { origin: given, "sec-fetch-site": site } = req.headers;
  if (given === undefined) return site === undefined || site === "same-origin" || site === "none";
  return (
    URL.canParse(given) && (new URL(given).origin === origin() || (!named && new URL(given).host === req.headers.host))
  );
}

const LOCAL_ADMIN: Actor = {
  userId: "local",
  roles: ["system_admin"],
  via: "off",
  permits: permitsOf(["system_admin"]),
};

/**
 * With `AUTH=off` anybody who reaches the machine is let in, except foreign pages in a browser on this machine: neither
 * under their own host name nor under one that resolves to this machine.
 */
export function localAdmin(origin: () => string): (req: IncomingMessage) => Actor {
  return (req) => {
    const { host = "" } = req.headers;
    const named = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
    if (!isLoopback(named) || !fromHere(req, { origin, named: false }))
      throw forbidden("With AUTH=off, requests come from this machine and its own pages alone.");
    return LOCAL_ADMIN;
  };
}

/** The caller, looked up without the cache. */
export function askingAnew(authentication: Authentication, whoAsks: ReturnType<typeof authenticator>): typeof whoAsks {
  const cookie = cookieOf(authentication);
  return (req) => {
    const found = credentialOf(req, cookie);
    if (found) authentication.cache.drop(keptAs(found.credential, req));
    return whoAsks(req);
  };
}

/**
 * The caller, by passport: undefined without a credential; throws 401 for an invalid one. Answers synchronously from
 * the cache: one more promise is measurable in a cheap request.
 */
export function authenticator(
  authentication: Authentication,
): (req: IncomingMessage) => Promise<Actor | undefined> | Actor | undefined {
  const passport = new Passport();
  for (const kind of ["bearer", "key", "session"] as const)
    passport.use(kind, new CredentialStrategy(kind, authentication));
  const cookie = cookieOf(authentication);
  const { cache } = authentication;
  /** An error here is not reported: the next request without a cached entry meets it, and answers with it. */
  const renew = (key: string, stamp: Stamp): void =>
    void authentication.renew(key).then(
      (actor) => (actor ? cache.set("key", key, actor, stamp) : cache.drop(key)),
      () => {},
    );
  return (req) => {
    const found = credentialOf(req, cookie);
    if (!found) return undefined;
    const { kind, credential } = found,
      name = keptAs(credential, req);
    // A cached caller needs no strategy: passport costs a tenth of a cheap request.
    const known = cache.get(kind, name, kind === "key" && name === credential ? renew : undefined);
    if (known) {
      const forgery = refuseForgery(req, known, authentication);
      if (forgery) throw forgery;
      return known;
    }
    return new Promise((resolve, reject) => {
      const done = (error: unknown, actor?: Actor | false | null): void => {
        if (error) return reject(error as Error);
        if (!actor) return reject(unauthenticated("The credential is not valid, or no longer."));
        const forgery = refuseForgery(req, actor, authentication);
        if (forgery) reject(forgery);
        else resolve(actor);
      };
      passport.authenticate(found.kind, { session: false }, done as never)(req as never, {} as never, reject);
    });
  };
}
