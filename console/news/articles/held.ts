import { useState } from "react";

interface Row {
  id: number;
  ingestedAt: string;
}
interface Held<R> {
  /** The rows as they were first shown, each as it is now. */
  shown: readonly R[];
  /** How many came in since. */
  fresh: number;
  /** Shows those too. */
  show(): void;
}

/**
 * Keeps a list still under the reader's hand while it is read again: what came in since waits until it is asked for.
 * `key` names the list; another one is shown as it comes.
 */
export function useHeld<R extends Row>(key: string, rows: readonly R[], isOfKey: boolean): Held<R> {
  const [held, setHeld] = useState<{ key: string; rows: readonly R[] }>();
  const isNew = isOfKey && held?.key !== key;
  if (isNew) setHeld({ key, rows });
  const kept = isNew || held?.key !== key ? rows : held.rows;
  const now = new Map(rows.map((row) => [row.id, row]));
  const newest = kept.reduce((latest, { ingestedAt }) => (ingestedAt > latest ? ingestedAt : latest), "");
  return {
    shown: kept.map((row) => now.get(row.id) ?? row),
    fresh: isOfKey ? rows.filter(({ ingestedAt }) => ingestedAt > newest).length : 0,
    show: () => setHeld({ key, rows }),
  };
}
