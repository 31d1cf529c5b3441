import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Section } from "../../../parts/page.tsx";
import { Badge } from "../../../parts/texts.tsx";
import { objectiveAddress } from "../tree.ts";

/** Objectives whose grounds have become weak: old, contradicted, or their sources gone. */
export function Doubts({ setId, mayAcknowledge }: { setId: string; mayAcknowledge: boolean }): ReactNode {
  const alerts = useAnswer("GET /graph/validity/alerts", [
    { query: { problemSetId: setId, status: "open", limit: 20 } },
  ]);
  const acknowledge = useAct("POST /graph/validity/alerts/{alertId}/acknowledge", { says: "Noted that you saw it." });
  if (!alerts.data?.data.length) return null;
  return (
    <Section title="May no longer hold">
      <ul className="list">
        {alerts.data.data.map(({ id, objectiveId, statement, reason, score, before }) => (
          <li key={id} className="story">
            <span>
              <Link to={`${objectiveAddress(objectiveId)}/validity`}>{statement}</Link>{" "}
              <Badge tone="warn">{reason === "low" ? "weak grounds" : "grounds fall away"}</Badge>
              <br />
              <small className="muted">
                {score} of 100{before !== undefined && `, a week before ${before}`}
              </small>
            </span>
            {mayAcknowledge && (
              <button
                type="button"
                aria-label={`Acknowledge: ${statement}`}
                onClick={() => acknowledge.mutate({ path: { alertId: id } })}
              >
                Acknowledge
              </button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
