import { createContext, useContext, type ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { useLetters } from "./reading-keys.tsx";

/** What the page of an article knows of the list that it was opened from. */
interface ListPlace {
  /** Its articles, in its order. */
  around?: readonly number[];
}
/** The articles of the list around. */
const Around = createContext<readonly number[]>([]);
export const ArticlesAround = Around.Provider;
/** What a link to an article of the list takes along. */
export const useListPlace = (): ListPlace => ({ around: useContext(Around) });

/** The articles before and after this one in the list that it was opened from; nothing where it was opened otherwise. */
export function Neighbours({ id }: { id: number }): ReactNode {
  const state = useLocation().state as ListPlace | null;
  const goTo = useNavigate();
  const around = state?.around ?? [];
  const at = around.indexOf(id);
  const [before, after] = at < 0 ? [] : [around[at - 1], around[at + 1]];
  // In place of this one, so that going back leads to the list.
  const open = (other: number | undefined): void =>
    void (other !== undefined && goTo(`/news/articles/${other}`, { state, replace: true }));
  useLetters({ j: () => open(after), k: () => open(before) });
  if (at < 0) return null;
  const link = (other: number | undefined, words: string): ReactNode =>
    other === undefined ? (
      <span className="muted">{words}</span>
    ) : (
      <Link to={`/news/articles/${other}`} state={state} replace>
        {words}
      </Link>
    );
  return (
    <nav className="row" aria-label="In the list">
      <button type="button" onClick={() => goTo(-1)}>
        Back to the list
      </button>
      {link(before, "Previous")}
      <span className="muted">
        {at + 1} of {around.length}
      </span>
      {link(after, "Next")}
    </nav>
  );
}
