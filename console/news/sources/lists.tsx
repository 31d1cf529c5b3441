import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Page, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";

type List = ListRow<"GET /sources/lists">;

const COLUMNS: readonly Column<List>[] = [
  { head: "List", cell: (list) => <Name {...list} /> },
  { head: "Sources", cell: ({ sourceIds }) => many(sourceIds.length, "source") },
  { head: "Now", cell: ({ active }) => (active ? <Badge>active</Badge> : <span className="muted">not in use</span>) },
  { head: "Changed", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  { head: "Acts", isAct: true, cell: (list) => <Acts {...list} /> },
];

/** Named sets of sources, one of which may narrow the news for everybody. */
export function SourceLists(): ReactNode {
  const mayCurate = useMay("lists:curate");
  const page = usePage();
  const lists = useAnswer("GET /sources/lists", [{ query: { page, sort: "name" } }], { keepsShown: true });
  return (
    <Page
      title="Source lists"
      intro="A briefing can be made of the sources of any list. While a list is active, the overview, figures and briefings use its sources alone, for everybody."
      acts={
        mayCurate && (
          <Link className="button" to="/news/sources/lists/new">
            Make a list
          </Link>
        )
      }
    >
      <Shown of={lists}>
        {({ data, meta }) => (
          <>
            <Table
              label="Source lists"
              rows={data}
              keyOf={({ id }) => id}
              columns={mayCurate ? COLUMNS : COLUMNS.slice(0, -1)}
              empty="There is no list yet: all sources count. A list is of use for a briefing about one matter."
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Page>
  );
}

const Name = ({ id, name }: List): ReactNode =>
  useMay("lists:curate") ? <Link to={`/news/sources/lists/${id}`}>{name}</Link> : name;

function Acts({ id, name, active }: List): ReactNode {
  const [isRemoving, setRemoving] = useState(false);
  const activate = useAct("POST /sources/lists/{id}/activate", { says: `${name} is active, for everybody.` });
  const deactivate = useAct("DELETE /sources/lists/active", { says: "All sources count again." });
  const remove = useAct("DELETE /sources/lists/{id}", { says: `${name} is removed.`, then: () => setRemoving(false) });
  const isBusy = activate.isPending || deactivate.isPending;
  return (
    <span className="row">
      <button
        type="button"
        disabled={isBusy}
        aria-label={`${active ? "Deactivate" : "Activate"}: ${name}`}
        onClick={() => (active ? deactivate.mutate({}) : activate.mutate({ path: { id } }))}
      >
        {active ? "Deactivate" : "Activate"}
      </button>
      <button type="button" className="danger" aria-label={`Remove: ${name}`} onClick={() => setRemoving(true)}>
        Remove
      </button>
      {isRemoving && (
        <Confirm
          title={`Remove ${name}`}
          act="Remove"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate({ path: { id } })}
          onClose={() => setRemoving(false)}
        >
          <p>The list is forgotten; its sources stay.{active && " It is active: all sources count again then."}</p>
        </Confirm>
      )}
    </span>
  );
}
