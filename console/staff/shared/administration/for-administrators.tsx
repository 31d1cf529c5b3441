import type { ReactNode } from "react";
import { Link, Outlet } from "react-router";
import { useMay } from "../../../app/session.tsx";
import { Empty } from "../../../parts/page.tsx";
import { StaffPage } from "../frame.tsx";

/** Pages of what agents are made of: others are told where they make agents. */
export function ForAdministrators(): ReactNode {
  const mayAdminister = useMay("platform:administer");
  if (mayAdminister) return <Outlet />;
  return (
    <StaffPage title="What agents are made of">
      <Empty>
        Administrators see to how agents are built, and to their tools and teams. In a problem set in which you plan,
        you make an agent on the page of <Link to="/staff/agents">its agents</Link>.
      </Empty>
    </StaffPage>
  );
}
