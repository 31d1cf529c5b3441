import type { ReactNode } from "react";
import { useAct, useAnswer } from "../../../../api/hooks.ts";
import { Section } from "../../../../parts/page.tsx";
import { Share, Time } from "../../../../parts/texts.tsx";
import { useSet } from "../../../set/use-set.tsx";
import { PHASE_TITLES, type PlanningPhase, type WorkflowShown } from "../phase-words.ts";

/** What a staff does in the present step, to be ticked off. */
export function Activities({ workflow, isOpen }: { workflow: WorkflowShown; isOpen: boolean }): ReactNode {
  const { activities, phase } = workflow;
  const done = activities.filter((one) => one.done).length;
  return (
    <Section
      title={`To do in “${PHASE_TITLES[phase]}”`}
      acts={activities.length > 0 && <Share of={done / activities.length} label="Done" />}
    >
      <ul className="list" aria-label="Activities">
        {activities.map((one) => (
          <Activity key={one.id} workflow={workflow} isOpen={isOpen} {...one} />
        ))}
      </ul>
    </Section>
  );
}

interface ActivityProps {
  workflow: WorkflowShown;
  isOpen: boolean;
  id: string;
  title: string;
  category: string;
  done: boolean;
}
function Activity({ workflow, isOpen, id, title, category, done }: ActivityProps): ReactNode {
  const { maySet } = useSet();
  const mark = useAct("PUT /mdmp/workflows/{missionId}/activities/{activityId}");
  const by = workflow.done.find(({ activityId }) => activityId === id);
  return (
    <li>
      <div className="check">
        <input
          id={`activity-${id}`}
          type="checkbox"
          checked={done}
          disabled={mark.isPending || !isOpen || !maySet("mdmp:plan")}
          onChange={() => mark.mutate({ path: { missionId: workflow.id, activityId: id }, body: { done: !done } })}
        />
        <label htmlFor={`activity-${id}`}>{title}</label>
        <small className="muted">
          {category}
          {by && (
            <>
              {" "}
              · done by {by.byName ?? by.by}, <Time at={by.at} />
            </>
          )}
        </small>
      </div>
      <HowTo id={id} phase={workflow.phase as PlanningPhase} title={title} />
    </li>
  );
}

/** What it needs, its steps and what comes of it, from the catalogue of the process: one reading a step. */
function HowTo({ id, phase, title }: { id: string; phase: PlanningPhase; title: string }): ReactNode {
  const { data } = useAnswer("GET /mdmp/activities", [{ query: { phase } }], { stays: true });
  const how = data?.data.find((one) => one.id === id);
  if (!how) return null;
  return (
    <details className="how">
      <summary aria-label={`How: ${title}`}>How</summary>
      <dl>
        <dt>Needs</dt>
        <dd>{how.inputs.join("; ")}</dd>
        <dt>Steps</dt>
        <dd>
          <ol>
            {how.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </dd>
        <dt>Gives</dt>
        <dd>{how.outputs.join("; ")}</dd>
      </dl>
    </details>
  );
}
