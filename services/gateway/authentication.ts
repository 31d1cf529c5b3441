import type { IncomingMessage } from "node:http";
import { Passport } from "passport";
import { Strategy } from "passport-strategy";
import { permitsOf } from "../../config/roles.ts";
import type { Actor } from "../../core/access/access.ts";
import { steadily, type Clock } from "../../core/clock.ts";
import { cookieName, isLoopback } from "../../core/access/origin.ts";
import { forbidden, unauthenticated, type Problem } from "../../core/problem.ts";

export type CredentialKind = "bearer" | "key" | "session";
/**
 * Asks the mesh whose credential this is; null when it is nobody's (any longer). Throws where the DID that the request
 * claims is not theirs.
 */
export type Identify = (kind: CredentialKind, credential: string, req: IncomingMessage) => Promise<Actor | null>;

export interface Authentication {
  identify: Identify;
  /** Asks once more whose a key is, some time soon and beside others. */
  renew: (key: string) => Promise<Actor | null>;
  cache: ActorCache;
  /** The gateway's own origin; known once it listens. */
  origin: () => string;
  /** Whether `origin` comes from the settings, rather than from the address listened on. */
  named: boolean;
}

/** Actors are asked for again after this long even when nobody says that they changed. */
const KEEP_MS = 10_000;
/** Keys that are in use are asked for before that, many in one question, so that no request waits for it. */
const RENEWED_MS = 7_000;
const MOST_KEPT = 20_000;

/** When an answer was asked for, and after how many changes told of: it is no younger than that. */
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

/** Remembers whose a credential is for a short while; told when an account, a membership or a credential changes. */
export class ActorCache {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  /** Whose credentials are kept, so that forgetting one user touches nobody else's. */
  readonly #byUser = new Map<string, Set<string>>();
  /** When each user was last told of, as a running number; those before `#floor` are no longer told apart. */
  readonly #told = new Map<string, number>();
  #floor = 0;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The same text as another kind of credential is not the same credential. `renew` is called once where it will have to
   * be asked for soon.
   */
  get(kind: CredentialKind, credential: string, renew?: (credential: string, stamp: Stamp) => void): Actor | undefined {
    const entry = this.#kept.get(credential);
    if (entry?.kind !== kind) return undefined;
    // Whichever clock says more: one can be set back, the other stops while the machine sleeps.
    const age = Math.max(this.#clock.now() - entry.at, steadily(this.#clock) - entry.steadyAt);
    if (age >= KEEP_MS) return undefined;
    if (renew && age >= RENEWED_MS && !entry.isRenewed) {
      entry.isRenewed = true;
      renew(credential, this.stamp);
    }
    return entry.actor;
  }

  /** To be taken before the mesh is asked, and given to `set` with its answer. */
  get stamp(): Stamp {
    return { count: this.#count, at: this.#clock.now(), steadyAt: steadily(this.#clock) };
  }

  /**
   * Keeps an answer, unless something changed about its user after the stamp was taken: it may have been overtaken on
   * its way.
   */
  set(kind: CredentialKind, credential: string, actor: Actor, { count, at, steadyAt }: Stamp): void {
    if (count < Math.max(this.#floor, this.#told.get(actor.userId) ?? 0)) return;
    if (this.#kept.size >= MOST_KEPT) this.drop(this.#kept.keys().next().value!);
    this.drop(credential);
    this.#kept.set(credential, { kind, actor, at, steadyAt, isRenewed: false });
    const own = this.#byUser.get(actor.userId);
    if (own) own.add(credential);
    else this.#byUser.set(actor.userId, new Set([credential]));
  }

  /** Forgets one credential; whoever asks by it is asked for. */
  drop(credential: string): void {
    const entry = this.#kept.get(credential);
    if (!entry) return;
    this.#kept.delete(credential);
    const own = this.#byUser.get(entry.actor.userId)!;
    own.delete(credential);
    if (!own.size) this.#byUser.delete(entry.actor.userId);
  }

  /** Forgets the credentials of those users, or everybody's; answers how many. */
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

/** The session cookie's name, worked out once: the origin stays what it was when the first request came. */
function cookieOf({ origin }: Authentication): () => CookieName {
  let name: CookieName | undefined;
  return () => (name ??= cookieName(origin()));
}

const COOKIES: Record<CookieName, RegExp> = {
  "__Host-sid": /(?:^|;\s*)__Host-sid=([^;]+)/,
  sid: /(?:^|;\s*)sid=([^;]+)/,
};

/**
 * Which credential a request carries: a header wins over the cookie, because a browser sends the cookie by itself. Only
 * the cookie of this origin's name counts: a plain `sid` could be planted from a neighbouring site.
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

/**
 * Under which name an actor is remembered: the same credential under another DID is another actor. Mostly the header's
 * own text: to put a long token together anew costs as much as to look it up.
 */
const keptAs = (credential: string, { headers: { "x-did": did } }: IncomingMessage): string =>
  did === undefined ? credential : `${credential}\n${did as string}`;

/** A passport strategy for one kind of credential: the mesh decides, and what it said is remembered. */
class CredentialStrategy extends Strategy {
  name: CredentialKind;
  // Plain fields: passport runs each request on an object made from this one, which private fields do not reach.
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
 * A browser sends the cookie from any site: an unsafe request under it must come from this one (Fetch Metadata, else
 * Origin).
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
 * Whether a page of this site, or no page at all, opens a socket: browsers name the origin of every WebSocket (RFC 6455
 * §10.2).
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
 * With `AUTH=off` whoever reaches the machine is let in, but no page of another site that this machine's browser shows:
 * neither by its own name, nor by one that it leads here.
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

/** Who is asking, whatever is remembered of them. */
export function askingAnew(authentication: Authentication, whoAsks: ReturnType<typeof authenticator>): typeof whoAsks {
  const cookie = cookieOf(authentication);
  return (req) => {
    const found = credentialOf(req, cookie);
    if (found) authentication.cache.drop(keptAs(found.credential, req));
    return whoAsks(req);
  };
}

/**
 * Who is asking, by passport: undefined without a credential; throws 401 for one that is nobody's. At once where there
 * is nobody to be asked: a promise more is felt in a cheap request.
 */
export function authenticator(
  authentication: Authentication,
): (req: IncomingMessage) => Promise<Actor | undefined> | Actor | undefined {
  const passport = new Passport();
  for (const kind of ["bearer", "key", "session"] as const)
    passport.use(kind, new CredentialStrategy(kind, authentication));
  const cookie = cookieOf(authentication);
  const { cache } = authentication;
  /** What fails here is asked for, and told, by whoever comes when nothing is remembered any more. */
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
    // Whoever is remembered needs no strategy: passport costs a tenth of a cheap request.
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
