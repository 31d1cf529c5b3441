import type { Context } from "moleculer";
import { systemActor, type Actor } from "./access.ts";
import type { Repeatable } from "../contract/repeatable.ts";

/** A change that was made elsewhere, as the record it is carried out on remembers it. */
export interface Carried {
  name: string;
  /** The revision that it was decided on: the write is made from that one, or not at all. */
  rev: number;
  /** The id of the record that it makes. */
  makes?: string;
}

/** What travels with a call through the mesh. Names with `$` are answers to the gateway. */
export interface Meta {
  actor?: Actor;
  /** The client's Idempotency-Key; taken off before the handler runs, so that nested calls do not inherit it. */
  idempotencyKey?: string;
  /**
   * A hash of the credential's text, where the action ends the credential: a repetition comes when nobody knows any
   * more whose it was.
   */
  credentialMark?: string;
  /**
   * Names a step of the mesh's own work, or of an agent's: ids of what its action creates are derived from it, so that doing it again
   * after a kill makes nothing twice. Taken off before the handler runs.
   */
  repeats?: string;
  /** A change that was made elsewhere and that this call carries out. Taken off before the handler runs. */
  carries?: Carried;
  /** The last event that a client which comes back to a stream has seen. */
  lastEventId?: string;
  /** The client's If-Match. */
  ifMatch?: string;
  /**
   * What the request is called outside: in answers, logs, traces and the audit log. Its work is known by another name
   * inside.
   */
  requestId?: string;
  /** The client's address, for limits and the audit log. */
  address?: string;
  /** Where clients reach the gateway, by its settings: for cookies, passkeys and links. */
  origin?: string;
  /** What the client calls itself (User-Agent). */
  agent?: string;
  $statusCode?: number;
  $responseHeaders?: Record<string, string>;
  /** Revision of the record answered; the gateway makes the ETag from it. */
  $rev?: number;
}

/** What stores need to know of the call on whose behalf they read and write: a Moleculer context, or the mesh's own. */
export interface Caller {
  meta: Meta;
  locals: Locals;
  requestID?: string | null;
}

/** What a call holds on its own node only. */
export interface Locals {
  /** Where the call may be carried out again: what its ids are derived from. */
  repeatable?: Repeatable;
  /** The change that this call carries out: noted in the records that it writes and that others follow. */
  carries?: Carried;
  /** Told of each write before it is queued, so that its audit entry is made durable with it. */
  trail?: (object: { type: string; id: string | number }) => void;
  /** Whom the call signs in: its audit entry is theirs, though nobody asked for it. */
  signedIn?: string;
  /** The book of the audit log that a write is listed in as well, and what is told of it there. */
  book?: string;
  said?: Record<string, unknown>;
  /** The client's If-Match, for a handler whose record the endpoint does not load. */
  ifMatch?: string;
  /** This call edits records: what stays as it is gets no revision, and nothing is told of it. */
  edits?: boolean;
}

export type Ctx<P> = Context<P, Meta> & { locals: Locals };

/** A caller for the mesh's own work. */
export const asSystem = (name: string): Caller => ({ meta: { actor: systemActor(name) }, locals: {} });

/** A service at work for a person: with its own rights, and what it writes is theirs. */
export const onBehalfOf = (service: string, userId: string): Caller => ({
  meta: { actor: { ...systemActor(service), userId } },
  locals: {},
});

/** What to call a call's request wherever it is read of; the mesh's own id for work that nobody outside asked for. */
export const requestNameOf = ({ meta, requestID }: { meta: Meta; requestID?: string | null }): string =>
  meta.requestId ?? requestID ?? "";

export const actorOf = (caller: Caller): string => caller.meta.actor?.userId ?? "anonymous";
