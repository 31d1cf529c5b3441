import { setTimeout as delay } from "node:timers/promises";
import type { StreamEvent } from "../../core/contract/answer.ts";
import type { Nearby } from "./attempt.ts";
import { doneOf, ENDED, type Replied } from "./replies.ts";

const LOOK_MS = 250;
const isEqual = (one: readonly string[], other: readonly string[]): boolean => String(one) === String(other);

const idOf = (attempt: number, offset: number): string => `${attempt}-${offset}`;
/** The attempt and the offset that a client has; a plain number is an offset of the present attempt. */
function seenUpTo(lastEventId: string | undefined): { attempt?: number; offset: number } {
  const parts = /^(?:(\d{1,9})-)?(\d{1,9})$/.exec(lastEventId ?? "");
  if (!parts) return { offset: 0 };
  return { offset: Number(parts[2]), ...(parts[1] && { attempt: Number(parts[1]) }) };
}

/**
 * A reply from an offset to its end; from the beginning again after a new attempt. It is read from the store every 250
 * ms, when the follower's access is checked too; in between, parts come from this process's own writing, if any.
 */
export async function* follow(
  read: () => Promise<Replied>,
  lastEventId: string | undefined,
  near: (replyId: string) => Nearby | undefined = () => undefined,
): AsyncGenerator<StreamEvent> {
  const seen = seenUpTo(lastEventId);
  let { offset } = seen;
  let attempt = seen.attempt;
  let seq = 0;
  function* part(messageId: string, text: string): Generator<StreamEvent> {
    if (text.length <= offset) return;
    const data = { messageId, attempt, seq: seq++, offset, text: text.slice(offset) };
    offset = text.length;
    yield { id: idOf(attempt!, offset), event: "delta", data };
  }
  for (;;) {
    const reply = await read();
    attempt ??= reply.attempt;
    if (reply.attempt !== attempt) [attempt, offset, seq] = [reply.attempt, 0, 0];
    yield* part(reply.id, reply.text);
    if (ENDED.includes(reply.status))
      return void (yield { id: idOf(attempt, offset), event: "reply", data: doneOf(reply) });
    const look = new AbortController();
    const due = delay(LOOK_MS, "due" as const, { ref: false, signal: look.signal }).catch(() => "due" as const);
    try {
      for (;;) {
        const writing = near(reply.id);
        if (!writing) await due;
        else {
          const more = writing.more().then(() => "more" as const);
          const isAsRead = writing.attempt === attempt && isEqual(writing.compartments, reply.compartments);
          if (isAsRead) yield* part(reply.id, writing.written);
          // After a new attempt, or further compartments, access is checked again; the end is in the store.
          if ((await Promise.race([due, more])) === "more" && isAsRead && near(reply.id) === writing) continue;
        }
        break;
      }
    } finally {
      look.abort();
    }
  }
}
