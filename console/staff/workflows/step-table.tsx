import type { ReactNode } from "react";
import { Link } from "react-router";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge } from "../../parts/texts.tsx";
import { Value } from "../shared/values.tsx";
import { duration, spelled } from "../shared/words.ts";
import type { DrawnWorkflow } from "./layout.ts";
import { KIND_WORDS } from "./picture.tsx";
import type { WorkflowRun } from "./workflow.tsx";

type Logged = WorkflowRun["log"][number];
interface Row {
  id: string;
  kind: string;
  state: string;
  after: string;
  ms: number | null;
  logged: Logged | undefined;
}

const ON = { done: "", then: " (yes)", else: " (no)", error: " (it failed)" } as const;

/** The steps of the picture, and those within a "for each", in words. */
export function rowsOf(graph: DrawnWorkflow, log: readonly Logged[]): Row[] {
  const byPath = new Map(log.map((step) => [step.path, step]));
  const drawn = graph.nodes.map(({ id, kind, state, ms }) => ({
    id,
    kind,
    state,
    ms,
    after: graph.edges
      .filter(({ to }) => to === id)
      .map(({ from, on }) => from + ON[on])
      .join(", "),
    logged: byPath.get(id),
  }));
  const known = new Set(graph.nodes.map(({ id }) => id));
  const within = log
    .filter(({ path }) => !known.has(path))
    .map((step) => ({
      id: step.path,
      kind: step.kind,
      state: step.status,
      after: "",
      ms: step.ms ?? null,
      logged: step,
    }));
  return [...drawn, ...within];
}

const COLUMNS: readonly Column<Row>[] = [
  { head: "Step", cell: ({ id }) => id },
  { head: "What it is", cell: ({ kind, logged }) => (logged?.tool ? spelled(logged.tool) : KIND_WORDS[kind]) },
  {
    head: "State",
    cell: ({ state }) => <Badge {...(state === "pending" && { tone: "plain" as const })}>{state}</Badge>,
  },
  { head: "After", cell: ({ after }) => after || "–" },
  { head: "Took", cell: ({ ms }) => (ms === null ? "–" : duration(ms)), isFigure: true },
  { head: "What came of it", cell: ({ logged }) => logged && <CameOfIt step={logged} /> },
];

export const StepTable = ({ run, graph }: { run: WorkflowRun; graph: DrawnWorkflow }): ReactNode => (
  <div className="step-table">
    <Table
      label="Steps"
      rows={rowsOf(graph, run.log)}
      keyOf={({ id }) => id}
      columns={COLUMNS}
      empty="It has no steps yet."
    />
  </div>
);

function CameOfIt({ step }: { step: Logged }): ReactNode {
  const { status, why, output, runId, approvedBy, approvedByName, attempts } = step;
  return (
    <>
      {why && status !== "completed" && <span>{why} </span>}
      {approvedBy && <span>Approved by {approvedByName ?? approvedBy}. </span>}
      {attempts.length > 1 && <span className="muted">{attempts.length} attempts. </span>}
      {runId && <Link to={`/staff/runs/${runId}`}>Its run</Link>}
      {output && (
        <details>
          <summary>Result</summary>
          <Value of={output} />
        </details>
      )}
    </>
  );
}
