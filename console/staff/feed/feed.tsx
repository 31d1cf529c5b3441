import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { NoSets, StaffPage } from "../shared/frame.tsx";
import { useMayIn } from "../../app/sets.ts";
import { useStaffPlace } from "../shared/place.ts";
import { RecordLink } from "../shared/record-link.tsx";
import { SEVERITY_TONES } from "../shared/severity.ts";
import { Advice } from "./advice.tsx";
import { FeedDialog } from "./feed-dialog.tsx";
import { Notes } from "./notes.tsx";
import { StaffChat } from "./staff-chat.tsx";

type Item = ListRow<"GET /ai-staff/{problemSetId}/feed">;

/** What the staff should look at in a problem set, its notes, and its shared questions. */
export function Feed(): ReactNode {
  const place = useStaffPlace({ isNeeded: true });
  const mayIn = useMayIn(place.setId);
  const [isAdding, setAdding] = useState(false);
  const { setId } = place;
  return (
    <StaffPage
      title="Feed"
      intro="What people and agents should look at now, the most pressing first; the order is your own."
      place={place}
      acts={
        setId !== undefined &&
        mayIn("ai-staff:add") && (
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            Add something
          </button>
        )
      }
    >
      {setId === undefined ? (
        <NoSets what="The feed belongs to a problem set, and you are in none yet." />
      ) : (
        <FeedOf setId={setId} mayIn={mayIn} />
      )}
      {isAdding && setId !== undefined && <FeedDialog setId={setId} onClose={() => setAdding(false)} />}
    </StaffPage>
  );
}

function FeedOf({ setId, mayIn }: { setId: string; mayIn(permit: string): boolean }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const cursor = search.get("after") ?? undefined;
  const path = { problemSetId: setId };
  const query = { limit: 20, ...(cursor && { cursor }) };
  const feed = useAnswer("GET /ai-staff/{problemSetId}/feed", [{ path, query }], { keepsShown: true });
  useLive(path, ["staff.feed.changed"], undefined, { ops: ["GET /ai-staff"] });
  const readAll = useAct("POST /ai-staff/{problemSetId}/feed/read-all", { says: "All of it counts as read." });
  const to = (next: string | null): void => {
    const changed = new URLSearchParams(search);
    if (next) changed.set("after", next);
    else changed.delete("after");
    setSearch(changed);
  };
  return (
    <div className="beside">
      <div className="stack">
        <Shown of={feed}>
          {({ data, meta }) => (
            <Section
              title={meta.unread ? `To look at (${meta.unread} not read)` : "To look at"}
              acts={
                meta.unread > 0 && (
                  <button
                    type="button"
                    disabled={readAll.isPending}
                    // What came after this page was shown stays unread.
                    onClick={() => readAll.mutate({ path, body: { before: meta.asOf } })}
                  >
                    Mark all as read
                  </button>
                )
              }
            >
              {data.length === 0 && (
                <p className="empty">
                  There is nothing to look at. Members and agents add here what others should know.
                </p>
              )}
              <ul className="list">
                {data.map((item) => (
                  <FeedLine key={item.id} item={item} />
                ))}
              </ul>
              <div className="row">
                {cursor && (
                  <button type="button" onClick={() => to(null)}>
                    Back to the most pressing
                  </button>
                )}
                {meta.next && (
                  <button type="button" onClick={() => to(meta.next)}>
                    Less pressing
                  </button>
                )}
              </div>
            </Section>
          )}
        </Shown>
        <Advice setId={setId} />
        <Notes setId={setId} mayDecide={mayIn("ai-staff:decide")} />
      </div>
      <StaffChat setId={setId} mayAsk={mayIn("ai-staff:ask")} mayRoute={mayIn("ai-staff:route")} />
    </div>
  );
}

function FeedLine({ item }: { item: Item }): ReactNode {
  const {
    id,
    problemSetId,
    title,
    text,
    severity,
    dueAt,
    read,
    rank,
    tab,
    agentId,
    createdByName,
    createdBy,
    subject,
  } = item;
  const mark = useAct("PATCH /ai-staff/{problemSetId}/feed/{itemId}/read");
  return (
    <li className={read ? "read" : "unread"}>
      <div className="row between">
        <span className="row">
          <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge>
          <strong>{title}</strong>
          {!read && <span className="badge info">new</span>}
        </span>
        {!read && (
          <button
            type="button"
            aria-label={`Mark as read: ${title}`}
            disabled={mark.isPending}
            onClick={() => mark.mutate({ path: { problemSetId, itemId: id } })}
          >
            Mark as read
          </button>
        )}
      </div>
      {text && <p className="pre">{text}</p>}
      <p className="note muted">
        {dueAt && (
          <>
            Due <Time at={dueAt} />.{" "}
          </>
        )}
        {agentId ? "By an agent for " : "By "}
        {createdByName ?? createdBy}, <Time at={item.createdAt} />
        {tab ? `, on ${tab}` : ""}. {subject && <RecordLink {...subject} setId={problemSetId} />}
        <span
          title={`severity ${rank.severity}, urgency ${rank.urgency.toFixed(2)}, new to you ${rank.novelty.toFixed(2)}`}
        >
          Pressing: {Math.round(rank.score)} of 100
        </span>
      </p>
    </li>
  );
}
