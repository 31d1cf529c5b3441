import type { ReactNode } from "react";
import { Link } from "react-router";
import { Badge } from "../../../parts/texts.tsx";
import { conditionWords, measureWords } from "../choice-words.ts";
import type { DaoMeasure, Proposal, Step } from "../dao-types.ts";
import { useDao, useMeasureNames } from "../use-dao.tsx";
import { stepOf } from "./steps.ts";

/** What a proposal would do, and how far that is. */
export function Measures({ proposal }: { proposal: Proposal }): ReactNode {
  const names = useMeasureNames(proposal.measures);
  const { measures, kind, options } = proposal;
  if (!measures.length)
    return (
      <p className="muted">It is a resolution: if it passes, the platform itself does nothing, and people act on it.</p>
    );
  return (
    <section aria-label="What it would do" className="stack">
      <h3>If it passes, the platform does this, in this order</h3>
      <ol>
        {measures.map((measure, at) => (
          // Measures have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>
            {measureWords(measure, names)} <span className="muted">{conditionWords(kind, options, measure)}</span>{" "}
            <Where measure={measure} />
            <Progress step={stepOf(proposal, at)} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Where({ measure }: { measure: DaoMeasure }): ReactNode {
  const { dao } = useDao();
  return measure.do === "open-gate" ? (
    <Link to={`/workspace/${dao.problemSetId}/gates/${measure.gateId}`}>See the gate</Link>
  ) : null;
}

const STEP_WORDS = { pending: "not done yet", done: "done", waiting: "stopped" } as const;

function Progress({ step }: { step: Step | undefined }): ReactNode {
  if (!step) return null;
  return (
    <span className="row">
      <Badge tone={step.status === "done" ? "good" : step.status === "waiting" ? "bad" : "plain"}>
        {step.simulated ? "done, simulated" : STEP_WORDS[step.status]}
      </Badge>
      {step.reason && <span className="fault">{step.reason}</span>}
    </span>
  );
}
