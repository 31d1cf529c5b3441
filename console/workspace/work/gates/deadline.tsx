import type { ReactNode } from "react";
import { Badge, Time } from "../../../parts/texts.tsx";
import type { Gate } from "./gate-words.ts";

const SOON_MS = 24 * 3_600_000;

function isSoon(deadline: string): boolean {
  const left = Date.parse(deadline) - Date.now();
  return left > 0 && left < SOON_MS;
}

/** Whether its deadline still matters. */
export const isUndecided = ({ status }: Pick<Gate, "status">): boolean =>
  status === "open" || status === "submitted" || status === "rejected";

/** By when it must be decided, while that is still to be done. */
export function Deadline({ of: { deadline, status } }: { of: Pick<Gate, "deadline" | "status"> }): ReactNode {
  if (!deadline) return <span className="muted">no deadline</span>;
  return (
    <span className="row">
      <Time at={deadline} />
      {isUndecided({ status }) && isSoon(deadline) && <Badge tone="warn">soon</Badge>}
    </span>
  );
}
