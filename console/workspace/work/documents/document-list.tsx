import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../../api/client.ts";
import { useAnswer } from "../../../api/hooks.ts";
import { useLive } from "../../../live/live.ts";
import { Field, Form, Select } from "../../../parts/form.tsx";
import { Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Barrier } from "../compartments.tsx";
import { DOCUMENT_STATUSES, FORMATS, formatWords, statusWords } from "./document-words.ts";
import { Upload } from "./upload.tsx";

type DocumentLine = ListRow<"GET /documents">;

const COLUMNS: readonly Column<DocumentLine>[] = [
  {
    head: "Document",
    cell: ({ problemSetId, id, title, reference, issuer }) => (
      <>
        <Link to={`/workspace/${problemSetId}/documents/${id}`}>{title}</Link>
        {(reference || issuer) && (
          <small className="muted under">{[reference, issuer].filter(Boolean).join(", ")}</small>
        )}
      </>
    ),
  },
  {
    head: "State",
    cell: ({ status, compartments }) => (
      <span className="row">
        <Badge tone={TONES[status]}>{statusWords(status)}</Badge>
        <Barrier compartments={compartments} />
      </span>
    ),
  },
  { head: "Kind", cell: ({ format, kind }) => [kind, formatWords(format)].filter(Boolean).join(", ") },
  { head: "Version", isFigure: true, cell: ({ version }) => version },
  { head: "Put in by", cell: ({ createdByName, createdBy }) => createdByName ?? createdBy },
  { head: "Changed", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];
const TONES = { ready: "good", received: "info", reading: "info", unreadable: "bad", withdrawn: "plain" } as const;

/** The files of a problem set, and a place to put more in. */
export function DocumentList(): ReactNode {
  const { set, maySet } = useSet();
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  useLive({ problemSetId: set.id }, ["document.changed"]);
  const q = search.get("q") ?? undefined;
  const status = DOCUMENT_STATUSES.find(([name]) => name === search.get("status"))?.[0];
  const format = FORMATS.find(([name]) => name === search.get("format"))?.[0];
  const documents = useAnswer(
    "GET /documents",
    [
      {
        query: {
          problemSetId: set.id,
          page,
          sort: "-updatedAt",
          ...(q && { q }),
          ...(status && { status }),
          ...(format && { format }),
        },
      },
    ],
    { keepsShown: true },
  );
  return (
    <SetPage
      title="Documents"
      intro="Files of this problem set: their text can be read here and cited."
      acts={
        <>
          <Link to={`/workspace/${set.id}/containers`}>Containers</Link>
          <Link to={`/workspace/${set.id}/documents/topics`}>What they are about</Link>
          <Link to={`/workspace/${set.id}/tasks`}>Tasks about documents</Link>
        </>
      }
    >
      {maySet("documents:add") && <Upload />}
      <Form act="Show" isInline label="Filter documents" onSubmit={(fields) => setSearch(fields)}>
        <Field label="Words of the title" name="q" type="search" defaultValue={q ?? ""} />
        <Select label="State" name="status" defaultValue={status ?? ""} options={[["", "any"], ...DOCUMENT_STATUSES]} />
        <Select label="Kind" name="format" defaultValue={format ?? ""} options={[["", "any"], ...FORMATS]} />
      </Form>
      <Shown of={documents}>
        {({ data, meta }) => (
          <>
            <Table
              label="Documents"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty={
                q || status || format
                  ? "No document fits these filters."
                  : "No document is here yet. Put in orders, plans and reports that the work rests on."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </SetPage>
  );
}
