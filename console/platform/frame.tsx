import type { ReactNode } from "react";
import { allows, useWho } from "../app/session.tsx";
import { Page } from "../parts/page.tsx";
import { Tabs, type Tab } from "../parts/tabs.tsx";

const TABS: readonly (Tab & { permit: string })[] = [
  { to: "/platform", words: "Overview", permit: "platform:administer" },
  { to: "/platform/accounts", words: "Accounts", permit: "users:administer" },
  { to: "/platform/admission", words: "Who may register", permit: "platform:administer" },
  { to: "/platform/keys", words: "API keys", permit: "platform:administer" },
  { to: "/platform/settings", words: "Settings", permit: "platform:administer" },
  { to: "/platform/osint", words: "Open sources", permit: "platform:administer" },
  { to: "/platform/jobs", words: "Jobs", permit: "jobs:administer" },
  { to: "/platform/audit", words: "Audit log", permit: "audit:inspect" },
  { to: "/platform/letters", words: "Letters", permit: "users:administer" },
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
      <Tabs label="Administration" of={TABS.filter(({ permit }) => allows(permits, permit))} />
      {children}
    </Page>
  );
}
