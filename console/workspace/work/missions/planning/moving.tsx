import { useState, type ReactNode } from "react";
import { useAct } from "../../../../api/hooks.ts";
import { Dialog } from "../../../../parts/dialog.tsx";
import { Form, Select, TextField } from "../../../../parts/form.tsx";
import { useSet } from "../../../set/use-set.tsx";
import { PHASE_TITLES, placeOf, stageAfter, type PlanningStage, type WorkflowShown } from "../phase-words.ts";

/** One step on, where nothing holds it back, or back to any step before. */
export function Moving({ workflow }: { workflow: WorkflowShown }): ReactNode {
  const { maySet } = useSet();
  const [asked, setAsked] = useState<"on" | "back">();
  if (!maySet("mdmp:decide")) return null;
  const next = stageAfter(workflow.phase);
  const before = workflow.reachable.filter((stage) => placeOf(stage) < placeOf(workflow.phase));
  return (
    <>
      {before.length > 0 && (
        <button type="button" onClick={() => setAsked("back")}>
          Go back…
        </button>
      )}
      {next && !workflow.blockers.length && (
        <button type="button" className="primary" onClick={() => setAsked("on")}>
          Go on to “{PHASE_TITLES[next]}”
        </button>
      )}
      {asked && (
        <MoveTo
          missionId={workflow.id}
          stages={asked === "on" && next ? [next] : before.toReversed()}
          isBack={asked === "back"}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

interface MoveToProps {
  missionId: string;
  stages: readonly PlanningStage[];
  isBack: boolean;
  onClose(): void;
}
function MoveTo({ missionId, stages, isBack, onClose }: MoveToProps): ReactNode {
  const move = useAct("POST /mdmp/workflows/{missionId}/transitions", {
    tellsRefusal: false,
    says: ({ data }) => `Planning is at “${PHASE_TITLES[data.phase]}”.`,
    then: onClose,
  });
  return (
    <Dialog title={isBack ? "Go back to a step before" : `Go on to “${PHASE_TITLES[stages[0]!]}”`} onClose={onClose}>
      <Form
        act={isBack ? "Go back" : "Go on"}
        onSubmit={({ to, note }) =>
          move.mutateAsync({
            path: { missionId },
            body: { to: (to as PlanningStage | undefined) ?? stages[0]!, ...(note && { note }) },
          })
        }
      >
        {isBack && (
          <Select label="To" name="to" options={stages.map((stage) => [stage, PHASE_TITLES[stage]] as const)} />
        )}
        <TextField label="Note (optional)" name="note" rows={2} maxLength={2_000} />
      </Form>
    </Dialog>
  );
}
