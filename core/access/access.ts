import { isDeepStrictEqual } from "node:util";
import { SKEW_MS } from "../clock.ts";
import {
  archived,
  forbidden,
  notConfirmed,
  notFound,
  type Problem,
  stepUpRequired,
  unauthenticated,
} from "../problem.ts";

/** What an actor is in one problem set: a role, what it allows there, and the compartments they are read into. */
export interface Membership {
  role: string;
  /** What the role allows in this set: `noun:responsibility`, from the one table of roles inside problem sets. */
  permits: readonly string[];
  compartments: readonly string[];
  /** An archived set is read, not written. */
  archived?: true;
}

/** An agent at work: which one, by whose word, in which step of which run. */
export interface AgentMark {
  id: string;
  delegation?: string;
  execution: string;
  step: string;
}

/** Who is asking. Made by authentication at the gateway and carried on the call's meta; services trust nothing else. */
export interface Actor {
  userId: string;
  /** None: an account whose address nobody has confirmed. */
  roles: readonly string[];
  via: "session" | "jwt" | "key" | "off" | "system" | "agent";
  /** With `via: "agent"`: in whose name it acts beside the person, for the audit log. */
  agent?: AgentMark;
  /** What the roles allow: `noun:responsibility`, `*` for any. */
  permits: readonly string[];
  /** What the credential is narrowed to (an API key's scopes); absent: nothing narrower than the roles. */
  limits?: readonly string[];
  did?: string;
  /** The session or token, for revocation. */
  credential?: string;
  /**
   * Active memberships, by problem set: those of the actor's mode only, so that training and operational records never
   * mix.
   */
  memberships?: Readonly<Record<string, Membership>>;
  /** In training, acts with an effect outside are simulated and say so. */
  mode?: "training";
  /** When the person last proved who they are (password or passkey), in epoch milliseconds; absent for keys. */
  provedAt?: number;
  /** Sees behind every barrier: the mesh's own work only, never a person. */
  omniscient?: boolean;
}

/** The mesh acting for itself: schedulers, relays, jobs. */
export const systemActor = (name: string): Actor => ({
  userId: `system:${name}`,
  roles: ["system"],
  via: "system",
  permits: ["*"],
  omniscient: true,
});

/** What a person may do now, as `auth.actor` answers it, and no more of them. */
export type AccessRights = Pick<Actor, "userId" | "roles" | "permits" | "memberships" | "mode">;

/**
 * An agent that acts for a person as they stand now: in one problem set or in none, in no more compartments than these,
 * and with these limits. Made anew for each call: it has no proof of person, and no barrier opens to it.
 */
export function agentActor(
  { userId, roles, permits, memberships, mode }: AccessRights,
  agent: AgentMark,
  {
    problemSetId,
    compartments = [],
    permits: allowed,
    limits,
  }: {
    problemSetId?: string | undefined;
    compartments?: readonly string[];
    permits: readonly string[];
    limits: readonly string[];
  },
): Actor {
  const theirs =
    problemSetId !== undefined && memberships && Object.hasOwn(memberships, problemSetId)
      ? memberships[problemSetId]
      : undefined;
  const narrowed = theirs && {
    ...theirs,
    permits: allowed.filter((permit) => holds(theirs.permits, permit)),
    compartments: theirs.compartments.filter((id) => compartments.includes(id)),
  };
  return {
    userId,
    roles,
    via: "agent",
    agent,
    permits,
    limits,
    memberships: narrowed ? { [problemSetId!]: narrowed } : {},
    ...(mode && { mode }),
  };
}

/** Whether somebody acts themselves: a key and an agent act for somebody. */
export const isInPerson = ({ via }: Pick<Actor, "via">): boolean => via !== "key" && via !== "agent";

/** Whether somebody may see and do the same as one actor and as the other. */
export function sameAccess(one: Actor, other: Actor): boolean {
  const of = ({ userId, via, permits, limits, did, memberships, mode, provedAt }: Actor) => ({
    userId,
    isAgent: via === "agent",
    permits,
    limits,
    did,
    memberships,
    mode,
    provedAt,
  });
  return isDeepStrictEqual(of(one), of(other));
}

/**
 * What an endpoint asks of its caller: nothing, an account, one with a confirmed address (`signed-in`), a named permit,
 * or to be the mesh itself. `self` is for the caller's own account alone: to confirm its address, to leave, to see
 * itself.
 */
export type Permit = "public" | "self" | "signed-in" | "internal" | `${string}:${string}`;

const accepted = new Map<string, ReadonlySet<string>>();

/** Every grant that covers the permit: itself, its noun with any responsibility, any noun with it, everything. */
export function grantsFor(permit: string): ReadonlySet<string> {
  let set = accepted.get(permit);
  if (!set) {
    const [noun, responsibility] = permit.split(":");
    accepted.set(permit, (set = new Set(["*", permit, `${noun}:*`, `*:${responsibility}`])));
  }
  return set;
}

export const holds = (granted: readonly string[], permit: string): boolean => {
  const grants = grantsFor(permit);
  for (const grant of granted) if (grants.has(grant)) return true;
  return false;
};

