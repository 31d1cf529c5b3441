import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { Empty, Loading, Page } from "../../parts/page.tsx";
import { useMay, useWho } from "../../app/session.tsx";
import { HearSets } from "../../live/hear-sets.tsx";
import { useLive } from "../../live/live.ts";
import { useStaffPlace, type StaffPlace } from "./place.ts";
import { Tabs } from "../../parts/tabs.tsx";

const TABS = [
  ["/staff", "Assistant"],
  ["/staff/feed", "Feed"],
  ["/staff/agents", "Agents"],
  ["/staff/workflows", "Workflows"],
  ["/staff/validation", "Validation"],
] as const;
/** What agents are made of, for those who administer the platform. */
const MADE_OF = [
  ["/staff/tools", "Tools"],
  ["/staff/teams", "Teams"],
] as const;

interface StaffPageProps {
  title: string;
  intro?: ReactNode;
  acts?: ReactNode;
  children: ReactNode;
  /** With it, the problem set can be chosen: what "none" means is said by `elsewhere`. */
  place?: StaffPlace;
  /** Words for no problem set; without them one is always chosen. */
  elsewhere?: string;
}

/** A page of this area: its parts as tabs, and the problem set that it is about. */
export function StaffPage({ place, elsewhere, children, ...head }: StaffPageProps): ReactNode {
  const [search] = useSearchParams();
  const set = search.get("set");
  const tabs = [...TABS, ...(useMay("platform:administer") ? MADE_OF : [])];
  return (
    <Page {...head}>
      <Tabs
        label="Assistant and agents"
        of={tabs.map(([pathname, words]) => ({ to: { pathname, search: set ? `?set=${set}` : "" }, words }))}
      />
      {place && <PlacePicker {...place} elsewhere={elsewhere} />}
      {place ? <Within place={place}>{children}</Within> : children}
    </Page>
  );
}

function PlacePicker({ sets, setId, elsewhere }: StaffPlace & { elsewhere: string | undefined }): ReactNode {
  const [, setSearch] = useSearchParams();
  if (!sets.length) return null;
  return (
    <label className="staff-place">
      <span>Problem set</span>
      <select value={setId ?? ""} onChange={({ currentTarget: { value } }) => setSearch(value ? { set: value } : {})}>
        {elsewhere !== undefined && <option value="">{elsewhere}</option>}
        {sets.map(({ id, name, status }) => (
          <option key={id} value={id}>
            {name}
            {status === "archived" ? " (archived)" : ""}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A problem set that the person is not in is as one that is not there. */
function Within({ place: { isKnown, setId, set }, children }: { place: StaffPlace; children: ReactNode }): ReactNode {
  const { user } = useWho();
  if (!isKnown) return <Loading />;
  if (setId !== undefined && !set && user)
    return <Empty>There is no such problem set, or you are not a member of it. Choose another one.</Empty>;
  return children;
}

/** Where a page needs a problem set and the person has none. */
export const NoSets = ({ what }: { what: string }): ReactNode => (
  <Empty>
    {what} <Link to="/workspace">Open a problem set, or have yourself invited to one.</Link>
  </Empty>
);

/** What is read again when somebody changes an agent, or what agents are made of. */
const AGENTS_LIVE = ["agent.changed", "team.changed", "tool.changed"];
const OF_AGENTS = ["GET /agents", "GET /admin/agents", "GET /admin/teams", "GET /admin/tools"];

/** Hears of agents, teams and tools: those of the person's problem sets, and those of none. */
export function HearAgents(): ReactNode {
  const { sets } = useStaffPlace();
  useLive({ topic: "agents" }, AGENTS_LIVE, undefined, { ops: OF_AGENTS });
  return <HearSets ids={sets.map(({ id }) => id)} events={AGENTS_LIVE} ops={OF_AGENTS} />;
}
