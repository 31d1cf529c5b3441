import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Feed } from "../activity/feed.tsx";
import { InviteDialog } from "../members/invite.tsx";
import { OpenAlarms } from "../../picture/resources/open-alarms.tsx";
import { DirectionCard } from "../direction/direction-card.tsx";
import { SetPage, useSet } from "./use-set.tsx";
import { Waiting } from "./waiting.tsx";
import { People } from "./people.tsx";

const LATELY = 8;

/** What happens here now: why, who, what waits for somebody, what moved. */
export function Overview(): ReactNode {
  const { set, maySet } = useSet();
  const [isInviting, setInviting] = useState(false);
  return (
    <SetPage
      title="Overview"
      intro={set.description ?? "Nobody has said yet what this problem set is for."}
      acts={
        <>
          {maySet("members:invite") && (
            <button type="button" onClick={() => setInviting(true)}>
              Invite somebody
            </button>
          )}
          <Primary />
          <Link className="button" to={`/workspace/${set.id}/settings`}>
            Settings
          </Link>
        </>
      }
    >
      <div className="beside">
        <div className="stack">
          {maySet("resources:read") && (
            <OpenAlarms place={{ problemSetId: set.id, name: set.name, may: maySet }} isQuietWhenNone />
          )}
          <Waiting />
          <Lately />
        </div>
        <div className="stack">
          <People />
          <DirectionCard />
        </div>
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </SetPage>
  );
}

/** Which set somebody works in first; other areas of the console open it. */
function Primary(): ReactNode {
  const { set } = useSet();
  const choose = useAct("PUT /problem-sets/me/primary", {
    says: ({ data }) =>
      data.problemSetId ? `${set.name} is your primary problem set.` : "You have no primary problem set now.",
  });
  return (
    <button
      type="button"
      aria-pressed={set.primary}
      disabled={choose.isPending}
      onClick={() => choose.mutate({ body: { problemSetId: set.primary ? null : set.id } })}
    >
      {/* The state is told by the pressed button, not by other words. */}
      <span aria-hidden="true">{set.primary ? "★" : "☆"}</span> Primary set
    </button>
  );
}

function Lately(): ReactNode {
  const { set } = useSet();
  const items = useAnswer("GET /problem-sets/{id}/activity", [{ path: { id: set.id }, query: { limit: LATELY } }]);
  return (
    <Section title="Lately" acts={<Link to={`/workspace/${set.id}/activity`}>All activity</Link>}>
      <Shown of={items}>
        {({ data }) => (data.length ? <Feed items={data} /> : <Empty>Nothing has happened yet.</Empty>)}
      </Shown>
    </Section>
  );
}
