import type { ReactNode } from "react";
import { Page } from "../parts/page.tsx";
import { Tabs, type Tab } from "../parts/tabs.tsx";

const TABS: readonly Tab[] = [
  { to: "/identity", words: "You" },
  { to: "/identity/sign-in", words: "Signing in" },
  { to: "/identity/keys", words: "API keys" },
  { to: "/identity/credentials", words: "Credentials" },
  { to: "/identity/encryption", words: "Encryption" },
  { to: "/identity/notifications", words: "Notifications" },
  { to: "/identity/leaving", words: "Your data" },
];

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
    <Tabs label="Your account" of={TABS} />
    {children}
  </Page>
);
