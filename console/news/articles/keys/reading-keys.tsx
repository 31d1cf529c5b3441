import { useEffect, useState, type ReactNode, type RefObject } from "react";
import { Check } from "../../../parts/form.tsx";

/** While this stands in the browser, letters do nothing: whoever dictates would press them unawares. */
const OFF = "reading keys off";
const isWriting = (at: EventTarget | null): boolean =>
  at instanceof Element && at.matches("input, textarea, select, [contenteditable]");

/** Calls what a letter stands for, unless somebody writes, or a dialog is open, or keys are turned off. */
export function useLetters(letters: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const act = Object.hasOwn(letters, event.key) ? letters[event.key] : undefined;
      if (!act || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isWriting(event.target) || document.querySelector("dialog[open]") || localStorage.getItem(OFF)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  });
}

/** `j` and `k` go through the titles of a list, `/` goes to the field for words. */
export function useListKeys(list: RefObject<HTMLElement | null>): void {
  const step = (by: 1 | -1): void => {
    const titles = [...(list.current?.querySelectorAll<HTMLElement>("h2 a") ?? [])];
    const at = titles.findIndex((one) => one.closest("li")!.contains(document.activeElement));
    titles[at < 0 ? 0 : at + by]?.focus();
  };
  useLetters({
    j: () => step(1),
    k: () => step(-1),
    "/": () => document.querySelector<HTMLElement>(".article-filters input[name=q]")?.focus(),
  });
}

/** What the keys do, and how to turn them off. */
export function ReadingKeys(): ReactNode {
  const [isOn, setOn] = useState(() => !localStorage.getItem(OFF));
  return (
    <details className="reading-keys">
      <summary>Keys: j next, k previous, / search</summary>
      <p>
        <kbd>j</kbd> and <kbd>k</kbd> go to the next and the previous title of the list, <kbd>Enter</kbd> opens it; on
        the page of an article they open the next one and the one before. <kbd>/</kbd> goes to the search.
      </p>
      <Check
        label="These letters act as keys, in this browser"
        name="keys"
        checked={isOn}
        onChange={() => {
          if (isOn) localStorage.setItem(OFF, "yes");
          else localStorage.removeItem(OFF);
          setOn(!isOn);
        }}
      />
    </details>
  );
}
