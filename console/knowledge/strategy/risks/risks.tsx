import { useState, type ReactNode } from "react";
import { useAnswer } from "../../../api/hooks.ts";
import { useWho } from "../../../app/session.tsx";
import { useMayIn } from "../../../app/sets.ts";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { Badge, many, Time } from "../../../parts/texts.tsx";
import { AssessRisk } from "./risk-assess.tsx";
import { ReviewRisk, type RiskVerdict } from "./risk-review.tsx";
import { isHigh, levelTone, levelWords, RISK_STATES, type RiskEstimate, type RiskShown } from "./risk-words.ts";
import type { KnownObjective } from "../tree.ts";

const MOST = 50;

/** What may go wrong with an objective, what is done about it, and who takes it upon themself. */
export function RisksPage({ objective }: { objective: KnownObjective }): ReactNode {
  const { id, problemSetId, status } = objective;
  const may = useMayIn(problemSetId);
  const [isAssessing, setAssessing] = useState(false);
  const risks = useAnswer("GET /strategic/objectives/{id}/risk", [
    { path: { id }, query: { sort: "-createdAt", limit: MOST } },
  ]);
  const isGivenUp = status === "superseded" || status === "rejected";
  const mayAssess = may("risks:assess") && !isGivenUp;
  return (
    <Section
      title="Risks"
      acts={
        mayAssess && (
          <button type="button" onClick={() => setAssessing(true)}>
            Assess a risk
          </button>
        )
      }
    >
      <Shown of={risks}>
        {({ data, meta }) => (
          <>
            {!data.length && (
              <Empty>
                No risk was assessed yet.{" "}
                {mayAssess
                  ? "Say what may go wrong, how likely and how bad that is, and what is done about it; somebody else accepts it or returns it."
                  : "Analysts, planners and deputies assess them here."}
              </Empty>
            )}
            <ul className="list" aria-label="Risks">
              {data.map((risk) => (
                <Risk key={risk.id} risk={risk} />
              ))}
            </ul>
            {meta.total > MOST && (
              <p className="muted">{many(meta.total - MOST, "older one is", "older ones are")} not shown.</p>
            )}
          </>
        )}
      </Shown>
      {isAssessing && <AssessRisk objectiveId={id} onClose={() => setAssessing(false)} />}
    </Section>
  );
}

const estimate = ({ probability, severity }: RiskEstimate): string => `${probability}, ${severity}`;

function Risk({ risk }: { risk: RiskShown }): ReactNode {
  const { hazard, before, after, controls, initialLevel, residualLevel, status, createdAt, createdByName } = risk;
  const { reviewedAt, reviewedByName, reason } = risk;
  return (
    <li>
      <p className="row" dir="auto">
        <strong>{hazard}</strong> <Badge tone={levelTone(residualLevel)}>{levelWords(residualLevel)}</Badge>
        <Badge>{status}</Badge>
      </p>
      <small className="muted">
        {after
          ? `Without controls ${estimate(before)}: ${levelWords(initialLevel)}; with them ${estimate(after)}.`
          : `Without controls ${estimate(before)}; ${controls.length ? "what is done about it makes it no less" : "nothing is done about it"}.`}{" "}
        Assessed by {createdByName ?? "somebody"}, <Time at={createdAt} />.
      </small>
      {controls.length > 0 && (
        <ul aria-label="What is done about it">
          {controls.map(({ text, owner }) => (
            <li key={text}>
              {text}
              {owner && ` (${owner})`}
            </li>
          ))}
        </ul>
      )}
      {status === "proposed" ? (
        <Verdicts risk={risk} />
      ) : (
        <p>
          {status === "accepted" ? "Accepted" : "Returned, to be assessed anew,"} by {reviewedByName ?? "somebody"},{" "}
          <Time at={reviewedAt} />
          {reason && `: ${reason}`}
        </p>
      )}
    </li>
  );
}

/** Accepting or returning it, where one may; otherwise who does. */
function Verdicts({ risk }: { risk: RiskShown }): ReactNode {
  const { userId } = useWho();
  const may = useMayIn(risk.problemSetId);
  const [verdict, setVerdict] = useState<RiskVerdict>();
  const hinders =
    !may("risks:decide") || may("risks:accept-high")
      ? undefined
      : isHigh(risk.residualLevel)
        ? "Only the commander accepts a risk so high."
        : risk.createdBy === userId
          ? "Whoever assessed a risk does not accept it."
          : undefined;
  if (!may("risks:decide")) return <p className="muted">It {RISK_STATES.proposed}.</p>;
  return (
    <div className="row">
      {hinders ? (
        <span className="muted">{hinders}</span>
      ) : (
        <button type="button" aria-label={`Accept: ${risk.hazard}`} onClick={() => setVerdict("accept")}>
          Accept
        </button>
      )}
      <button type="button" aria-label={`Return: ${risk.hazard}`} onClick={() => setVerdict("return")}>
        Return
      </button>
      {verdict && <ReviewRisk risk={risk} verdict={verdict} onClose={() => setVerdict(undefined)} />}
    </div>
  );
}
