import { useState, type ReactNode } from "react";
import { useWho } from "../../app/session.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { useSet } from "../set/use-set.tsx";
import { Barrier } from "../work/compartments.tsx";
import { ChangeRemark } from "./remark-dialog.tsx";
import { remarkTone, type Remark } from "./remark-words.ts";

/** What members of this set said about something inherited. */
export function Remarks({ of: remarks }: { of: readonly Remark[] }): ReactNode {
  const { maySet } = useSet();
  const { userId } = useWho();
  const [changed, setChanged] = useState<Remark>();
  return (
    <>
      <ul className="list remarks">
        {remarks.map((remark) => (
          <li key={remark.id} className="entry">
            <RemarkLine remark={remark} />
            {remark.createdBy === userId && maySet("inheritance:annotate") && (
              <button type="button" aria-label={`Change: ${remark.text}`} onClick={() => setChanged(remark)}>
                Change
              </button>
            )}
          </li>
        ))}
      </ul>
      {changed && <ChangeRemark remark={changed} onClose={() => setChanged(undefined)} />}
    </>
  );
}

const RemarkLine = ({ remark }: { remark: Remark }): ReactNode => (
  <span>
    <Badge tone={remarkTone(remark.kind)}>{remark.kind}</Badge> <span className="as-written">{remark.text}</span>
    <small className="muted under">
      {remark.createdByName ?? "somebody"}, <Time at={remark.createdAt} />
      {!remark.shared && "; for this set alone"} <Barrier compartments={remark.compartments} />
    </small>
  </span>
);
