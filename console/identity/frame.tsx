import type { ReactNode } from "react";
import { NavLink } from "react-router";
import { Page } from "../parts/page.tsx";

const TABS = [
  ["/identity", "You"],
  ["/identity/sign-in", "Signing in"],
  ["/identity/keys", "API keys"],
  ["/identity/credentials", "Credentials"],
  ["/identity/notifications", "Notifications"],
  ["/identity/leaving", "Your data"],
] as const;

/** A page of one's own account, beside the others. */
export const AccountPage = ({
  title,
  intro,
  acts,
  children,
}: {
  title: string;
  intro: ReactNode;
  acts?: ReactNode;
  children: ReactNode;
}): ReactNode => (
  <Page title={title} intro={intro} acts={acts}>
    <nav className="tabs" aria-label="Your account">
      {TABS.map(([to, words]) => (
        <NavLink key={to} to={to} end>
          {words}
        </NavLink>
      ))}
    </nav>
    {children}
  </Page>
);
