import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";

type DocumentKnown = ListRow<"GET /documents">;

const COLUMNS: readonly Column<DocumentKnown>[] = [
  {
    head: "Title",
    cell: ({ id, problemSetId, title }) => <Link to={`/workspace/${problemSetId}/documents/${id}`}>{title}</Link>,
  },
  { head: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

type BuildKnown = ListRow<"GET /graph/builds">;

/** What came of reading a document in; one that was never read, or has another version since, can be read. */
function InGraph({
  document: { id, problemSetId, title, status, version },
  build,
  mayBuild,
}: {
  document: DocumentKnown;
  build: BuildKnown | undefined;
  mayBuild: boolean;
}): ReactNode {
  const navigate = useNavigate();
  if (build && build.version === version)
    return (
      <>
        <Link to={`?set=${problemSetId}&document=${id}`} aria-label={`${BUILT[build.status].words}: ${title}`}>
          <Badge tone={BUILT[build.status].tone}>{BUILT[build.status].words}</Badge>
        </Link>
        {build.status === "completed" && (
          <small className="muted">
            {" "}
            {many(build.entities ?? 0, "entity", "entities")}, {many(build.relations ?? 0, "relation")}
          </small>
        )}
      </>
    );
  if (status !== "ready") return <Badge>{status}</Badge>;
  if (!mayBuild) return <span className="muted">{build ? "an older version" : "not read in"}</span>;
  return (
    <button
      type="button"
      aria-label={`Read in: ${title}`}
      onClick={() => void navigate(`?set=${problemSetId}&document=${id}`, { state: { begins: true } })}
    >
      {build ? "Read the new version in" : "Read in"}
    </button>
  );
}

const inGraph = (newest: ReadonlyMap<string | undefined, BuildKnown>, mayBuild: boolean): Column<DocumentKnown> => ({
  head: "Graph",
  cell: (document) => <InGraph {...{ document, mayBuild }} build={newest.get(document.id)} />,
});

const BUILT = {
  completed: { tone: "good", words: "in the graph" },
  running: { tone: "info", words: "being read in" },
  failed: { tone: "bad", words: "could not be read in" },
} as const;

/** The newest documents of the set, each of which can be read into the graph. */
export function Known({ setId, mayBuild }: { setId: string; mayBuild: boolean }): ReactNode {
  const query = { problemSetId: setId, sort: "-createdAt" as const, limit: 10 };
  const documents = useAnswer("GET /documents", [{ query }]);
  const ids = documents.data?.data.map(({ id }) => id) ?? [];
  const asked = { problemSetId: setId, documentIds: ids, limit: 100 };
  const builds = useAnswer("GET /graph/builds", [{ query: asked }], { enabled: ids.length > 0, keepsShown: true });
  // The newest come first.
  const newest = new Map(builds.data?.data.toReversed().map((one) => [one.documentId, one]));
  return (
    <Section title="Documents" acts={<Link to={`/workspace/${setId}/documents`}>All documents</Link>}>
      <Shown of={documents}>
        {({ data }) => (
          <Table
            label="Newest documents"
            rows={data}
            keyOf={({ id }) => id}
            empty="No document is here yet. Add a report above."
            columns={builds.data || !ids.length ? [...COLUMNS, inGraph(newest, mayBuild)] : COLUMNS}
          />
        )}
      </Shown>
    </Section>
  );
}
