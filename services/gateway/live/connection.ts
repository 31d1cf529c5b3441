import type { IncomingMessage } from "node:http";
import type { Socket } from "socket.io";
import { z } from "zod";
import type { Actor } from "../../../core/access/access.ts";
import type { LiveMessage } from "../../../core/contract/live.ts";
import { invalid, type Detail } from "../../../core/problem.ts";
import { refuseIllFormed } from "../../../core/contract/input/unicode.ts";
import type { Frame } from "./frames.ts";
import type { Listener } from "./rooms.ts";
import { problemOf } from "../http/refuse.ts";

/** One socket: its actor, its subscriptions, and the messages that wait while the actor is being looked up again. */
export class LiveConnection implements Listener {
  actor: Actor;
  readonly socket: Socket;
  readonly request: IncomingMessage;
  readonly sets = new Set<string>();
  readonly topics = new Set<string>();
  askedAt = performance.now();
  /** Messages held back; absent while deliveries continue. */
  held: { message: LiveMessage; frame: Frame }[] | undefined;
  /** Changes announced since the last lookup. */
  changes = 0;

  constructor(socket: Socket, request: IncomingMessage, actor: Actor) {
    this.socket = socket;
    this.request = request;
    this.actor = actor;
  }
}

/**
 * The socket's credential, as a request would carry it: from the handshake's `auth`, since browsers cannot set headers.
 * Throws 400 on text that is not valid Unicode.
 */
export function requestOf(socket: Socket): IncomingMessage {
  const { headers, url, socket: connection } = socket.request;
  const { token, apiKey, did } = socket.handshake.auth as Record<string, unknown>;
  for (const [name, value] of Object.entries({ token, apiKey, did }))
    if (typeof value === "string") refuseIllFormed({ [`auth.${name}`]: value });
  const given = {
    ...(typeof token === "string" && { authorization: `Bearer ${token}` }),
    ...(typeof apiKey === "string" && { "x-api-key": apiKey }),
    ...(typeof did === "string" && { "x-did": did }),
  };
  return { headers: { ...headers, ...given }, method: "GET", url, socket: connection } as unknown as IncomingMessage;
}

const Subscription = z.union([
  z.strictObject({ problemSetId: z.string().min(1).max(64) }),
  z.strictObject({ topic: z.string().min(1).max(64) }),
]);
type Subscription = z.output<typeof Subscription>;

/** Throws 400 on a subscription to neither a problem set nor a topic. */
export function subscriptionIn(given: unknown): Subscription {
  const parsed = Subscription.safeParse(given);
  if (!parsed.success) throw invalid([{ path: "", message: "Give `{problemSetId}` or `{topic}`." }]);
  refuseIllFormed(parsed.data);
  return parsed.data;
}

interface Failure {
  code: string;
  message: string;
  details?: readonly Detail[];
}

/** The form in which a socket gets an error. */
export const failureOf = (error: unknown): Failure => {
  const { type, message, data } = problemOf(error);
  return { code: type, message, ...(type === "VALIDATION_ERROR" && { details: data.details as Detail[] }) };
};

/** How a client learns the result of its request: the last argument of its event. */
type Acknowledge = (answer: { ok: true } | { ok: false; error: Failure }) => void;

/** Carries out a client's event, and acknowledges it where the client asked for that. */
export function answerClient(done: unknown, run: () => void): void {
  const acknowledge: Acknowledge = typeof done === "function" ? (done as Acknowledge) : () => {};
  try {
    run();
    acknowledge({ ok: true });
  } catch (error) {
    acknowledge({ ok: false, error: failureOf(error) });
  }
}
