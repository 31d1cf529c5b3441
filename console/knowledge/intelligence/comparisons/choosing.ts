import { useSearchParams } from "react-router";

/** What may be compared at once of either kind. */
const MOST = 20;

export interface Choosing {
  documents: readonly string[];
  stories: readonly string[];
  isChosen(kind: ChosenKind, id: string): boolean;
  /** Whether no more of a kind can be chosen. */
  isFull(kind: ChosenKind): boolean;
  toggle(kind: ChosenKind, id: string): void;
}
export type ChosenKind = "document" | "story";

/** The reports that the address names: it can be sent to others, and other pages lead here. */
export function useChosen(): Choosing {
  const [search, setSearch] = useSearchParams();
  const of = (kind: ChosenKind): string[] => [...new Set(search.getAll(kind))].slice(0, MOST);
  return {
    documents: of("document"),
    stories: of("story"),
    isChosen: (kind, id) => of(kind).includes(id),
    isFull: (kind) => of(kind).length >= MOST,
    toggle(kind, id) {
      const changed = new URLSearchParams(search);
      if (search.getAll(kind).includes(id)) changed.delete(kind, id);
      else changed.append(kind, id);
      setSearch(changed, { replace: true, preventScrollReset: true });
    },
  };
}
