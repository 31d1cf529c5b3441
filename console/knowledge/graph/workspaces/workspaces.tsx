import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { useMayIn } from "../../../app/sets.ts";
import { useLive } from "../../../live/live.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Time } from "../../../parts/texts.tsx";
import { PageOfSet } from "../../area.tsx";
import { WorkspaceDialog } from "./workspace-dialog.tsx";
import { takesIn, workspaceAddress, type GraphWorkspace } from "./workspace-words.ts";

/** The parts of a set's graph that people keep under a name. */
export const Workspaces = (): ReactNode => (
  <PageOfSet
    title="Workspaces"
    intro="Parts of the graph under a name: what certain documents or entities bring into it, for everybody who works on that."
    acts={Add}
  >
    {({ id }) => <List setId={id} />}
  </PageOfSet>
);

function Add({ setId }: { setId: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (!useMayIn(setId)("graph:edit")) return null;
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        Keep a workspace
      </button>
      {isOpen && <WorkspaceDialog setId={setId} onClose={() => setOpen(false)} />}
    </>
  );
}

function List({ setId }: { setId: string }): ReactNode {
  const page = usePage();
  const mayEdit = useMayIn(setId)("graph:edit");
  useLive({ problemSetId: setId }, ["graph.changed"]);
  const all = useAnswer("GET /graph/workspaces", [{ query: { problemSetId: setId, sort: "name", page, limit: 50 } }], {
    keepsShown: true,
  });
  return (
    <Section title="Kept parts of the graph">
      <Shown of={all}>
        {({ data, meta }) => (
          <>
            <Table
              label="Workspaces"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty={
                mayEdit
                  ? "None is kept yet. Keep one here, from what the graph shows, or from an entity’s page."
                  : "None is kept yet. Analysts, planners and deputies keep them."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}

const COLUMNS: readonly Column<GraphWorkspace>[] = [
  {
    head: "Name",
    cell: (one) => (
      <>
        <Link to={workspaceAddress(one.id)}>{one.name}</Link> <BarrierOf {...one} />
      </>
    ),
  },
  { head: "Takes in", cell: takesIn },
  { head: "Kept by", cell: ({ createdByName, createdBy }) => createdByName ?? createdBy },
  { head: "Changed", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];
