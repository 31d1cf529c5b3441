import type { ReactNode } from "react";
import { Refusal } from "../../../../api/client.ts";
import { useAct, useAnswer } from "../../../../api/hooks.ts";
import { Empty, Section, Shown } from "../../../../parts/page.tsx";
import { useSet } from "../../../set/use-set.tsx";
import { isUnderWay, type Mission } from "../mission-words.ts";
import type { WorkflowShown } from "../phase-words.ts";
import { Activities } from "./activities.tsx";
import { Assumptions } from "./assumptions.tsx";
import { Conditions } from "./conditions.tsx";
import { Constraints } from "./constraints.tsx";
import { Hindrances } from "./hindrances.tsx";
import { Moving } from "./moving.tsx";
import { PhasePicture } from "./phase-picture.tsx";
import { PlanningHistory } from "./planning-history.tsx";

const hasNone = (error: unknown): boolean => error instanceof Refusal && error.status === 404;

/** How far the planning of a mission is, and what it waits for. */
export function Planning({ mission }: { mission: Mission }): ReactNode {
  const workflow = useAnswer("GET /mdmp/workflows/{missionId}", [{ path: { missionId: mission.id } }]);
  if (hasNone(workflow.error)) return <NotBegun mission={mission} />;
  return <Shown of={workflow}>{({ data }) => <Process mission={mission} workflow={data} />}</Shown>;
}

function NotBegun({ mission }: { mission: Mission }): ReactNode {
  const { maySet } = useSet();
  const begin = useAct("POST /mdmp/workflows", { says: "Planning has begun, with receipt of mission." });
  const mayBegin = maySet("mdmp:plan") && isUnderWay(mission);
  return (
    <Section title="Planning">
      <Empty>
        The planning of this mission has not begun. It goes through seven steps, from receipt of the mission to the
        orders.
      </Empty>
      {mayBegin && (
        <div className="row">
          <button
            type="button"
            className="primary"
            disabled={begin.isPending}
            onClick={() => begin.mutate({ body: { missionId: mission.id } })}
          >
            Begin the planning
          </button>
        </div>
      )}
    </Section>
  );
}

function Process({ mission, workflow }: { mission: Mission; workflow: WorkflowShown }): ReactNode {
  const isOpen = isUnderWay(mission);
  return (
    <>
      <Section title="Planning" acts={isOpen && <Moving workflow={workflow} />}>
        <PhasePicture workflow={workflow} />
        <Hindrances workflow={workflow} isOpen={isOpen} />
        <PlanningHistory workflow={workflow} />
      </Section>
      {workflow.phase !== "complete" && <Activities workflow={workflow} isOpen={isOpen} />}
      <Assumptions missionId={mission.id} isOpen={isOpen} />
      <Conditions workflow={workflow} isOpen={isOpen} />
      <Constraints missionId={mission.id} />
    </>
  );
}
