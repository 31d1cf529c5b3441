import { isInPerson, type Actor } from "../../../core/access/access.ts";
import type { Ctx, Meta } from "../../../core/access/caller.ts";
import type { Collection } from "../../../core/records/documents.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { originOf } from "../../../core/access/origin.ts";
import { forbidden, insufficientStorage, isDiskFull } from "../../../core/problem.ts";
import type { OutageLog } from "../../../core/work/outage-log.ts";
import type { Tokens } from "./sessions/tokens.ts";

/** What the auth service has under `this`. */
export interface Auth extends Host {
  tokens: Tokens;
  attempts: Collection;
  revoked: Collection;
  setups: Collection;
  /** Passkey ceremonies under way, by the hash of their challenge. */
  ceremonies: Collection;
  /** Mailed links that were not followed yet, by the hash of their token. */
  links: Collection;
  mailOutage: OutageLog;
}

/** Handlers see their host as that of any domain; here it is known to be this one. */
export const authOf = (host: Host): Auth => host as unknown as Auth;

/** Where the client reaches us: as the gateway says, else by the settings. */
export const originFor = (host: Host, meta: Meta): string =>
  meta.origin ?? originOf(host.world.env, host.world.env.PORT);

export const idleMs = (host: Host): number => host.world.env.SESSION_IDLE_HOURS * 3_600_000;

/** Adds headers to the answer of this request. */
export function answerWith(ctx: Ctx<unknown>, headers: Record<string, string>): void {
  ctx.meta.$responseHeaders = { ...ctx.meta.$responseHeaders, ...headers };
}

/** The person who asks. Throws 403 to an API key: it is no person, and manages no account. */
export function personOf(ctx: Ctx<unknown>): Actor {
  const actor = ctx.meta.actor!;
  if (!isInPerson(actor)) throw forbidden("This is done with a token or a session, not with a key.");
  return actor;
}

/**
 * From here on the request is this account's in the audit log, though nobody was signed in who made it: whoever looks
 * for what somebody did finds their sign-ins too.
 */
export function noteAccount(ctx: Ctx<unknown>, userId: string): void {
  ctx.locals.signedIn = userId;
  ctx.locals.trail?.({ type: "users", id: userId });
}

/**
 * A sign-in is written down, so that its owner sees it and can end it: on a full disk there is none. Whoever asks for
 * one can read nothing, which the usual words promise.
 */
export async function signingIn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw insufficientStorage(
      error,
      "Nobody can sign in at the moment, because the platform's disk is full and a sign-in has to be written down. " +
        "Whoever is signed in already can still read. Tell whoever runs this platform; it works again when there is room.",
    );
  }
}
