import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { Badge } from "../../parts/texts.tsx";
import { objectiveAddress } from "./tree.ts";

const TONES = { ok: "good", doubtful: "warn", missing: "bad" } as const;

/** Whether it can be decided about: its words, measure, date, owner, and what contradicts it. */
export function Checks({ objectiveId }: { objectiveId: string }): ReactNode {
  const verify = useAct("POST /strategic/objectives/{id}/verify");
  const found = verify.data?.data;
  return (
    <>
      <p>
        <button type="button" disabled={verify.isPending} onClick={() => verify.mutate({ path: { id: objectiveId } })}>
          Check it
        </button>
      </p>
      {found && (
        <ul className="list" aria-label="What was checked">
          {found.checks.map(({ check, verdict, why, objectives = [] }) => (
            <li key={check}>
              <strong>{check}</strong> <Badge tone={TONES[verdict]}>{verdict}</Badge> {why}
              {objectives.length > 0 && (
                <ul>
                  {objectives.map((one) => (
                    <li key={one.objectiveId}>
                      <Link to={objectiveAddress(one.objectiveId)}>{one.statement}</Link>: {one.why}
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
