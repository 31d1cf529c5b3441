import { useEffect, useSyncExternalStore, type ReactNode } from "react";

type Tone = "good" | "bad";
interface Notice {
  id: number;
  text: string;
  tone: Tone;
}
const STAYS_MS = 8_000;

let shown: readonly Notice[] = [];
let last = 0;
const watchers = new Set<() => void>();
function show(next: readonly Notice[]): void {
  shown = next;
  watchers.forEach((tell) => tell());
}

/** Tells the person something, at the edge of the page and to screen readers. What failed stays until it is dismissed. */
export function notify(text: string, tone: Tone = "good"): void {
  show([...shown.filter((one) => one.text !== text).slice(-2), { id: ++last, text, tone }]);
}
/** Takes all away, as when another person sits down. */
export const dismissAll = (): void => show([]);
const dismiss = (id: number): void => show(shown.filter((one) => one.id !== id));

export function Notices(): ReactNode {
  const notices = useSyncExternalStore(
    (tell) => {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
    () => shown,
  );
  return (
    <div className="notices" role="status" aria-live="polite">
      {notices.map((one) => (
        <NoticeLine key={one.id} {...one} />
      ))}
    </div>
  );
}

function NoticeLine({ id, text, tone }: Notice): ReactNode {
  useEffect(() => {
    if (tone === "bad") return undefined;
    const timer = setTimeout(() => dismiss(id), STAYS_MS);
    return () => clearTimeout(timer);
  }, [id, tone]);
  return (
    <p className={`notice ${tone}`}>
      {text}
      <button type="button" className="plain" aria-label="Dismiss" onClick={() => dismiss(id)}>
        ×
      </button>
    </p>
  );
}
