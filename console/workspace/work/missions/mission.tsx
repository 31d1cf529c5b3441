import { useState, type ReactNode } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Barrier } from "../compartments.tsx";
import { ChainOfCommand } from "./command/chain.tsx";
import { MissionCourse } from "./course.tsx";
import { JoinMission } from "./invitations.tsx";
import { EditMission } from "./mission-form.tsx";
import type { Mission } from "./mission-words.ts";
import { Participants } from "./participants.tsx";
import { Planning } from "./planning/planning.tsx";

/** One mission: what it is for and how it stands, its planning, its people and its chain of command. */
export function MissionPage(): ReactNode {
  const { missionId = "" } = useParams();
  const { set, maySet } = useSet();
  const [search, setSearch] = useSearchParams();
  const [isEditing, setEditing] = useState(false);
  const code = search.get("join");
  const mission = useAnswer("GET /missions/{id}", [{ path: { id: missionId } }]);
  return (
    <Shown of={mission}>
      {({ data }) => (
        <SetPage
          title={data.name}
          intro={data.objective && `Objective: ${data.objective}`}
          acts={
            <>
              <Link to={`/workspace/${set.id}/missions`}>All missions</Link>
              {maySet("missions:edit") && data.status !== "archived" && (
                <button type="button" onClick={() => setEditing(true)}>
                  Edit
                </button>
              )}
            </>
          }
        >
          <Section title="How it stands">
            <Facts mission={data} />
            <MissionCourse mission={data} />
          </Section>
          <Planning mission={data} />
          <div className="columns">
            <Participants mission={data} />
            <ChainOfCommand missionId={data.id} />
          </div>
          {isEditing && <EditMission mission={data} onClose={() => setEditing(false)} />}
          {code && <JoinMission code={code} mission={data} onClose={() => setSearch({}, { replace: true })} />}
        </SetPage>
      )}
    </Shown>
  );
}

function Facts({ mission }: { mission: Mission }): ReactNode {
  const { status, compartments, description, startsAt, endsAt, outcome, reason, area } = mission;
  return (
    <>
      <p className="row">
        <Badge>{status}</Badge>
        <span>
          {startsAt ? <Time at={startsAt} /> : "no beginning set"} – {endsAt ? <Time at={endsAt} /> : "no end set"}
        </span>
        <small className="muted">opened by {mission.createdByName ?? mission.createdBy}</small>
        <Barrier compartments={compartments} />
      </p>
      {description && <p className="as-written">{description}</p>}
      {outcome && (
        <p className="as-written">
          <strong>Outcome:</strong> {outcome}
        </p>
      )}
      {reason && (
        <p className="as-written">
          <strong>Taken up again:</strong> {reason}
        </p>
      )}
      {area && (
        <p>
          Its area is on the <Link to={`/picture/${mission.problemSetId}`}>picture</Link>.
        </p>
      )}
    </>
  );
}