/** Whether an actor holds a permit that the credential they came with does not narrow away. */
export const may = ({ permits, limits }: Pick<Actor, "permits" | "limits">, permit: string): boolean =>
  holds(permits, permit) && (!limits || holds(limits, permit));

/**
 * Whether the account's address was confirmed: only then does it have a role. Otherwise accounts could be made by the
 * hundred.
 */
export const isConfirmed = ({ roles }: Pick<Actor, "roles">): boolean => roles.length > 0;

/** What a refusal for want of a permit says of it, for programs. */
export interface Lack {
  permit: string;
  /** The caller's role, where the permit is one inside a problem set; else it is one of the platform's. */
  role?: string;
  /** What the credential is narrowed to, where that is in the way and not the caller's roles. */
  narrowedTo?: readonly string[];
}

/** 403 for want of a permit: why, and which. */
export const lacking = (message: string, lack: Lack) => forbidden(message, lack);

/** What somebody lacks who may not do what a permit of the platform allows. */
export const lackFor = ({ permits, limits }: Pick<Actor, "permits" | "limits">, permit: string): Lack => ({
  permit,
  ...(limits && holds(permits, permit) && { narrowedTo: limits }),
});

/** What a refusal says is lacking; undefined where it is another refusal. */
export function lackOf({ type, data }: Problem): Lack | undefined {
  const lack = data?.details as Lack | undefined;
  return type === "FORBIDDEN" && typeof lack?.permit === "string" ? lack : undefined;
}

const narrowed = (limits: readonly string[], permit: string) =>
  lacking(`This credential is narrowed to ${limits.join(", ")}; it needs ${permit}.`, { permit, narrowedTo: limits });

/** Throws 401 without an actor, 403 without the permit or, beyond one's own account, without a confirmed address. */
export function authorize(actor: Actor | undefined, permit: Permit): void {
  if (permit === "public") return;
  if (!actor) throw unauthenticated();
  if (permit === "self") {
    if (actor.via === "agent") throw forbidden("This is about a person's own account; not for an agent.");
    return;
  }
  if (permit === "internal") {
    if (actor.via !== "system") throw forbidden("This action is the mesh's own.");
    return;
  }
  if (!isConfirmed(actor)) throw notConfirmed();
  if (permit === "signed-in") return;
  if (!holds(actor.permits, permit)) throw lacking(`This needs the permit ${permit}.`, { permit });
  if (actor.limits && !holds(actor.limits, permit)) throw narrowed(actor.limits, permit);
}

const NOT_PERSONS: Partial<Record<Actor["via"], string>> = { key: "a key", agent: "an agent" };

/** The person who asks. Throws 401 without one, 403 for a key or an agent: they act for somebody, but are not them. */
export function personOf(actor: Actor | undefined): string {
  if (!actor) throw unauthenticated();
  if (!isInPerson(actor))
    throw forbidden(`This is for a person, signed in with a session or a token; not for ${NOT_PERSONS[actor.via]}.`);
  return actor.userId;
}

/**
 * Throws 403 for a credential narrowed to other domains, or to reading: what asks for no more than a sign-in is within
 * a key's scopes too.
 */
export function demandScope(actor: Actor | undefined, domain: string, writes: boolean): void {
  const wanted = `${domain}:${writes ? "write" : "read"}`;
  if (actor?.limits && !holds(actor.limits, wanted)) throw narrowed(actor.limits, wanted);
}

/** How long a proof of person counts as fresh. */
export const FRESH_MS = 5 * 60_000;

/**
 * Throws 403 `STEP_UP_REQUIRED` unless the person proved who they are within the last five minutes; the mesh itself
 * needs no proof.
 */
export function demandFresh(actor: Actor | undefined, now: number): void {
  if (!actor) throw unauthenticated();
  if (actor.via === "system" || actor.via === "off") return;
  if (actor.via === "agent") throw forbidden("This needs a proof of person, which no agent gives.");
  // A proof from the future was made before the clock was set back, and may be of any age.
  if (actor.provedAt === undefined || now - actor.provedAt > FRESH_MS || actor.provedAt > now + SKEW_MS)
    throw stepUpRequired();
}

/**
 * Where a request lies: which problem set, and what the caller's role in it must allow. `own`: what it writes is the
 * caller's own, as a read mark, which an archived set bears too.
 */
export interface Within {
  set: string;
  may: string;
  own?: true;
}

/**
 * The caller's membership of a set. Throws 404 to whoever is no member, 403 without the permission, 409 `ARCHIVED` for
 * a write to an archived set; null for the mesh itself.
 */
export function memberOf(
  actor: Actor | undefined,
  setId: string,
  may: string,
  { writes = false } = {},
): Membership | null {
  if (actor?.omniscient) return null;
  const membership =
    actor?.memberships && Object.hasOwn(actor.memberships, setId) ? actor.memberships[setId] : undefined;
  if (!membership) throw notFound("problem set", setId);
  if (!holds(membership.permits, may))
    throw lacking(`Your role in this problem set, ${membership.role}, does not allow ${may}.`, {
      role: membership.role,
      permit: may,
    });
  if (writes && membership.archived) throw archived();
  return membership;
}
