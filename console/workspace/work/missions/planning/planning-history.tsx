import type { ReactNode } from "react";
import { Table, type Column } from "../../../../parts/table.tsx";
import { Time } from "../../../../parts/texts.tsx";
import { PHASE_TITLES, type WorkflowShown } from "../phase-words.ts";

const COLUMNS: readonly Column<WorkflowShown["history"][number]>[] = [
  { head: "Step", cell: ({ phase }) => PHASE_TITLES[phase] },
  { head: "From", cell: ({ from }) => <Time at={from} /> },
  { head: "Until", cell: ({ until }) => (until ? <Time at={until} /> : "now") },
  { head: "Moved by", cell: ({ byName, by }) => byName ?? by },
  { head: "Note", cell: ({ note }) => note ?? <span className="muted">none</span> },
];

/** How planning came to where it is. */
export const PlanningHistory = ({ workflow: { history } }: { workflow: WorkflowShown }): ReactNode => (
  <details>
    <summary>How it came here</summary>
    <Table
      label="Steps so far"
      rows={history.toReversed()}
      keyOf={({ from }) => from}
      columns={COLUMNS}
      empty="No step was taken yet."
    />
  </details>
);
