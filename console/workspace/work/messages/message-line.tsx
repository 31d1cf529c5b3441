import type { ReactNode } from "react";
import { useWho } from "../../../app/session.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { linesOf, NOTE, plainText, type ChannelMessage } from "./message-words.ts";

/** Who said what, when, and under which markings. */
export function MessageLine({ message }: { message: ChannelMessage }): ReactNode {
  const { userId } = useWho();
  const { createdBy, createdByName, source, publishedAt, priority, classification, type, expiresAt, sequence } =
    message;
  return (
    <li className={createdBy === userId ? "own" : undefined}>
      <header className="row">
        <strong>{createdByName ?? source}</strong>
        <small className="muted">
          <Time at={publishedAt} />, number {sequence}
        </small>
        {priority !== "routine" && <Badge tone={priority === "flash" ? "bad" : "warn"}>{priority}</Badge>}
        {classification !== "unclassified" && <Badge tone="warn">{classification}</Badge>}
        {type !== NOTE && <small className="muted">{type}</small>}
        {expiresAt && (
          <small className="muted">
            valid until <Time at={expiresAt} />
          </small>
        )}
      </header>
      <Payload message={message} />
    </li>
  );
}

/** A text as it was written; a flat record as its fields; anything else as JSON. */
export function Payload({ message }: { message: ChannelMessage }): ReactNode {
  const text = plainText(message);
  if (text !== undefined) return <p className="as-written">{text}</p>;
  const lines = linesOf(message.payload);
  // What scrolls sideways is reached by keyboard.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  if (!lines) return <pre tabIndex={0}>{JSON.stringify(message.payload, null, 2)}</pre>;
  return <dl>{lines.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}</dl>;
}
