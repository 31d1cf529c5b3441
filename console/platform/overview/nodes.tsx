import type { ReactNode } from "react";
import type { Data } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Share, Time } from "../../parts/texts.tsx";

type Told = Data<"GET /admin/nodes">["nodes"][number];

const MIB = 1024 * 1024;
const size = (bytes: number): string => `${Math.round(bytes / MIB).toLocaleString("en")} MiB`;

const COLUMNS: readonly Column<Told>[] = [
  { head: "Node", cell: ({ node }) => node },
  { head: "Runs", cell: ({ state }) => state?.areas.join(", ") ?? <Badge tone="bad">does not answer</Badge> },
  { head: "Load", cell: ({ node, state }) => state && <Share of={state.busy} label={`Load of ${node}`} /> },
  {
    head: "Memory",
    cell: ({ node, state }) =>
      state && (
        <>
          <Share of={state.heapBytes / state.heapLimitBytes} label={`Memory used of ${node}`} />{" "}
          <small className="muted">{size(state.memoryBytes)} in all</small>
        </>
      ),
  },
  { head: "Version", cell: ({ state }) => state?.version },
  { head: "Started", cell: ({ state }) => state && <Time at={state.startedAt} /> },
];

/** The processes that the platform is made of, each asked at this moment. */
export function Nodes(): ReactNode {
  const nodes = useAnswer("GET /admin/nodes");
  return (
    <Section
      title="Nodes"
      acts={
        <button type="button" disabled={nodes.isFetching} onClick={() => void nodes.refetch()}>
          Ask them again
        </button>
      }
    >
      <Shown of={nodes}>
        {({ data }) => (
          <Table label="Nodes" rows={data.nodes} keyOf={({ node }) => node} columns={COLUMNS} empty="None answered." />
        )}
      </Shown>
    </Section>
  );
}
