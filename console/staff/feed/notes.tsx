import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Pager, usePage } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { recordPlace } from "../shared/record-place.ts";

type Note = ListRow<"GET /ai-staff/{problemSetId}/annotations">;
type Status = Note["status"];

/** What a note can become, and the verb for it. */
const MOVES: Readonly<Record<Status, readonly (readonly [Status, string])[]>> = {
  proposed: [
    ["accepted", "Accept"],
    ["dismissed", "Dismiss"],
  ],
  accepted: [["resolved", "Resolved"]],
  dismissed: [["proposed", "Propose again"]],
  resolved: [],
};
const EMPTY: Readonly<Record<Status, string>> = {
  proposed:
    "No note waits for a decision. Members and agents propose notes on documents, objectives, missions and gates.",
  accepted: "No accepted note is open.",
  dismissed: "No note was dismissed.",
  resolved: "No note is resolved yet.",
};

/** Notes on records: proposed by people and agents, decided by people. */
export function Notes({ setId, mayDecide }: { setId: string; mayDecide: boolean }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const status = (search.get("notes") ?? "proposed") as Status;
  const page = usePage();
  const path = { problemSetId: setId };
  const query = { status, page, sort: "-createdAt" as const };
  const notes = useAnswer("GET /ai-staff/{problemSetId}/annotations", [{ path, query }], { keepsShown: true });
  useLive(path, ["activity.item"], undefined, { ops: ["GET /ai-staff/{problemSetId}/annotations"] });
  return (
    <Section
      title="Notes on records"
      acts={
        <select
          aria-label="Which notes"
          value={status}
          onChange={({ currentTarget: { value } }) => {
            const changed = new URLSearchParams(search);
            changed.set("notes", value);
            changed.delete("page");
            setSearch(changed);
          }}
        >
          {Object.keys(MOVES).map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      }
    >
      <Shown of={notes}>
        {({ data, meta }) => (
          <>
            {data.length === 0 && <p className="empty">{EMPTY[status]}</p>}
            <ul className="list">
              {data.map((note) => (
                <NoteLine key={note.id} note={note} mayDecide={mayDecide} />
              ))}
            </ul>
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}

const Target = ({ targetType, targetId, problemSetId }: Note): ReactNode => (
  <Link to={recordPlace(targetType, targetId, problemSetId) ?? `/workspace/${problemSetId}`}>{targetType}</Link>
);

function NoteLine({ note, mayDecide }: { note: Note; mayDecide: boolean }): ReactNode {
  const { id, problemSetId, text, span, status, stale, agentId, createdByName, createdBy, reason } = note;
  const decide = useAct("PATCH /ai-staff/{problemSetId}/annotations/{annotationId}", {
    says: ({ data }) => `The note is ${data.status}.`,
  });
  return (
    <li>
      {span?.quote && <blockquote>{span.quote}</blockquote>}
      <p className="pre">{text}</p>
      <p className="note muted">
        On a <Target {...note} />, {agentId ? "by an agent for" : "by"} {createdByName ?? createdBy},{" "}
        <Time at={note.createdAt} />. {reason}
        {stale && <Badge tone="warn">what it is about has changed since</Badge>}
      </p>
      {mayDecide && (
        <div className="row">
          {MOVES[status].map(([next, words]) => (
            <button
              key={next}
              type="button"
              aria-label={`${words}: ${text.slice(0, 60)}`}
              disabled={decide.isPending}
              onClick={() => decide.mutate({ path: { problemSetId, annotationId: id }, body: { status: next } })}
            >
              {words}
            </button>
          ))}
        </div>
      )}
    </li>
  );
}
