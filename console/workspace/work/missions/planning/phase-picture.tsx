import type { ReactNode } from "react";
import { Time } from "../../../../parts/texts.tsx";
import { PHASE_TITLES, placeOf, STAGES, type PlanningStage, type WorkflowShown } from "../phase-words.ts";

/** The steps of planning as a row of arrows: done, present, to come. Each says in words which it is. */
export function PhasePicture({ workflow }: { workflow: WorkflowShown }): ReactNode {
  const here = placeOf(workflow.phase);
  const since = workflow.history.at(-1)?.from;
  return (
    <>
      <ol className="phases" aria-label="Steps of planning">
        {STAGES.map((stage) => {
          const state = stateOf(placeOf(stage), here);
          return (
            <li key={stage} className={state} aria-current={state === "present" ? "step" : undefined}>
              <span>{PHASE_TITLES[stage]}</span>
              <small>{wordsFor(stage, state)}</small>
            </li>
          );
        })}
      </ol>
      <p>
        {workflow.phase === "complete" ? (
          "Planning is complete: the orders are out."
        ) : (
          <>
            Step {here + 1} of {STAGES.length - 1}: <strong>{PHASE_TITLES[workflow.phase]}</strong>
            {since && (
              <span className="muted">
                , since <Time at={since} />
              </span>
            )}
          </>
        )}
      </p>
    </>
  );
}

type StageState = "past" | "present" | "ahead";
const stateOf = (place: number, here: number): StageState =>
  place < here ? "past" : place === here ? "present" : "ahead";
const wordsFor = (stage: PlanningStage, state: StageState): string =>
  state === "present" ? (stage === "complete" ? "done" : "now") : state === "past" ? "done" : "to come";
