import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, Form, TextField } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { useMayIn } from "../../app/sets.ts";
import type { AgentShown } from "./agent.tsx";

const MOVES = {
  opened: "Stopped",
  probing: "Being validated",
  passed: "Passed",
  "failed-again": "Failed again",
  reinstated: "Brought back",
} as const;

/** Where one of these fell, the runs that are named are validations. */
const OF_VALIDATION: readonly unknown[] = ["score", "pass-rate"];

/** Why validation stopped an agent, and the way back. */
export function Stopped({ agent }: { agent: AgentShown }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const mayIn = useMayIn(agent.problemSetId);
  const mayAll = useMay("agents:administer");
  const mayReinstate = agent.problemSetId === undefined ? mayAll : mayIn("validation:manage");
  const path = { agentId: agent.id };
  const events = useAnswer("GET /validation/agents/{agentId}/circuit-events", [{ path, query: { limit: 5 } }]);
  return (
    <Section
      title="Stopped by validation"
      acts={
        mayReinstate &&
        agent.circuit === "open" && (
          <button type="button" onClick={() => setOpen(true)}>
            Bring it back
          </button>
        )
      }
    >
      <p>It does nothing until it has passed a validation, or somebody takes responsibility for it.</p>
      <Shown of={events}>
        {({ data }) => (
          <ul className="list">
            {data.map(({ id, move, why, createdAt, runIds, metric }) => (
              <li key={id}>
                <strong>{MOVES[move]}</strong> <Time at={createdAt} />: {why}{" "}
                {runIds[0] && OF_VALIDATION.includes(metric) && (
                  <Link to={`/staff/validation/${runIds[0]}`}>What it rests on</Link>
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
      {isOpen && <BringBack agent={agent} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function BringBack({ agent: { id, name }, onClose }: { agent: AgentShown; onClose(): void }): ReactNode {
  const reinstate = useAct("POST /validation/agents/{agentId}/reinstate", {
    tellsRefusal: false,
    says: `${name} works again.`,
    then: onClose,
  });
  return (
    <Dialog title={`Bring ${name} back`} onClose={onClose}>
      <Form
        act="Bring it back"
        onSubmit={({ reason = "", override }) =>
          reinstate.mutateAsync({ path: { agentId: id }, body: { reason, override: override === "on" } })
        }
      >
        <TextField label="Why it can work again" name="reason" rows={2} minLength={3} required />
        <Check
          label="Without a validation that it passed: on my responsibility"
          name="override"
          hint="You will be asked to prove that it is you."
        />
      </Form>
    </Dialog>
  );
}
