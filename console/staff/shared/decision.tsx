import { useState, type ReactNode } from "react";
import { TextField } from "../../parts/form.tsx";
import { Time } from "../../parts/texts.tsx";
import { orAbove } from "./words.ts";

interface DecisionProps {
  title: string;
  /** What exactly is decided. */
  children: ReactNode;
  expiresAt: string;
  approver: string;
  mayDecide: boolean;
  isBusy: boolean;
  /** The reason is what was written in its field, if anything. */
  onYes(reason: string | undefined): void;
  onNo(reason: string | undefined): void;
  /** Whether a no needs a reason. */
  isReasonNeeded?: boolean;
  yes?: string;
}

/** Something that waits for a person: what exactly, until when, and the two answers. */
export function Decision(props: DecisionProps): ReactNode {
  const { title, children, expiresAt, approver, mayDecide } = props;
  return (
    <section className="act" aria-label={title}>
      <h3>{title}</h3>
      {children}
      <p className="note muted">
        {orAbove(approver)} decides. Without an answer it is refused <Time at={expiresAt} />.
      </p>
      {mayDecide && <Answers {...props} />}
    </section>
  );
}

function Answers({ title, isBusy, onYes, onNo, isReasonNeeded = false, yes = "Approve" }: DecisionProps): ReactNode {
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const given = reason.trim() || undefined;
  return (
    <>
      <TextField
        label={isReasonNeeded ? "Why (needed for a no)" : "Why (optional)"}
        name="reason"
        rows={1}
        value={reason}
        onChange={({ currentTarget: { value } }) => {
          setReason(value);
          setMissing(false);
        }}
      />
      {isMissing && (
        <p className="fault" role="alert">
          Say why, so that others can follow it.
        </p>
      )}
      <div className="row">
        <button
          type="button"
          className="primary"
          aria-label={`${yes}: ${title}`}
          disabled={isBusy}
          onClick={() => onYes(given)}
        >
          {yes}
        </button>
        <button
          type="button"
          aria-label={`Refuse: ${title}`}
          disabled={isBusy}
          onClick={() => (isReasonNeeded && !given ? setMissing(true) : onNo(given))}
        >
          Refuse
        </button>
      </div>
    </>
  );
}
