import { useRef, useState, type ReactNode } from "react";

/** A secret that is shown this once. */
export function Secret({ secret, onClose }: { secret: string; onClose(): void }): ReactNode {
  const [told, setTold] = useState("");
  const code = useRef<HTMLElement>(null);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(secret);
      setTold("Copied.");
    } catch {
      // Browsers let only pages under https or localhost copy.
      getSelection()?.selectAllChildren(code.current!);
      setTold("Your browser does not let the page copy: it is selected, press Ctrl+C.");
    }
  }
  return (
    <div className="stack">
      <p>
        <strong>Keep it now: it is shown only this once.</strong> Put it where your program keeps secrets.
      </p>
      <code ref={code} className="secret">
        {secret}
      </code>
      <p role="status">{told}</p>
      <div className="row">
        <button type="button" className="primary" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </div>
  );
}
