import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { queries } from "../../../api/queries.ts";
import { useLive } from "../../../live/live.ts";
import { Empty, Shown } from "../../../parts/page.tsx";
import { Pager, usePage } from "../../../parts/table.tsx";
import { Badge, many, Time } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Barrier } from "../compartments.tsx";
import { BeginChannel } from "./begin-channel.tsx";
import { ChannelStream } from "./channel-stream.tsx";
import { readAlong } from "./read-along.ts";
import type { Channel } from "./message-words.ts";

/** The channels of a problem set, and the stream of one of them. */
export function Channels(): ReactNode {
  const { set, maySet } = useSet();
  const [search] = useSearchParams();
  const page = usePage();
  const [isBeginning, setBeginning] = useState(false);
  useLive({ problemSetId: set.id }, ["message.published"], () =>
    readAlong(() => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "GET /messages" })),
  );
  const channels = useAnswer("GET /messages/channels", [{ query: { problemSetId: set.id, limit: 100, page } }]);
  const dead = channels.data?.data.reduce((sum, { mine }) => sum + (mine?.deadLetters ?? 0), 0) ?? 0;
  return (
    <SetPage
      title="Messages"
      intro="What people and systems of this problem set tell each other, channel by channel, as it comes."
      acts={
        <>
          {dead > 0 && (
            <Link to={`/workspace/${set.id}/messages/dead-letters`}>{many(dead, "undelivered message")}</Link>
          )}
          {maySet("messages:publish") && (
            <button type="button" className="primary" onClick={() => setBeginning(true)}>
              Begin a channel
            </button>
          )}
        </>
      }
    >
      <Shown of={channels}>
        {({ data, meta }) => {
          const open =
            data.find(({ id }) => id === search.get("channel")) ?? (search.has("channel") ? undefined : data[0]);
          if (!data.length)
            return (
              <Empty>
                Nobody has written here yet. A channel is begun with its first message; everybody in the problem set
                reads it, or only those of one compartment.
              </Empty>
            );
          return (
            <div className="channels">
              <nav aria-label="Channels">
                <ul className="list">
                  {data.map((channel) => (
                    <ChannelLine key={channel.id} channel={channel} isOpen={channel.id === open?.id} />
                  ))}
                </ul>
                <Pager meta={meta} />
              </nav>
              {open ? (
                <ChannelStream key={open.id} channel={open} />
              ) : (
                <Empty>There is no such channel here, or it is not for you.</Empty>
              )}
            </div>
          );
        }}
      </Shown>
      {isBeginning && <BeginChannel onClose={() => setBeginning(false)} />}
    </SetPage>
  );
}

function ChannelLine({ channel, isOpen }: { channel: Channel; isOpen: boolean }): ReactNode {
  const { id, channel: name, mine, sequence, lastPublishedAt, compartments } = channel;
  return (
    <li>
      <Link to={`?channel=${id}`} aria-current={isOpen ? "page" : undefined} className="channel">
        <span className="row between">
          <strong>{name}</strong>
          {mine && mine.waiting > 0 && <Badge tone="info">{`${mine.waiting} new`}</Badge>}
        </span>
        <small className="muted">
          {many(sequence, "message")}, {lastPublishedAt ? <Time at={lastPublishedAt} /> : "none yet"}
        </small>
      </Link>
      <Barrier compartments={compartments} />
    </li>
  );
}
