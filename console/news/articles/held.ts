import { useState } from "react";

interface Row {
  id: number;
  ingestedAt: string;
}
interface Rows<R> {
  rows: readonly R[];
  /** How many there are on all pages. */
  total: number;
}
interface Held<R> {
  /** The rows as they were first shown, each as it is now. */
  shown: readonly R[];
  /** How many came in since, on whatever page they stand. */
  fresh: number;
  /** Shows those too. */
  show(): void;
}

/** The list has grown, and at its beginning those that grew it may be seen: others may have gone meanwhile. */
function cameSince<R extends Row>(before: Rows<R>, now: Rows<R>, isFirstPage: boolean): number {
  const newest = before.rows.reduce((latest, { ingestedAt }) => (ingestedAt > latest ? ingestedAt : latest), "");
  const seen = isFirstPage ? now.rows.filter(({ ingestedAt }) => ingestedAt > newest).length : 0;
  return Math.max(seen, now.total - before.total);
}

/**
 * Keeps a list still under the reader's hand while it is read again: what came in since waits until it is asked for.
 * `key` names the list; another one is shown as it comes.
 */
export function useHeld<R extends Row>(key: string, now: Rows<R>, isOfKey: boolean, isFirstPage: boolean): Held<R> {
  const [held, setHeld] = useState<{ key: string; kept: Rows<R> }>();
  const isEmpty = held?.kept.rows.length === 0 && now.rows.length > 0;
  // Where nothing is being read yet, what comes in is shown at once.
  const isNew = isOfKey && (held?.key !== key || isEmpty);
  if (isNew) setHeld({ key, kept: now });
  const kept = isNew || held?.key !== key ? now : held.kept;
  const current = new Map(now.rows.map((row) => [row.id, row]));
  return {
    shown: kept.rows.map((row) => current.get(row.id) ?? row),
    fresh: isOfKey ? cameSince(kept, now, isFirstPage) : 0,
    show: () => setHeld({ key, kept: now }),
  };
}
