import { useState, type ReactNode } from "react";
import { isOutOfSight } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useMayIn } from "../../../app/sets.ts";
import { ConfirmButton } from "../../../parts/dialog.tsx";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { draftOf, EMPTY_PLAN, type ObjectivePlan } from "./plan-draft.ts";
import { PlanShown } from "./plan-shown.tsx";
import { WritePlan } from "./plan-write.tsx";
import type { KnownObjective } from "../tree.ts";

/** From an objective to what is done about it: lines of effort, tasks one after another, measures, and what they take. */
export function OperationsPage({ objective }: { objective: KnownObjective }): ReactNode {
  const found = useAnswer("GET /strategic/objectives/{id}/operationalize", [{ path: { id: objective.id } }]);
  if (found.data === undefined && isOutOfSight(found.error)) return <Present objective={objective} />;
  return <Shown of={found}>{({ data }) => <Present objective={objective} plan={data} />}</Shown>;
}

interface PresentProps {
  objective: KnownObjective;
  /** Absent where it was not broken down yet. */
  plan?: ObjectivePlan;
}

function Present({ objective, plan }: PresentProps): ReactNode {
  const [isWriting, setWriting] = useState(false);
  const isGivenUp = objective.status === "superseded" || objective.status === "rejected";
  const mayPlan = useMayIn(objective.problemSetId)("operations:plan") && !isGivenUp;
  if (isWriting)
    return (
      <WritePlan
        objective={objective}
        begins={plan ? draftOf(plan) : EMPTY_PLAN}
        version={plan?.version}
        onClose={() => setWriting(false)}
      />
    );
  return (
    <>
      {mayPlan && (
        <div className="row">
          <ByRules objective={objective} plan={plan} />
          <button type="button" onClick={() => setWriting(true)}>
            {plan ? "Change it" : "Write it by hand"}
          </button>
        </div>
      )}
      {plan ? <PlanShown plan={plan} /> : <NoPlan isGivenUp={isGivenUp} mayPlan={mayPlan} />}
    </>
  );
}

const NoPlan = ({ isGivenUp, mayPlan }: { isGivenUp: boolean; mayPlan: boolean }): ReactNode => (
  <Section title="What is done about it">
    <Empty>
      {isGivenUp
        ? "It is not to be reached any more, so nothing is done about it."
        : mayPlan
          ? "Nothing is said yet of how it is to be reached. Have it broken down into tasks by rules, in the words of its intent or its own, and change what does not fit."
          : "Nothing is said yet of how it is to be reached. Analysts, planners and deputies say it here."}
    </Empty>
  </Section>
);

function ByRules({
  objective: { id },
  plan,
}: {
  objective: KnownObjective;
  plan: ObjectivePlan | undefined;
}): ReactNode {
  const make = useAct("POST /strategic/objectives/{id}/operationalize", {
    says: ({ data }) => `It is broken down, version ${data.version}: look at what the rules assumed.`,
  });
  const input = { path: { id }, body: { ...(plan && { version: plan.version }) } };
  if (!plan)
    return (
      <button type="button" className="primary" disabled={make.isPending} onClick={() => make.mutate(input)}>
        Break it down
      </button>
    );
  return (
    <ConfirmButton words="Break it down anew" title="Break it down anew" run={() => make.mutateAsync(input)}>
      <p>
        What stands here now, with everything that people changed in it, gives way to what rules make of the intent’s
        key tasks, or of the objective’s own words.
      </p>
    </ConfirmButton>
  );
}
