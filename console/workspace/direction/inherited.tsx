import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Badge, many } from "../../parts/texts.tsx";
import { useSet } from "../set/use-set.tsx";
import { InheritedChanges } from "./inherited-changes.tsx";
import { NewRemark } from "./remark-dialog.tsx";
import { Remarks } from "./remarks.tsx";
import type { Remark } from "./remark-words.ts";

type InheritedItem = Data<"GET /inheritance/{id}/inherited-context">["items"][number];
/** Remarks are looked through so far back. */
const REMARKS = 100;

/** What the set above passes on, what was said about it, and whether this person has taken note of it. */
export function Inherited(): ReactNode {
  const { set, maySet } = useSet();
  const path = { id: set.id };
  const context = useAnswer("GET /inheritance/{id}/inherited-context", [{ path }]);
  const note = useAct("POST /inheritance/{id}/inherited-context/acknowledge", { says: "Noted, in this version." });
  const [asked, setAsked] = useState<InheritedItem>();
  const remarks = useAnswer("GET /inheritance/{id}/annotations", [
    { path, query: { sort: "-createdAt", limit: REMARKS } },
  ]);
  const about = Map.groupBy(remarks.data?.data ?? [], ({ itemId }) => itemId);
  if (context.data && !context.data.data.items.length)
    return (
      <Section title="From the set above">
        <Empty>No set above passes anything on to this one.</Empty>
      </Section>
    );
  return (
    <Section title="From the set above">
      <Shown of={context}>
        {({ data: { items, version, acknowledged, changes, truncated } }) => (
          <>
            {changes > 0 || acknowledged !== version ? (
              <div className="row between">
                <span>
                  <Badge tone="warn">new</Badge>{" "}
                  {acknowledged
                    ? `${many(changes, "change")} since you took note.`
                    : "You have not taken note of it yet."}
                </span>
                {maySet("inheritance:read") && (
                  <button
                    type="button"
                    className="primary"
                    disabled={note.isPending}
                    onClick={() => note.mutate({ path, body: { version } })}
                  >
                    Take note
                  </button>
                )}
              </div>
            ) : (
              <p className="muted">You have taken note of all of it.</p>
            )}
            <ul className="list">
              {items.map((item) => (
                <li key={item.id}>
                  <ItemLine item={item} remarks={about.get(item.id) ?? []} onRemark={() => setAsked(item)} />
                </li>
              ))}
            </ul>
            {(remarks.data?.meta.total ?? 0) > REMARKS && <p className="muted">With the last {REMARKS} remarks.</p>}
            {truncated && <p className="muted">There is more than is shown here.</p>}
            <InheritedChanges />
          </>
        )}
      </Shown>
      {asked && <NewRemark item={asked} onClose={() => setAsked(undefined)} />}
    </Section>
  );
}

interface ItemProps {
  item: InheritedItem;
  remarks: readonly Remark[];
  onRemark(): void;
}
function ItemLine({
  item: { kind, title, text, status, withdrawn, parentId, sourceId },
  remarks,
  onRemark,
}: ItemProps): ReactNode {
  const { maySet } = useSet();
  return (
    <>
      <div className="entry">
        <span>
          <small className="muted">{kind}</small>{" "}
          {kind === "gate" && parentId ? (
            <Link to={`/workspace/${parentId}/gates/${sourceId}`}>{title}</Link>
          ) : (
            <strong>{title}</strong>
          )}{" "}
          {withdrawn ? <Badge>taken back</Badge> : kind === "gate" && <Badge>{status}</Badge>}
          {text && <p className="muted as-written">{text}</p>}
        </span>
        {maySet("inheritance:annotate") && !withdrawn && (
          <button type="button" aria-label={`Write a remark on ${title}`} onClick={onRemark}>
            Remark
          </button>
        )}
      </div>
      {remarks.length > 0 && <Remarks of={remarks} />}
    </>
  );
}
