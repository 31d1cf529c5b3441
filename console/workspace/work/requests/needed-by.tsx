import type { ReactNode } from "react";
import { Badge, Time } from "../../../parts/texts.tsx";
import { isPending, type InformationRequest } from "./request-words.ts";

const isPast = (instant: string): boolean => Date.parse(instant) < Date.now();

/** By when the answer is of use, while one is to be given. */
export function NeededBy({ of: request }: { of: Pick<InformationRequest, "neededBy" | "status"> }): ReactNode {
  const { neededBy } = request;
  if (!neededBy) return <span className="muted">no time set</span>;
  return (
    <span className="row">
      <Time at={neededBy} />
      {isPending(request) && isPast(neededBy) && <Badge tone="bad">too late</Badge>}
    </span>
  );
}
