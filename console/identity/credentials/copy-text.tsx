import { useRef, type ReactNode } from "react";
import { CopyButton } from "../../parts/copy.tsx";

/** A long text that one passes on: shown, and copied by a button. */
export function CopyText({ text, label }: { text: string; label: string }): ReactNode {
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <div className="stack">
      <textarea ref={area} readOnly rows={4} aria-label={label} value={text} />
      <div className="row">
        <CopyButton text={text} shown={area} />
      </div>
    </div>
  );
}
