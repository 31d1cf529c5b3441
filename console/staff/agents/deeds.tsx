import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import type { ListRow } from "../../api/client.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { spelled } from "../shared/words.ts";

type Deed = ListRow<"GET /agents/{agentId}/actions">;
const COLUMNS: readonly Column<Deed>[] = [
  { head: "Act", cell: ({ tool, executionId }) => <Link to={`/staff/runs/${executionId}`}>{spelled(tool)}</Link> },
  {
    head: "Outcome",
    cell: ({ status }) => <Badge {...(status === "refused" && { tone: "warn" as const })}>{status}</Badge>,
  },
  { head: "Why it was let pass, or not", cell: ({ why }) => why },
  { head: "For", cell: ({ byName, by }) => byName ?? by },
  { head: "When", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** What an agent did for anybody, refusals included: read when somebody asks for it. */
export function Deeds({ agentId }: { agentId: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Everything it did, for anybody"
      acts={
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide" : "Show"}
        </button>
      }
    >
      {isOpen && <DeedsTable agentId={agentId} />}
    </Section>
  );
}

function DeedsTable({ agentId }: { agentId: string }): ReactNode {
  const [cursor, setCursor] = useState<string>();
  const query = { limit: 20, ...(cursor && { cursor }) };
  const deeds = useAnswer("GET /agents/{agentId}/actions", [{ path: { agentId }, query }], { keepsShown: true });
  return (
    <Shown of={deeds}>
      {({ data, meta }) => (
        <>
          <Table
            label="Everything it did"
            rows={data}
            keyOf={({ id }) => id}
            columns={COLUMNS}
            empty="It has done nothing yet."
          />
          <div className="row">
            {cursor && (
              <button type="button" onClick={() => setCursor(undefined)}>
                Back to the newest
              </button>
            )}
            {meta.next && (
              <button type="button" onClick={() => setCursor(meta.next!)}>
                Earlier
              </button>
            )}
          </div>
        </>
      )}
    </Shown>
  );
}
