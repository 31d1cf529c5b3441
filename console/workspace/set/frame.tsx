import type { ReactNode } from "react";
import { Link, Route, Routes, useParams } from "react-router";
import { isOutOfSight } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { queries } from "../../api/queries.ts";
import { area } from "../../app/area.ts";
import { useMay, useWho } from "../../app/session.tsx";
import { useLive } from "../../live/live.ts";
import { Page, Shown } from "../../parts/page.tsx";
import { Badge } from "../../parts/texts.tsx";
import { ActivityPage } from "../activity/activity.tsx";
import { CompartmentPage } from "../compartments/compartment.tsx";
import { Compartments } from "../compartments/compartments.tsx";
import { DesignPage } from "../design/design.tsx";
import { WritePart } from "../design/write-part.tsx";
import { DirectionPage } from "../direction/direction.tsx";
import { Escalations } from "../escalation/escalations.tsx";
import { Following } from "../following/following.tsx";
import { Members } from "../members/members.tsx";
import { SetKeys } from "../keys/keys.tsx";
import Work from "../work/work.tsx";
import { Overview } from "./overview.tsx";
import { Settings } from "./settings.tsx";
import { SetProvider, useSet } from "./use-set.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { mayInSet } from "../../app/sets.ts";

const TABS = [
  ["", "Overview"],
  ["members", "Members"],
  ["compartments", "Compartments"],
  ["direction", "Direction"],
  ["rfis", "Requests"],
  ["gates", "Gates"],
  ["missions", "Missions"],
  ["messages", "Messages"],
  ["documents", "Documents"],
  ["dao", "DAOs"],
  ["activity", "Activity"],
] as const;

const LIVE = ["activity.item", "compartment.changed", "encryption-key.changed", "live.unsubscribed"];

/** A problem set: its name, one's own role, and its pages, which are read again whenever something happens in it. */
export function SetFrame(): ReactNode {
  const { problemSetId = "" } = useParams();
  const { user } = useWho();
  useLive({ problemSetId }, LIVE);
  const given = [{ path: { id: problemSetId } }] as const;
  const [set, roles] = [
    useAnswer("GET /problem-sets/{id}", [...given]),
    useAnswer("GET /problem-sets/{id}/roles", [...given], { stays: true }),
  ];
  // Also where it was in sight until now: what stands here goes at once.
  if (isOutOfSight(set.error)) return <OutOfSight problemSetId={problemSetId} />;
  return (
    <Shown of={set} what="Opening the problem set">
      {({ data }) => (
        <Shown of={roles}>
          {({ data: table }) => {
            // Without accounts (AUTH=off) nobody is a member, and everybody may do everything.
            const permits = user ? (table.find(({ role }) => role === data.role)?.permits ?? []) : ["*"];
            return (
              <SetProvider value={{ set: data, permits, maySet: mayInSet(data.status, permits) }}>
                <SetHead />
                <SetRoutes />
              </SetProvider>
            );
          }}
        </Shown>
      )}
    </Shown>
  );
}

/** Whoever follows the word of a new message finds it, however shortly before they looked. */
const messagesGrewOld = (): Promise<void> =>
  queries.invalidateQueries({ queryKey: ["GET /messages"], refetchType: "none" });

/** Messages of the channels that this person follows, which they have not read: told on every page of the set. */
function useUnread(problemSetId: string): number {
  useLive({ problemSetId }, ["message.published"], () => void messagesGrewOld(), { ops: ["GET /messages/channels"] });
  const channels = useAnswer("GET /messages/channels", [{ query: { problemSetId, limit: 100, page: 1 } }]);
  return channels.data?.data.reduce((sum, { mine }) => sum + (mine?.waiting ?? 0), 0) ?? 0;
}

function SetHead(): ReactNode {
  const { set } = useSet();
  const unread = useUnread(set.id);
  const { user } = useWho();
  return (
    <header className="set-head">
      <div className="row between">
        <p className="row">
          <Link to="/workspace">Problem sets</Link>
          <span aria-hidden="true">/</span>
          <strong>{set.name}</strong>
          {user && <Badge tone="info">{`you: ${set.role}`}</Badge>}
          {set.training && <Badge tone="warn">training</Badge>}
          {set.status === "archived" && <Badge tone="warn">archived: read only</Badge>}
        </p>
        <Elsewhere />
      </div>
      <Tabs
        label={set.name}
        of={TABS.map(([to, words]) => ({
          to: `/workspace/${set.id}${to && `/${to}`}`,
          words,
          ...(to === "messages" && unread && { news: `${unread} new` }),
        }))}
      />
    </header>
  );
}

/** What other areas of the console have of this set. */
function Elsewhere(): ReactNode {
  const { set, maySet } = useSet();
  return (
    <span className="elsewhere">
      {maySet("cop:read") && <Link to={`/picture?set=${set.id}`}>Its picture</Link>}
      <Link to={`/knowledge?set=${set.id}`}>Its graph</Link>
      <Link to={`/staff?set=${set.id}`}>Its assistant</Link>
    </span>
  );
}

const DaoArea = area(() => import("../dao/dao-area.tsx"));

const SetRoutes = (): ReactNode => (
  <Routes>
    <Route index element={<Overview />} />
    <Route path="members" element={<Members />} />
    <Route path="compartments" element={<Compartments />} />
    <Route path="compartments/:compartmentId" element={<CompartmentPage />} />
    <Route path="keys" element={<SetKeys />} />
    <Route path="direction" element={<DirectionPage />} />
    <Route path="design" element={<DesignPage />} />
    <Route path="design/:part" element={<WritePart />} />
    <Route path="activity" element={<ActivityPage />} />
    <Route path="activity/following" element={<Following />} />
    <Route path="escalations" element={<Escalations />} />
    <Route path="settings" element={<Settings />} />
    <Route path="dao/*" element={<DaoArea />} />
    <Route path="*" element={<Work />} />
  </Routes>
);

function OutOfSight({ problemSetId }: { problemSetId: string }): ReactNode {
  const administers = useMay("platform:administer");
  return (
    <Page title="Nothing is here for you">
      <p className="empty">
        There is no problem set at this address that you are a member of. It may have been one: who is removed or
        suspended sees it no longer. A training set is seen in training mode only.
      </p>
      {administers && <FromArchive problemSetId={problemSetId} />}
      <p>
        <Link to="/workspace">To your problem sets</Link>
      </p>
    </Page>
  );
}

/** An administrator takes a set out of the archive without being a member, and sees no more of it by that. */
function FromArchive({ problemSetId }: { problemSetId: string }): ReactNode {
  const restore = useAct("POST /problem-sets/{id}/restore", {
    says: "It is active again: its members go on working in it. You see as little of it as before.",
  });
  return (
    <section className="card" aria-label="Out of the archive">
      <p>
        Somebody whose set is in the archive sent you this address? As an administrator you can take it out again,
        without being a member.
      </p>
      <div>
        <button
          type="button"
          disabled={restore.isPending}
          onClick={() => restore.mutate({ path: { id: problemSetId } })}
        >
          Take it out of the archive
        </button>
      </div>
    </section>
  );
}
