import { useEffect, useRef, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { useLive } from "../../live/live.ts";
import type { ListRow } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Time } from "../../parts/texts.tsx";
import type { StaffPlace } from "../shared/place.ts";
import { ReplyView } from "../shared/reply-view.tsx";
import { useReplies } from "../shared/use-replies.ts";
import { ActionCard } from "./action-card.tsx";
import { Composer } from "./composer.tsx";
import { Suggestions } from "./suggestions.tsx";

export type AssistantRow = ListRow<"GET /assistant/global/history">;
export interface Question {
  text: string;
  input?: Record<string, unknown>;
}

const HISTORY = { global: "GET /assistant/global/history", set: "GET /assistant/{problemSetId}/history" } as const;

interface ConversationProps {
  place: StaffPlace;
  /** Newest first, as the API has them. */
  rows: readonly AssistantRow[];
  /** The cursor of what is older; null at the beginning. */
  older: string | null;
  isOlder: boolean;
}

export function Conversation({ place, rows, older, isOlder }: ConversationProps): ReactNode {
  const { setId } = place;
  const history = setId === undefined ? HISTORY.global : HISTORY.set;
  const { textOf, said } = useReplies({ events: "assistant.reply", history }, rows);
  useLive(undefined, ["assistant.action.changed"], undefined, { ops: [history] });
  const ask = useAsk(setId);
  const end = useRef<HTMLDivElement>(null);
  const newest = rows[0]?.id;
  useEffect(() => {
    if (newest && !isOlder) end.current?.scrollIntoView({ block: "nearest" });
  }, [newest, isOlder]);
  return (
    <>
      <Steps older={older} isOlder={isOlder} />
      {rows.length === 0 && <Suggestions setId={setId} ask={ask} />}
      <ol className="chat" aria-label="Conversation">
        {rows.toReversed().map((row) => (
          <li key={row.id}>
            <p className="said">
              <span className="visually-hidden">You asked: </span>
              {row.said}
            </p>
            <small className="muted">
              <Time at={row.createdAt} />
            </small>
            <ReplyView reply={row} text={textOf(row)} />
            {row.action && <ActionCard action={row.action} row={row} place={place} ask={ask} />}
          </li>
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {!isOlder && <Composer place={place} ask={ask} hasAsked={rows.length > 0} />}
      <div ref={end} />
    </>
  );
}

/** Asks the assistant, in a problem set or outside; refusals are thrown, for the form to show. */
export function useAsk(setId: string | undefined): (question: Question) => Promise<unknown> {
  const globally = useAct("POST /assistant/global/message", { tellsRefusal: false });
  const inSet = useAct("POST /assistant/{problemSetId}/message", { tellsRefusal: false });
  return (body) =>
    setId === undefined ? globally.mutateAsync({ body }) : inSet.mutateAsync({ path: { problemSetId: setId }, body });
}

/** Through a long conversation; the address keeps the place. */
function Steps({ older, isOlder }: { older: string | null; isOlder: boolean }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const to = (cursor: string | null) => (): void => {
    const changed = new URLSearchParams(search);
    if (cursor) changed.set("before", cursor);
    else changed.delete("before");
    setSearch(changed);
  };
  if (!older && !isOlder) return null;
  return (
    <div className="row">
      {older && (
        <button type="button" onClick={to(older)}>
          Older questions
        </button>
      )}
      {isOlder && (
        <button type="button" onClick={to(null)}>
          Back to the newest
        </button>
      )}
    </div>
  );
}
