import { useEffect, useRef, useState, type ReactNode } from "react";
import { useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { useSet } from "../../set/use-set.tsx";
import { Following } from "./following.tsx";
import { MessageLine } from "./message-line.tsx";
import type { Channel } from "./message-words.ts";
import { SendMessage } from "./send-message.tsx";

/** One channel: what was said in it, the newest last, and a place to write. */
export function ChannelStream({ channel }: { channel: Channel }): ReactNode {
  const { maySet } = useSet();
  const log = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  // New messages come into view for whoever reads the newest, not for whoever has scrolled back.
  useEffect(() => {
    if (isAtEnd.current && log.current) log.current.scrollTop = log.current.scrollHeight;
  });
  return (
    <Section title={channel.channel} acts={<Following channel={channel} />}>
      <div
        ref={log}
        className="log"
        role="log"
        aria-label={`Messages in ${channel.channel}`}
        // What scrolls is reached by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 60;
        }}
      >
        <Slice channel={channel} />
      </div>
      {maySet("messages:publish") ? (
        <SendMessage channel={channel} />
      ) : (
        <p className="muted">Your role in this problem set reads here, and does not write.</p>
      )}
    </Section>
  );
}

/** Some messages in order, and on demand those before them. */
function Slice({ channel, cursor }: { channel: Channel; cursor?: string }): ReactNode {
  const [isLonger, setLonger] = useState(false);
  const messages = useAnswer("GET /messages", [
    {
      query: {
        problemSetId: channel.problemSetId ?? "",
        channel: channel.channel,
        limit: 30,
        ...(cursor && { cursor }),
      },
    },
  ]);
  return (
    <Shown of={messages}>
      {({ data, meta }) => {
        // Channels of other compartments may have the same name.
        const here = data.filter(({ channelId }) => channelId === channel.id).toReversed();
        return (
          <>
            {meta.next &&
              (isLonger ? (
                <Slice channel={channel} cursor={meta.next} />
              ) : (
                <button type="button" className="link" onClick={() => setLonger(true)}>
                  Earlier messages
                </button>
              ))}
            {!cursor && !here.length && <p className="empty">Nothing is kept of this channel.</p>}
            <ol className="messages">
              {here.map((message) => (
                <MessageLine key={message.id} message={message} />
              ))}
            </ol>
          </>
        );
      }}
    </Shown>
  );
}
