import { useRef, type ReactNode } from "react";
import { CopyButton } from "../../parts/copy.tsx";

/** A secret that is shown this once. */
export function Secret({ secret, onClose }: { secret: string; onClose(): void }): ReactNode {
  const code = useRef<HTMLElement>(null);
  return (
    <div className="stack">
      <p>
        <strong>Keep it now: it is shown only this once.</strong> Put it where your program keeps secrets.
      </p>
      <code ref={code} className="secret">
        {secret}
      </code>
      <div className="row">
        <CopyButton text={secret} shown={code} className="primary" />
        <button type="button" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </div>
  );
}
