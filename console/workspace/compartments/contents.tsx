import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { useSet } from "../set/use-set.tsx";
import type { SetCompartment } from "../../app/compartments.tsx";

type Counted = ListRow<"GET /problem-sets/{id}/compartments/{cid}/contents">;

/** How much of what lies in a compartment; told to those who are read in. */
export function Contents({ compartment: { id, problemSetId } }: { compartment: SetCompartment }): ReactNode {
  const contents = useAnswer("GET /problem-sets/{id}/compartments/{cid}/contents", [
    { path: { id: problemSetId, cid: id } },
  ]);
  return (
    <Section title="What lies in it">
      <Shown of={contents}>
        {({ data }) => (
          <Table
            label="What lies in it"
            rows={data}
            keyOf={({ kind }) => kind}
            columns={COLUMNS}
            empty="Nothing yet. Whoever is read in chooses this compartment when they write a gate, a mission, a message or a document."
          />
        )}
      </Shown>
    </Section>
  );
}

const COLUMNS: readonly Column<Counted>[] = [
  { head: "Kind", cell: ({ kind }) => <LinkedKind kind={kind} /> },
  { head: "How many", isFigure: true, cell: ({ count }) => count.toLocaleString("en") },
];

/** Kinds that have a page in the set: what lies here stands there, among the rest. */
const TABS: Readonly<Record<string, string>> = {
  gate: "gates",
  mission: "missions",
  message: "messages",
  document: "documents",
  "activity item": "activity",
  "encryption key": "keys",
};
function LinkedKind({ kind }: Pick<Counted, "kind">): ReactNode {
  const { set } = useSet();
  const tab = TABS[kind];
  return tab ? <Link to={`/workspace/${set.id}/${tab}`}>{kind}</Link> : kind;
}
