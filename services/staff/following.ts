import { setTimeout as delay } from "node:timers/promises";
import type { StreamEvent } from "../../core/contract/answer.ts";
import { doneOf, ENDED, type Replied } from "./replies.ts";

const LOOK_MS = 250;

const idOf = (attempt: number, offset: number): string => `${attempt}-${offset}`;
/** The attempt and the offset that a client has; a number alone is an offset of the attempt that is on. */
function seenUpTo(lastEventId: string | undefined): { attempt?: number; offset: number } {
  const parts = /^(?:(\d{1,9})-)?(\d{1,9})$/.exec(lastEventId ?? "");
  if (!parts) return { offset: 0 };
  return { offset: Number(parts[2]), ...(parts[1] && { attempt: Number(parts[1]) }) };
}

/** A reply from an offset to its end, as it is stored; from the beginning again where another attempt is on. */
export async function* follow(
  read: () => Promise<Replied>,
  lastEventId: string | undefined,
): AsyncGenerator<StreamEvent> {
  const seen = seenUpTo(lastEventId);
  let { offset } = seen;
  let attempt = seen.attempt;
  for (let seq = 0; ;) {
    const reply = await read();
    attempt ??= reply.attempt;
    if (reply.attempt !== attempt) [attempt, offset, seq] = [reply.attempt, 0, 0];
    if (reply.text.length > offset) {
      const text = reply.text.slice(offset);
      yield {
        id: idOf(attempt, reply.text.length),
        event: "delta",
        data: { messageId: reply.id, attempt, seq: seq++, offset, text },
      };
      offset = reply.text.length;
    }
    if (ENDED.includes(reply.status))
      return void (yield { id: idOf(attempt, offset), event: "reply", data: doneOf(reply) });
    await delay(LOOK_MS, undefined, { ref: false });
  }
}
