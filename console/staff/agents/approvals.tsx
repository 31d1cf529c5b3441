import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Section } from "../../parts/page.tsx";
import { Decision } from "../shared/decision.tsx";
import { Values } from "../shared/values.tsx";
import { spelled } from "../shared/words.ts";

type Approval = ListRow<"GET /agents/approvals">;

/** Acts of agents that wait for a person; nothing where none do. */
export function Approvals({
  setId,
  agentId,
  executionId,
}: {
  setId?: string | undefined;
  agentId?: string;
  executionId?: string;
}): ReactNode {
  const query = { limit: 100, sort: "expiresAt" as const, ...(setId !== undefined && { problemSetId: setId }) };
  const { data } = useAnswer("GET /agents/approvals", [{ query }]);
  const asked = (data?.data ?? []).filter(
    (one) => (!agentId || one.agentId === agentId) && (!executionId || one.executionId === executionId),
  );
  if (!asked.length) return null;
  return (
    <Section title={`Waiting for a decision (${asked.length})`}>
      {asked.map((one) => (
        <Asked key={one.id} approval={one} />
      ))}
    </Section>
  );
}

function Asked({ approval }: { approval: Approval }): ReactNode {
  const { id, hash, tool, agentName, agentId, executionId, forName, why, arguments: given } = approval;
  const decide = useAct("POST /agents/approvals/{approvalId}/decide", {
    says: ({ data }) => (data.status === "rejected" ? "It is refused." : "It is approved, and goes on."),
  });
  const answer =
    (decision: "approve" | "reject") =>
    (reason: string | undefined): void =>
      decide.mutate({ path: { approvalId: id }, body: { hash, decision, ...(reason && { reason }) } });
  const { problemSetId: _set, ...values } = given;
  return (
    <Decision
      title={`${agentName ?? "An agent"} asks: ${spelled(tool).toLowerCase()}`}
      expiresAt={approval.expiresAt}
      approver={approval.approver}
      mayDecide={approval.mayDecide}
      isBusy={decide.isPending}
      onYes={answer("approve")}
      onNo={answer("reject")}
    >
      <Values of={values} />
      <p className="muted">
        For {forName ?? approval.for}, by the agent <Link to={`/staff/agents/${agentId}`}>{agentName ?? agentId}</Link>.{" "}
        {why} <Link to={`/staff/runs/${executionId}`}>Its run</Link>
      </p>
    </Decision>
  );
}
