import { useRef, useState, type ReactNode, type RefObject } from "react";

interface CopyProps {
  text: string;
  /** The element that shows it: selected where the browser does not let a page copy. */
  shown: RefObject<HTMLElement | null>;
  label?: string;
  className?: string;
}

/** A button that copies a text, and says how that went. */
export function CopyButton({ text, shown, label, className }: CopyProps): ReactNode {
  const [told, setTold] = useState("");
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setTold("Copied.");
    } catch {
      // Browsers let only pages under https or localhost copy.
      const { current } = shown;
      if (current instanceof HTMLTextAreaElement) current.select();
      else if (current) getSelection()?.selectAllChildren(current);
      setTold("Your browser does not let the page copy: it is selected, press Ctrl+C.");
    }
  }
  return (
    <>
      <button type="button" className={className} aria-label={label} onClick={() => void copy()}>
        Copy
      </button>
      <span role="status">{told}</span>
    </>
  );
}

/** A text that is handed on as it is, such as a secret or an address, with a button that copies it. */
export function Copied({ label, text }: { label: string; text: string }): ReactNode {
  const code = useRef<HTMLElement>(null);
  return (
    <div>
      <div className="row between">
        <h3>{label}</h3>
        <span className="row">
          <CopyButton text={text} shown={code} label={`Copy the ${label.toLowerCase()}`} />
        </span>
      </div>
      <code ref={code} className="code">
        {text}
      </code>
    </div>
  );
}
