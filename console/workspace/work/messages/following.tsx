import { useState, type ReactNode } from "react";
import { ask } from "../../../api/client.ts";
import { useAct, wordsOf } from "../../../api/hooks.ts";
import { readAgain } from "../../../api/queries.ts";
import { notify } from "../../../parts/notices.tsx";
import type { Channel } from "./message-words.ts";

const placeOf = ({ problemSetId, compartments }: Channel) => ({
  ...(problemSetId && { problemSetId }),
  compartments,
});
/** Batches that one reading takes in at most: what is left then is read next time. */
const MOST_BATCHES = 20;

/**
 * Takes in what waits and acknowledges it: only what was delivered can be acknowledged. It is done on demand alone, since
 * programs of the same account may work on the same subscription.
 */
async function readAll(channel: Channel): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const { data } = await ask("POST /messages/channels/{channel}/next", {
      path: { channel: channel.channel },
      body: { ...placeOf(channel), limit: 100 },
    });
    const last = data.toSorted((one, other) => one.sequence - other.sequence).at(-1);
    if (!last) return;
    await ask("POST /messages/{messageId}/acknowledge", { path: { messageId: last.id }, body: { cumulative: true } });
  }
}

/** Whether this person follows the channel, and how much of it they have not read. */
export function Following({ channel }: { channel: Channel }): ReactNode {
  const path = { channel: channel.channel };
  const [isReading, setReading] = useState(false);
  const follow = useAct("POST /messages/channels/{channel}/subscribe", {
    says: "You follow the channel: what is new for you is counted.",
  });
  const leave = useAct("DELETE /messages/channels/{channel}/subscribe", { says: "You follow the channel no longer." });
  async function read(): Promise<void> {
    setReading(true);
    try {
      await readAll(channel);
    } catch (error) {
      notify(wordsOf(error), "bad");
    } finally {
      setReading(false);
      await readAgain();
    }
  }
  const { mine } = channel;
  if (!mine)
    return (
      <button
        type="button"
        disabled={follow.isPending}
        onClick={() => follow.mutate({ path, body: { ...placeOf(channel), from: "new" } })}
      >
        Follow
      </button>
    );
  return (
    <>
      {mine.waiting > 0 && (
        <button type="button" disabled={isReading} onClick={() => void read()}>
          Mark {mine.waiting} as read
        </button>
      )}
      <button
        type="button"
        disabled={leave.isPending}
        onClick={() =>
          leave.mutate({
            path,
            query: {
              ...(channel.problemSetId && { problemSetId: channel.problemSetId }),
              ...(channel.compartments.length && { compartments: channel.compartments.join() }),
            },
          })
        }
      >
        Stop following
      </button>
    </>
  );
}
