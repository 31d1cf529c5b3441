import { useRef, type ReactNode } from "react";
import { useSearchParams } from "react-router";

export interface Column<R> {
  head: string;
  cell(row: R): ReactNode;
  /** Figures stand at the right. */
  isFigure?: boolean;
  /** What somebody wrote, however long its words: in its own direction, and never wider than its column. */
  isText?: boolean;
  /** Buttons: the heading is for screen readers alone. */
  isAct?: boolean;
}

interface TableProps<R> {
  /** What it lists, for screen readers. */
  label: string;
  rows: readonly R[];
  keyOf(row: R): string | number;
  columns: readonly Column<R>[];
  /** Shown in place of no rows: why there are none, and what to do. */
  empty: ReactNode;
}

/** Rows under headings; on a narrow screen each row is a card whose cells carry their headings. The first cell names the row. */
export function Table<R>({ label, rows, keyOf, columns, empty }: TableProps<R>): ReactNode {
  if (!rows.length) return <p className="empty">{empty}</p>;
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ head, isFigure, isAct }) => (
            <th key={head} scope="col" className={isFigure ? "figure" : undefined}>
              <span className={isAct ? "visually-hidden" : undefined}>{head}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ head, cell, isFigure, isText, isAct }, at) =>
              at === 0 ? (
                <th key={head} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td
                  key={head}
                  data-head={isAct ? undefined : head}
                  className={isFigure ? "figure" : isText ? "text" : undefined}
                >
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Meta {
  total: number;
  page: number;
  limit: number;
  /** There are more than `total`, which counts no further. */
  more?: boolean;
}

/** The page that the address asks for, from 1. */
export function usePage(): number {
  const [search] = useSearchParams();
  return Math.max(1, Number(search.get("page")) || 1);
}

/** Steps through pages of a list; the address keeps the page. */
export function Pager({ meta: { total, page, limit, more } }: { meta: Meta }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const pager = useRef<HTMLElement>(null);
  const last = Math.max(1, Math.ceil(total / limit));
  if (last === 1 && page === 1) return null;
  const to = (next: number): void => {
    const changed = new URLSearchParams(search);
    changed.set("page", String(next));
    setSearch(changed);
    // The next page begins where the list begins.
    pager.current?.closest("section, #main")?.scrollIntoView();
  };
  return (
    <nav ref={pager} className="row pager" aria-label="Pages">
      <button type="button" disabled={page <= 1} onClick={() => to(Math.min(page - 1, last))}>
        Previous
      </button>
      <span>
        Page {page.toLocaleString("en")} of {last.toLocaleString("en")}
        {more ? " or more" : ""}, {total.toLocaleString("en")}
        {more ? " or more" : ""} in all
      </span>
      <button type="button" disabled={page >= last && !more} onClick={() => to(page + 1)}>
        Next
      </button>
    </nav>
  );
}
