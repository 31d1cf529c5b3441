import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { AdminPage } from "../frame.tsx";
import { AddSource } from "./add-source.tsx";
import { Material } from "./material.tsx";
import { RELIABILITY } from "./words.ts";

type Source = ListRow<"GET /admin/osint-sources">;

const COLUMNS: readonly Column<Source>[] = [
  {
    head: "Source",
    cell: ({ name, address }) => (
      <>
        {name} <small className="muted">{address}</small>
      </>
    ),
  },
  { head: "Reliability", cell: ({ reliability }) => `${reliability}: ${RELIABILITY[reliability]}` },
  { head: "How it goes", cell: (source) => <Outcome of={source} /> },
  { head: "Last", cell: ({ lastAt }) => <Time at={lastAt} /> },
  { head: "Next", cell: ({ nextAt }) => (nextAt ? <Time at={nextAt} /> : <span className="muted">not planned</span>) },
  { head: "Acts", isAct: true, cell: (source) => <Acts source={source} /> },
];

/** What is collected by schedule from open sources, beside the news. */
export function Osint(): ReactNode {
  const [search] = useSearchParams();
  const page = usePage();
  const [isAdding, setAdding] = useState(false);
  const sources = useAnswer("GET /admin/osint-sources", [{ query: { page, sort: "name", status: "active" } }], {
    keepsShown: true,
  });
  const open = search.get("source");
  return (
    <AdminPage
      title="Open sources"
      intro="Feeds and pages that are looked at by a schedule; what they bring is kept as material for analysts."
      acts={
        <button type="button" className="primary" onClick={() => setAdding(true)}>
          Add a source
        </button>
      }
    >
      <Shown of={sources}>
        {({ data, meta }) => (
          <>
            <Table
              label="Open sources"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty="Nothing is collected yet. Add a source, and try it before you save it."
            />
            <Pager meta={meta} />
            {open && <Material id={open} name={data.find(({ id }) => id === open)?.name ?? "this source"} />}
          </>
        )}
      </Shown>
      {isAdding && <AddSource onClose={() => setAdding(false)} />}
    </AdminPage>
  );
}

function Outcome({ of: { active, lastOutcome, collected } }: { of: Source }): ReactNode {
  if (!active) return <Badge tone="plain">paused</Badge>;
  return (
    <>
      {lastOutcome && <Badge tone={lastOutcome.ok ? "good" : "bad"}>{lastOutcome.ok ? "well" : "failing"}</Badge>}{" "}
      <small className="muted">{lastOutcome?.message ?? many(collected, "item")}</small>
    </>
  );
}

function Acts({ source }: { source: Source }): ReactNode {
  const [, setSearch] = useSearchParams();
  const { id, name, kind, address, schedule, reliability, active, rev } = source;
  const change = useAct("PUT /admin/osint-sources/{id}", { says: active ? `${name} is paused.` : `${name} goes on.` });
  const remove = useAct("DELETE /admin/osint-sources/{id}", {
    says: ({ data }) => (data.archived ? `${name} is archived; what it brought stays.` : `${name} is removed.`),
  });
  const verb = active ? "Pause" : "Go on";
  return (
    <span className="row">
      <button type="button" aria-label={`Material: ${name}`} onClick={() => setSearch({ source: id })}>
        Material
      </button>
      <button
        type="button"
        aria-label={`${verb}: ${name}`}
        disabled={change.isPending}
        onClick={() =>
          change.mutate({
            path: { id },
            body: { name, kind, address, schedule, reliability, active: !active },
            options: { headers: { "if-match": `"r${rev}"` } },
          })
        }
      >
        {verb}
      </button>
      <ConfirmButton
        words="Remove"
        label={`Remove: ${name}`}
        title={`Remove ${name}?`}
        run={() => remove.mutateAsync({ path: { id } })}
      >
        <p>It is looked at no longer. If it brought something, that stays, and the source is archived beside it.</p>
      </ConfirmButton>
    </span>
  );
}
