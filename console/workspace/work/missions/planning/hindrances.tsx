import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAct } from "../../../../api/hooks.ts";
import { useSet } from "../../../set/use-set.tsx";
import { PHASE_TITLES, stageAfter, type WorkflowShown } from "../phase-words.ts";

type Hindrance = WorkflowShown["blockers"][number];

/** What has to be done before the next step, each with the way to do it. */
export function Hindrances({ workflow, isOpen }: { workflow: WorkflowShown; isOpen: boolean }): ReactNode {
  const { maySet } = useSet();
  const next = stageAfter(workflow.phase);
  if (!next) return null;
  if (!isOpen) return <p className="muted">The mission is over: its planning does not go on.</p>;
  const { blockers } = workflow;
  if (!blockers.length)
    return (
      <p className="free">
        Nothing holds it back: it can go on to “{PHASE_TITLES[next]}”.
        {!maySet("mdmp:decide") && " The commander or a deputy moves it on."}
      </p>
    );
  return (
    <div className="held">
      <h3>Before “{PHASE_TITLES[next]}”</h3>
      <ul className="list" aria-label="What holds the next step back">
        {blockers.map((one) => (
          <li key={one.id} className="row between steady">
            <span>{hindranceWords(one, workflow)}</span>
            <Remedy missionId={workflow.id} hindrance={one} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The API's words; a phase's gate is called a condition here, so that it is not taken for a gate that people decide. */
function hindranceWords({ kind, id, message }: Hindrance, { gates }: WorkflowShown): string {
  const condition = kind === "phase-gate" && gates.find((one) => one.id === id);
  return condition ? `The condition “${condition.name}” is not met.` : message;
}

function Remedy({
  missionId,
  hindrance: { kind, id, message },
}: {
  missionId: string;
  hindrance: Hindrance;
}): ReactNode {
  const { set, maySet } = useSet();
  const accept = useAct("PUT /mdmp/workflows/{missionId}/assumptions/{id}/accept", {
    says: "The assumption is accepted.",
  });
  const meet = useAct("PUT /mdmp/workflows/{missionId}/gates/{gateId}", { says: "The condition is met." });
  if (kind === "decision-gate") return <Link to={`/workspace/${set.id}/gates/${id}`}>Open the gate</Link>;
  if (!maySet("mdmp:decide")) return <small className="muted">The commander or a deputy decides.</small>;
  const isAssumption = kind === "assumption";
  return (
    <button
      type="button"
      aria-label={`${isAssumption ? "Accept" : "It is met"}: ${message}`}
      disabled={accept.isPending || meet.isPending}
      onClick={() =>
        isAssumption
          ? accept.mutate({ path: { missionId, id }, body: { accepted: true } })
          : meet.mutate({ path: { missionId, gateId: id }, body: { satisfied: true } })
      }
    >
      {isAssumption ? "Accept" : "It is met"}
    </button>
  );
}
