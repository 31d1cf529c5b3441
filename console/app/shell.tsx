import { Suspense, useEffect, useState, type ReactNode } from "react";
import { Navigate, NavLink, Route, Routes, useLocation } from "react-router";
import { useAct, useAnswer } from "../api/hooks.ts";
import { Loading, Page } from "../parts/page.tsx";
import { useLineState } from "../live/live.ts";
import { area } from "./area.ts";
import { Boundary } from "./boundary.tsx";
import { NewsOfYou } from "./news-of-you.tsx";
import { allows, sessionChanged, useMay, useWho } from "./session.tsx";

/** The areas of the console, as those of the API: an area's code is fetched when it is first opened. */
const News = area(() => import("../news/news.tsx"));
const Workspace = area(() => import("../workspace/workspace.tsx"));
const Picture = area(() => import("../picture/picture.tsx"));
const Knowledge = area(() => import("../knowledge/knowledge.tsx"));
const Staff = area(() => import("../staff/staff.tsx"));
const Platform = area(() => import("../platform/platform.tsx"));
const Identity = area(() => import("../identity/identity.tsx"));

interface Place {
  to: string;
  words: string;
  /** Shown to accounts that may do this. */
  permit?: string;
  /** Shown where the escrow has a wallet; to those who administer it, always. */
  isForPayers?: true;
}
const PLACES: readonly (readonly [title: string, places: readonly Place[]])[] = [
  [
    "News",
    [
      { to: "/news", words: "Overview" },
      { to: "/news/articles", words: "Articles" },
      { to: "/news/claims", words: "Claims" },
      { to: "/news/briefings", words: "Briefings" },
      { to: "/news/sources", words: "Sources" },
      { to: "/news/escrow", words: "Bounties", permit: "escrow:read", isForPayers: true },
    ],
  ],
  [
    "Together",
    [
      { to: "/workspace", words: "Problem sets" },
      { to: "/workspace/dao", words: "Governance" },
      { to: "/picture", words: "Picture" },
      { to: "/knowledge", words: "Graph" },
      { to: "/staff", words: "Assistant" },
    ],
  ],
  [
    "You",
    [
      { to: "/identity", words: "Account" },
      { to: "/platform", words: "Administration", permit: "platform:administer" },
    ],
  ],
];

export function Shell(): ReactNode {
  const who = useWho();
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  const hasEscrow = useHasEscrow();
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="bar">
        <button
          type="button"
          className="plain menu"
          aria-expanded={isOpen}
          aria-controls="places"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
        <NavLink to="/" className="brand">
          Signalmesh
        </NavLink>
        <Line />
        <NewsOfYou />
        <Leave />
      </header>
      <nav id="places" className={isOpen ? "places open" : "places"} aria-label="Main">
        {PLACES.map(([title, places]) => {
          const seen = places.filter(
            ({ permit, isForPayers }) => (!permit || allows(who.permits, permit)) && (!isForPayers || hasEscrow),
          );
          return (
            <section key={title} aria-label={title}>
              <h2>{title}</h2>
              <ul>
                {seen.map(({ to, words }) => (
                  <li key={to}>
                    <NavLink to={to} end={isCovered(to, pathname)} onClick={() => setOpen(false)}>
                      {words}
                    </NavLink>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
        <p>
          <a href="/api/docs">API</a>
        </p>
      </nav>
      <main id="main" tabIndex={-1}>
        <Boundary at={pathname}>
          <Suspense fallback={<Loading />}>
            <Routes>
              <Route index element={<Navigate to="/news" replace />} />
              <Route path="news/*" element={<News />} />
              <Route path="workspace/*" element={<Workspace />} />
              <Route path="picture/*" element={<Picture />} />
              <Route path="knowledge/*" element={<Knowledge />} />
              <Route path="staff/*" element={<Staff />} />
              <Route path="identity/*" element={<Identity />} />
              <Route path="platform/*" element={<Platform />} />
              <Route path="*" element={<NotFound />} />
            </Routes>
          </Suspense>
        </Boundary>
      </main>
    </div>
  );
}

/** Whether another place of the menu lies below this one and is open: then this one is not. */
const isCovered = (to: string, pathname: string): boolean =>
  to === "/news" || (to === "/workspace" && pathname === "/workspace/dao");

/** Until it is known, the menu is as it was the last time: nothing moves under the hand. */
const ESCROW_SEEN = "has-escrow";

/** Whether money can be promised here, or this person is the one to see to it. */
function useHasEscrow(): boolean {
  const [mayRead, administers] = [useMay("escrow:read"), useMay("escrow:administer")];
  const status = useAnswer("GET /escrow/status", [], { stays: true, enabled: mayRead && !administers });
  const has = status.data?.data.configured;
  useEffect(() => {
    if (has) localStorage.setItem(ESCROW_SEEN, "yes");
    else if (has === false) localStorage.removeItem(ESCROW_SEEN);
  }, [has]);
  return administers || (has ?? localStorage.getItem(ESCROW_SEEN) !== null);
}

/** For addresses that lead nowhere, within areas as well. */
export const NotFound = (): ReactNode => (
  <Page title="Nothing is here">
    <p className="empty">This address leads nowhere. The menu lists what there is.</p>
  </Page>
);

/** Says when what is shown may be old; silent while all is well. */
function Line(): ReactNode {
  const stands = useLineState();
  return (
    <span className="line" role="status">
      {stands === false && "Not connected: what you see may be old"}
    </span>
  );
}

function Leave(): ReactNode {
  const who = useWho();
  const leave = useAct("POST /auth/logout", { then: () => void sessionChanged() });
  return (
    <span className="who">
      {who.mode === "training" && <strong className="badge warn">training</strong>}
      <span>{who.name}</span>
      {who.user && (
        <button type="button" onClick={() => leave.mutate({})}>
          Sign out
        </button>
      )}
    </span>
  );
}
