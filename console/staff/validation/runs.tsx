import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Progress, Time } from "../../parts/texts.tsx";

type Run = ListRow<"GET /validation/runs">;

export const RUN_COLUMNS: readonly Column<Run>[] = [
  { head: "Suite", cell: ({ id, suiteName }) => <Link to={`/staff/validation/${id}`}>{suiteName}</Link> },
  {
    head: "Agent",
    cell: ({ agentId, agentName }) => <Link to={`/staff/validation/agents/${agentId}`}>{agentName}</Link>,
  },
  { head: "State", cell: (run) => <RunProgress {...run} /> },
  {
    head: "Cases passed",
    cell: ({ passRate }) => (passRate === undefined ? "–" : `${Math.round(passRate * 100)} %`),
    isFigure: true,
  },
  { head: "Began", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const RunProgress = ({ status, done, cases, repeats, agentName }: Run): ReactNode =>
  status === "running" || status === "queued" ? (
    <Progress label={`Validating ${agentName}`} done={done} total={cases.length * repeats} />
  ) : (
    <Badge>{status}</Badge>
  );

export function LatestRuns({ setId }: { setId: string | undefined }): ReactNode {
  const page = usePage();
  const query = { page, sort: "-createdAt" as const, ...(setId !== undefined && { problemSetId: setId }) };
  const runs = useAnswer("GET /validation/runs", [{ query }], { keepsShown: true });
  return (
    <Section title="Latest validations">
      <Shown of={runs}>
        {({ data, meta }) => (
          <>
            <Table
              label="Latest validations"
              rows={data}
              keyOf={({ id }) => id}
              columns={RUN_COLUMNS}
              empty="Nothing was validated here yet."
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}
