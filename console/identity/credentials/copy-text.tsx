import { useRef, useState, type ReactNode } from "react";

/** A long text that one passes on: shown, and copied by a button. */
export function CopyText({ text, label }: { text: string; label: string }): ReactNode {
  const [told, setTold] = useState("");
  const area = useRef<HTMLTextAreaElement>(null);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setTold("Copied.");
    } catch {
      // Browsers let only pages under https or localhost copy.
      area.current!.select();
      setTold("It is selected: press Ctrl+C.");
    }
  }
  return (
    <div className="stack">
      <textarea ref={area} readOnly rows={4} aria-label={label} value={text} />
      <div className="row">
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>
        <span role="status">{told}</span>
      </div>
    </div>
  );
}
