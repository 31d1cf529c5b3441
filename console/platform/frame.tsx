import type { ReactNode } from "react";
import { NavLink } from "react-router";
import { allows, useWho } from "../app/session.tsx";
import { Page } from "../parts/page.tsx";

const TABS: readonly (readonly [to: string, words: string, permit: string])[] = [
  ["/platform", "Overview", "platform:administer"],
  ["/platform/accounts", "Accounts", "users:administer"],
  ["/platform/admission", "Who may register", "platform:administer"],
  ["/platform/keys", "API keys", "platform:administer"],
  ["/platform/settings", "Settings", "platform:administer"],
  ["/platform/osint", "Open sources", "platform:administer"],
  ["/platform/jobs", "Jobs", "jobs:administer"],
  ["/platform/audit", "Audit log", "audit:inspect"],
  ["/platform/letters", "Letters", "users:administer"],
];

/** A page of the administration, beside the others that this person may open. */
export function AdminPage({
  title,
  intro,
  acts,
  children,
}: {
  title: string;
  intro: ReactNode;
  acts?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const { permits } = useWho();
  return (
    <Page title={title} intro={intro} acts={acts}>
      <nav className="tabs" aria-label="Administration">
        {TABS.filter(([, , permit]) => allows(permits, permit)).map(([to, words]) => (
          <NavLink key={to} to={to} end={to === "/platform"}>
            {words}
          </NavLink>
        ))}
      </nav>
      {children}
    </Page>
  );
}
