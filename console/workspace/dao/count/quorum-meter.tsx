import type { ReactNode } from "react";
import { amountWords, powerWords, shareOf } from "../amounts.ts";
import type { Rules, DaoTally } from "../dao-types.ts";

/** How much of the quorum is there. */
export function QuorumMeter({ tally: { quorum }, basis }: { tally: DaoTally; basis: Rules["basis"] }): ReactNode {
  const { counted, required, reached } = quorum;
  const words =
    required === "0"
      ? "no quorum is needed"
      : `${reached ? "reached" : "not reached"}: ${powerWords(counted, basis)} of ${amountWords(required)} needed`;
  return (
    <span className="quorum">
      <span>Quorum {words}</span>
      {required !== "0" && (
        <meter min={0} max={1} value={Math.min(1, shareOf(counted, required))} aria-label={`Quorum: ${words}`} />
      )}
    </span>
  );
}
