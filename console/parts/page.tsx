import { useEffect, useRef, type ReactNode } from "react";
import { useLocation } from "react-router";
import type { UseQueryResult } from "@tanstack/react-query";
import { wordsOf } from "../api/hooks.ts";
import { isOutOfSight, Refusal } from "../api/client.ts";

interface PageProps {
  title: string;
  /** What it is a page of; named in the window's title alone. */
  of?: string;
  /** A sentence on what one can do here. */
  intro?: ReactNode;
  /** Buttons and links at its head. */
  acts?: ReactNode;
  children: ReactNode;
}

/** The whole of one address. After a navigation its heading has the focus, so that a screen reader begins there. */
export function Page({ title, of: whole, intro, acts, children }: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  useEffect(() => {
    // The first page of a visit has the key "default": the browser itself places the reader.
    if (key !== "default") heading.current?.focus();
    // Only another address is a navigation: filters change the rest of it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [pathname]);
  return (
    <>
      <title>{[title, whole, "Signalmesh"].filter(Boolean).join(" · ")}</title>
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {intro && <p className="muted">{intro}</p>}
        </div>
        {acts && <div className="row">{acts}</div>}
      </header>
      {children}
    </>
  );
}

/** A part of a page under its own heading. */
export const Section = ({
  title,
  acts,
  children,
}: {
  title: string;
  acts?: ReactNode;
  children: ReactNode;
}): ReactNode => (
  <section className="card" aria-label={title}>
    <header className="row between">
      <h2>{title}</h2>
      {acts && <div className="row">{acts}</div>}
    </header>
    {children}
  </section>
);

/**
 * A page of one record whose title it bears: until that is read, or where it cannot be read, the page has a title of its
 * own, and a way on.
 */
export function PageOf<T>({
  of: query,
  title,
  back,
  children,
}: {
  of: UseQueryResult<T>;
  /** What kind of record it is. */
  title: string;
  /** A link to the list of them. */
  back: ReactNode;
  children(answer: T): ReactNode;
}): ReactNode {
  if (query.data !== undefined && !isOutOfSight(query.error)) return children(query.data);
  return (
    <Page title={title}>
      <Shown of={query}>{children}</Shown>
      {query.error && <Empty>It may have been removed. {back}</Empty>}
    </Page>
  );
}

/** What is said where there is nothing to show: why, and what to do about it. */
export const Empty = ({ children }: { children: ReactNode }): ReactNode => <p className="empty">{children}</p>;

export const Loading = ({ what = "Loading" }: { what?: string }): ReactNode => (
  <p className="loading" role="status">
    {what}…
  </p>
);

/** Why something cannot be shown, and a button that tries again where that may help. */
export function Failure({ error, again }: { error: unknown; again?: () => void }): ReactNode {
  const isFinal = isOutOfSight(error) || (error instanceof Refusal && error.status === 400);
  return (
    <div className="failure" role="alert">
      <p>{wordsOf(error)}</p>
      {again && !isFinal && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

/**
 * Shows an answer, or that it is coming, or why there is none: `<Shown of={gates}>{({ data }) => …}</Shown>`. An answer
 * that is there stays while it is read again; what is out of sight by then is gone (`queries`).
 */
export function Shown<T>({
  of: query,
  what,
  children,
}: {
  of: UseQueryResult<T>;
  what?: string;
  children(answer: T): ReactNode;
}): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failure error={query.error} again={() => void query.refetch()} />;
  return <Loading {...(what && { what })} />;
}
