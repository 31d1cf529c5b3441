import type { ReactNode } from "react";
import { Link } from "react-router";
import { Markdown } from "../../parts/markdown.tsx";
import { Badge } from "../../parts/texts.tsx";
import type { ListRow } from "../../api/client.ts";
import { operationPlace } from "./operation-place.ts";
import { recordPlace } from "./record-place.ts";
import { isOver, withCitations, forPeople } from "./reply.ts";
import { amountOf } from "./words.ts";

type Message = ListRow<"GET /assistant/global/history">;
type Citation = Message["citations"][number];
export type ReplyOf = Pick<
  Message,
  | "id"
  | "problemSetId"
  | "status"
  | "text"
  | "attempt"
  | "citations"
  | "method"
  | "reason"
  | "unread"
  | "unsupported"
  | "usage"
>;

const UNDER_WAY = { queued: "It waits for its turn", answering: "Looking through what you may read" };

/** A reply: its text as far as it is written, what it rests on, and how it came about. */
export function ReplyView({ reply, text }: { reply: ReplyOf; text: string }): ReactNode {
  const { id, status, citations, reason, unread = [] } = reply;
  const over = isOver(status);
  const numbers = citations.map(({ n }) => n);
  return (
    <div className="reply" aria-busy={!over}>
      {!text && !over && <p className="muted">{UNDER_WAY[status as keyof typeof UNDER_WAY]}…</p>}
      {text && <Markdown>{withCitations(forPeople(text), id, numbers)}</Markdown>}
      {status === "stopped" && <p className="fault">It was stopped. {reason}</p>}
      {status === "failed" && <p className="fault">There is no answer: {reason ?? "it failed"}. Ask again.</p>}
      {citations.length > 0 && <Sources reply={reply} />}
      {status === "completed" && <Origin reply={reply} />}
      {unread.length > 0 && <p className="note muted">Could not be looked through: {unread.join(", ")}.</p>}
    </div>
  );
}

/** Whose words they are, what of them nobody can look up, and what they cost. */
function Origin({ reply: { citations, method, reason, unsupported = [], usage } }: { reply: ReplyOf }): ReactNode {
  const isQuoted = method === "heuristic" && citations.length > 0;
  return (
    <>
      <Unsupported figures={unsupported} />
      {isQuoted && (
        <p className="note muted">
          <Badge>quoted</Badge> {reason} These are sentences of what was found, not words of a model.
        </p>
      )}
      {!isQuoted && reason && <p className="note muted">{reason}</p>}
      {method === "llm" && (
        <p className="note muted">
          Written by the model{citations.length === 0 && ", which names no source"}.
          {usage && ` It took ${(usage.promptTokens + usage.completionTokens).toLocaleString("en")} tokens`}
          {usage && (usage.cost === undefined ? "." : `, which cost ${amountOf(usage.cost)}.`)}
        </p>
      )}
    </>
  );
}

/** Figures that a model wrote and that stand nowhere in what it read. */
export function Unsupported({ figures }: { figures: readonly string[] }): ReactNode {
  if (!figures.length) return null;
  return (
    <p className="note">
      <Badge tone="warn">look it up</Badge> Not in what this rests on: <b>{figures.join("; ")}</b>. The model may have
      worked them out, or made them up.
    </p>
  );
}

const TYPE_WORDS: Readonly<Record<string, string>> = { operation: "how it is done", consumable: "supplies" };

function Sources({ reply: { id, citations, problemSetId } }: { reply: ReplyOf }): ReactNode {
  return (
    <ol className="reply-sources" aria-label="What it rests on">
      {citations.map((one) => (
        <li key={one.n} id={`source-${id}-${one.n}`} value={one.n} tabIndex={-1}>
          <Source citation={one} problemSetId={problemSetId} />{" "}
          <span className="muted">{TYPE_WORDS[one.type] ?? one.type}</span>
          {one.type !== "operation" && <blockquote>{one.quote}</blockquote>}
        </li>
      ))}
    </ol>
  );
}

function Source({ citation, problemSetId }: { citation: Citation; problemSetId: string | undefined }): ReactNode {
  const { type, id, title, href } = citation;
  if (type === "operation") return <Operation {...{ id, title, href }} setId={problemSetId} />;
  const place = recordPlace(type, id, problemSetId);
  return place ? <Link to={place}>{title}</Link> : title;
}

/** How something is done: on which page here, and by which operation of the API. */
function Operation({
  id,
  title,
  href,
  setId,
}: Pick<Citation, "id" | "title" | "href"> & { setId: string | undefined }) {
  const place = operationPlace(id, setId);
  const [domain] = id.split(".");
  return (
    <>
      {title}
      {place && (
        <>
          {", here: "}
          <Link to={place.to}>{place.words}</Link>
        </>
      )}
      {"; in the "}
      <a href={`${href}#/${domain}/${id}`} aria-label={`API: ${title}`}>
        API
      </a>
    </>
  );
}
