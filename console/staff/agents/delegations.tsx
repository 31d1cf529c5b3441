import { useState, type ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useWho } from "../../app/session.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { useMayIn } from "../../app/sets.ts";
import { useStaffPlace } from "../shared/place.ts";
import { CLASS_WORDS, spelled } from "../shared/words.ts";
import type { AgentShown } from "./agent.tsx";
import { DelegateForm } from "./delegate-form.tsx";

type Delegation = ListRow<"GET /agents/{agentId}/delegations">;

const columnsOf = (nameOf: (setId: string) => string): readonly Column<Delegation>[] => [
  { head: "By", cell: ({ byName, by }) => byName ?? by },
  { head: "It may", cell: ({ classes, tools }) => <Allowed {...{ classes, tools }} /> },
  { head: "In", cell: ({ problemSetId }) => nameOf(problemSetId) },
  {
    head: "Until",
    cell: ({ expiresAt, inForce }) => (
      <>
        <Time at={expiresAt} /> {!inForce && <Badge tone="plain">over</Badge>}
      </>
    ),
  },
  {
    head: "Used",
    cell: ({ usedCalls, limits }) => (usedCalls === undefined ? "–" : `${usedCalls} of ${limits.calls} calls`),
  },
  { head: "Acts", isAct: true, cell: (one) => <Withdraw {...one} /> },
];

/** What people let an agent do for them, and until when. */
export function Delegations({ agent }: { agent: AgentShown }): ReactNode {
  const [isGiving, setGiving] = useState(false);
  const { nameOf, sets } = useStaffPlace();
  const mayIn = useMayIn(agent.problemSetId);
  const query = { limit: 50, sort: "-createdAt" as const, status: "live" as const };
  const delegations = useAnswer("GET /agents/{agentId}/delegations", [{ path: { agentId: agent.id }, query }]);
  const mayGive = agent.problemSetId === undefined ? sets.length > 0 : mayIn("agents:delegate");
  return (
    <Section
      title="What it may do for people"
      acts={
        mayGive &&
        agent.status === "active" && (
          <button type="button" onClick={() => setGiving(true)}>
            Let it work for you
          </button>
        )
      }
    >
      <Shown of={delegations}>
        {({ data }) => (
          <Table
            label="Delegations"
            rows={data}
            keyOf={({ id }) => id}
            columns={columnsOf(nameOf)}
            empty="Nobody lets it work for them yet: until somebody does, it can do nothing."
          />
        )}
      </Shown>
      {isGiving && (
        <Dialog title={`Let ${agent.name} work for you`} onClose={() => setGiving(false)}>
          <DelegateForm agent={agent} then={() => setGiving(false)} />
        </Dialog>
      )}
    </Section>
  );
}

const Allowed = ({ classes, tools }: Pick<Delegation, "classes" | "tools">): ReactNode => (
  <ul className="plain-list">
    {classes.map((one) => (
      <li key={one}>{CLASS_WORDS[one]}</li>
    ))}
    {tools.map((one) => (
      <li key={one}>{spelled(one)}</li>
    ))}
  </ul>
);

function Withdraw({ id, by, problemSetId }: Delegation): ReactNode {
  const { userId } = useWho();
  const mayIn = useMayIn(problemSetId);
  const withdraw = useAct("DELETE /agents/delegations/{delegationId}", {
    says: "It is withdrawn: nothing more is done under it.",
  });
  if (by !== userId && !mayIn("agents:manage")) return null;
  return (
    <button type="button" disabled={withdraw.isPending} onClick={() => withdraw.mutate({ path: { delegationId: id } })}>
      Withdraw
    </button>
  );
}
