import type { ReactNode } from "react";
import { Link, NavLink, type To } from "react-router";

export interface Tab {
  to: To;
  words: string;
  /** What waits there, as "3 new". */
  news?: string | undefined;
  /** Whether it is the one that is open, where the path alone does not say so. */
  isHere?: boolean;
}

/** The pages of one subject, each under its own address. The first one's path is that below which the others lie. */
export const Tabs = ({ label, of: tabs }: { label: string; of: readonly Tab[] }): ReactNode => (
  <nav className="tabs" aria-label={label}>
    {tabs.map(({ to, words, news, isHere }, at) =>
      isHere === undefined ? (
        <NavLink key={words} to={to} end={at === 0}>
          {words}
          {news && <span className="badge info"> {news}</span>}
        </NavLink>
      ) : (
        <Link key={words} to={to} className={isHere ? "active" : undefined} aria-current={isHere ? "page" : undefined}>
          {words}
        </Link>
      ),
    )}
  </nav>
);
