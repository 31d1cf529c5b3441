import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { useMay } from "../app/session.tsx";
import { NotFound } from "../app/shell.tsx";
import { Accounts } from "./accounts/accounts.tsx";
import { Audit } from "./audit/audit.tsx";
import { EverybodysKeys } from "./accounts/everybodys-keys.tsx";
import { Osint } from "./osint/osint.tsx";
import { Jobs } from "./jobs/jobs.tsx";
import { Letters } from "./overview/letters.tsx";
import { Overview } from "./overview/overview.tsx";
import { Settings } from "./settings/settings.tsx";
import { SeveralAccounts } from "./accounts/several.tsx";
import { Who } from "./accounts/who.tsx";
import "./platform.css";

/** Addresses below /platform: running the installation. */
export default function Platform(): ReactNode {
  if (!useMay("platform:administer")) return <NotFound />;
  return (
    <Routes>
      <Route index element={<Overview />} />
      <Route path="accounts" element={<Accounts />} />
      <Route path="accounts/several" element={<SeveralAccounts />} />
      <Route path="admission" element={<Who />} />
      <Route path="keys" element={<EverybodysKeys />} />
      <Route path="osint" element={<Osint />} />
      <Route path="settings/:name?" element={<Settings />} />
      <Route path="jobs" element={<Jobs />} />
      <Route path="audit" element={<Audit />} />
      <Route path="letters" element={<Letters />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
