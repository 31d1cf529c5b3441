import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { many } from "../../parts/texts.tsx";

type Run = ListRow<"GET /agents/executions">;

export const RUNS_LIVE = ["agent.execution.changed"] as const;
const WAITS = { approval: "waits for approval", settlement: "waits: did it happen?" } as const;

export const RunState = ({ status, waitingFor }: Pick<Run, "status" | "waitingFor">): ReactNode => (
  <Badge {...((waitingFor || status === "stopped") && { tone: "warn" as const })}>
    {waitingFor ? WAITS[waitingFor.what] : status}
  </Badge>
);

const COLUMNS: readonly Column<Run>[] = [
  { head: "Task", cell: ({ id, task }) => <Link to={`/staff/runs/${id}`}>{task.slice(0, 160)}</Link> },
  { head: "Agent", cell: ({ agentName, agentId }) => agentName ?? agentId },
  { head: "State", cell: (run) => <RunState {...run} /> },
  { head: "Steps", cell: ({ steps, dryRun }) => `${steps}${dryRun ? ", a rehearsal" : ""}` },
  { head: "Changed", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

/** The person's runs of agents, live, those that changed last first. */
export function Runs({ title, setId, agentId }: { title: string; setId?: string; agentId?: string }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const cursor = search.get("runs") ?? undefined;
  const query = {
    limit: 15,
    ...(cursor && { cursor }),
    ...(setId !== undefined && { problemSetId: setId }),
    ...(agentId && { agentId }),
  };
  const runs = useAnswer("GET /agents/executions", [{ query }], { keepsShown: true });
  useLive(undefined, RUNS_LIVE, undefined, {
    ops: ["GET /agents/executions", "GET /agents/approvals"],
  });
  const step = (to: string | null) => (): void => {
    const changed = new URLSearchParams(search);
    if (to) changed.set("runs", to);
    else changed.delete("runs");
    setSearch(changed);
  };
  return (
    <Section title={title}>
      <Shown of={runs}>
        {({ data, meta }) => (
          <>
            <Table
              label={title}
              rows={data}
              keyOf={({ id }) => id}
              columns={agentId ? COLUMNS.filter(({ head }) => head !== "Agent") : COLUMNS}
              empty="You have given no agent any work here. Choose an agent, and give it some."
            />
            {(meta.next || cursor) && (
              <div className="row">
                <span className="muted">{many(meta.total, "run")} in all</span>
                {cursor && (
                  <button type="button" onClick={step(null)}>
                    Back to the newest
                  </button>
                )}
                {meta.next && (
                  <button type="button" onClick={step(meta.next)}>
                    Earlier runs
                  </button>
                )}
              </div>
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}
