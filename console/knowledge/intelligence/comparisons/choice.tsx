import { useId, type ReactNode } from "react";
import { BarrierOf, type Behind } from "../../../app/compartments.tsx";
import { Time } from "../../../parts/texts.tsx";
import { useChosen, type ChosenKind } from "./choosing.ts";

interface ChoiceProps {
  kind: ChosenKind;
  id: string;
  title: string;
  at: string;
  /** Beside its time. */
  says?: string;
  behind: Behind;
}

/** A report that is ticked to be compared. */
export function Choice({ kind, id, title, at, says, behind }: ChoiceProps): ReactNode {
  const box = useId();
  const { isChosen, isFull, toggle } = useChosen();
  const isTicked = isChosen(kind, id);
  return (
    <div className="check choice">
      <input
        id={box}
        type="checkbox"
        checked={isTicked}
        disabled={!isTicked && isFull(kind)}
        onChange={() => toggle(kind, id)}
      />
      <label htmlFor={box} dir="auto">
        {title}
      </label>
      <small className="muted">
        {says && `${says}; `}
        <Time at={at} /> <BarrierOf {...behind} />
      </small>
    </div>
  );
}
