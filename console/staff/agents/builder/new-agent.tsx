import { useState, type ReactNode } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { Shown } from "../../../parts/page.tsx";
import { StaffPage } from "../../shared/frame.tsx";
import { useStaffPlace } from "../../shared/place.ts";
import { Abilities } from "./abilities.tsx";
import { CheckStep } from "./check.tsx";
import { bodyOf, EMPTY, type Draft } from "./draft.ts";
import { placeOf, useChecked, type Checked, type DraftFinding } from "./findings.tsx";
import { Freedom } from "./freedom.tsx";
import { Manner } from "./manner.tsx";
import { Start } from "./start.tsx";
import { stepBeside, stepOf, STEPS, wordsOfStep, type StepId } from "./steps.ts";

/** What every step has: the draft, how it is written, and what was found in it. */
export interface StepProps {
  draft: Draft;
  write(change: Partial<Draft>): void;
  findings: readonly DraftFinding[];
}

/** A new agent, step by step. */
export function NewAgent(): ReactNode {
  const step = stepOf(useParams()["*"]);
  const place = useStaffPlace();
  const [draft, setDraft] = useState(EMPTY);
  const [seen, setSeen] = useState<ReadonlySet<StepId>>(new Set());
  const templates = useAnswer("GET /admin/agent-builder/templates", [], { stays: true });
  const body = bodyOf(draft, place.setId);
  const checked = useChecked(body);
  const write = (change: Partial<Draft>): void => setDraft((before) => ({ ...before, ...change }));
  // Nobody is told what is wrong with what they have not come to yet.
  const findings = seen.has(step) || seen.has("check") ? checked.findings : [];
  const leave = (): void => setSeen(new Set([...seen, step]));
  return (
    <StaffPage
      title={`Make an agent: ${wordsOfStep(step).toLowerCase()}`}
      intro="Nothing is made before the last step. Whatever is chosen, an agent never does more than the person it works for may do."
    >
      <Stepper step={step} seen={seen} checked={checked} onLeave={leave} />
      <Shown of={templates}>
        {({ data }) => {
          const parts: StepProps = { draft, write, findings };
          switch (step) {
            case "start":
              return <Start {...parts} place={place} templates={data} />;
            case "abilities":
              return <Abilities {...parts} />;
            case "freedom":
              return <Freedom {...parts} />;
            case "manner":
              return <Manner {...parts} template={data.find(({ id }) => id === draft.templateId)} />;
            case "check":
              return <CheckStep body={body} checked={checked} />;
          }
        }}
      </Shown>
      <Beside step={step} onLeave={leave} />
    </StaffPage>
  );
}

interface StepperProps {
  step: StepId;
  seen: ReadonlySet<StepId>;
  checked: Checked;
  onLeave(): void;
}

function Stepper({ step, seen, checked, onLeave }: StepperProps): ReactNode {
  const [search] = useSearchParams();
  const wrong = (id: StepId): boolean =>
    seen.has(id) && checked.findings.some((one) => one.level === "error" && placeOf(one)[1] === id);
  return (
    <nav aria-label="Steps">
      <ol className="stepper">
        {STEPS.map(([id, words]) => (
          <li key={id}>
            <Link
              to={{ pathname: `/staff/agents/new/${id}`, search: search.toString() }}
              aria-current={id === step ? "step" : undefined}
              onClick={onLeave}
            >
              {words}
            </Link>
            {wrong(id) && <small className="fault">to mend</small>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Beside({ step, onLeave }: { step: StepId; onLeave(): void }): ReactNode {
  const [search] = useSearchParams();
  const [before, after] = [stepBeside(step, -1), stepBeside(step, 1)];
  const to = (id: StepId) => ({ pathname: `/staff/agents/new/${id}`, search: search.toString() });
  return (
    <div className="row">
      {before && (
        <Link className="button" to={to(before)} onClick={onLeave}>
          Back
        </Link>
      )}
      {after && (
        <Link className="button primary" to={to(after)} onClick={onLeave}>
          Next: {wordsOfStep(after).toLowerCase()}
        </Link>
      )}
    </div>
  );
}
