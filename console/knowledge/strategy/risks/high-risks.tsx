import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { Section } from "../../../parts/page.tsx";
import { Badge, many, Time } from "../../../parts/texts.tsx";
import { levelTone, levelWords, RISK_STATES } from "./risk-words.ts";
import { objectiveAddress, type KnownObjective } from "../tree.ts";

const MOST = 50;

/** Risks of a problem set that stay high whatever is done about them: those that wait for a review first. */
export function HighRisks({ setId, objectives }: { setId: string; objectives: readonly KnownObjective[] }): ReactNode {
  const high = useAnswer("GET /strategic/risk/high-risk", [
    { query: { problemSetId: setId, sort: "-createdAt", limit: MOST } },
  ]);
  if (!high.data?.data.length) return null;
  const { data, meta } = high.data;
  const statements = new Map(objectives.map(({ id, statement }) => [id, statement]));
  const waiting = (status: string): number => (status === "proposed" ? 0 : 1);
  return (
    <Section title={`High risks (${meta.total})`}>
      <ul className="list">
        {data
          .toSorted((one, other) => waiting(one.status) - waiting(other.status))
          .map(({ id, objectiveId, hazard, residualLevel, status, createdByName, createdAt }) => (
            <li key={id}>
              <p className="row">
                <Link to={`${objectiveAddress(objectiveId)}/risks`}>{hazard}</Link>
                <Badge tone={levelTone(residualLevel)}>{levelWords(residualLevel)}</Badge>
                <span>{RISK_STATES[status]}</span>
              </p>
              <small className="muted">
                {statements.has(objectiveId) && <>To: {statements.get(objectiveId)} </>}
                Assessed by {createdByName ?? "somebody"}, <Time at={createdAt} />.
              </small>
            </li>
          ))}
      </ul>
      {meta.total > MOST && (
        <p className="muted">{many(meta.total - MOST, "older one is", "older ones are")} not shown.</p>
      )}
    </Section>
  );
}
