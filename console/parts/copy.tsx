import { useState, type ReactNode, type RefObject } from "react";

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
