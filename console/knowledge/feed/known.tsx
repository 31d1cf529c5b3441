import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";

type DocumentKnown = ListRow<"GET /documents">;

const COLUMNS: readonly Column<DocumentKnown>[] = [
  {
    head: "Title",
    cell: ({ id, problemSetId, title }) => <Link to={`/workspace/${problemSetId}/documents/${id}`}>{title}</Link>,
  },
  { head: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: "Graph", cell: (document) => <ReadButton {...document} /> },
];

/** Reading again what was read in shows what came of it. */
function ReadButton({ id, problemSetId, title, status }: DocumentKnown): ReactNode {
  const navigate = useNavigate();
  if (status !== "ready") return <Badge>{status}</Badge>;
  return (
    <button
      type="button"
      aria-label={`Read in: ${title}`}
      onClick={() => void navigate(`?set=${problemSetId}&document=${id}`, { state: { begins: true } })}
    >
      Read in
    </button>
  );
}

/** The newest documents of the set, each of which can be read into the graph. */
export function Known({ setId, mayBuild }: { setId: string; mayBuild: boolean }): ReactNode {
  const query = { problemSetId: setId, sort: "-createdAt" as const, limit: 10 };
  const documents = useAnswer("GET /documents", [{ query }]);
  return (
    <Section title="Documents" acts={<Link to={`/workspace/${setId}/documents`}>All documents</Link>}>
      <Shown of={documents}>
        {({ data }) => (
          <Table
            label="Newest documents"
            rows={data}
            keyOf={({ id }) => id}
            empty="No document is here yet. Add a report above."
            columns={mayBuild ? COLUMNS : COLUMNS.slice(0, -1)}
          />
        )}
      </Shown>
    </Section>
  );
}
