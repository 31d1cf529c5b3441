import { useState, type ReactNode } from "react";
import { Link, useLocation, useNavigate, useParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Barrier } from "../compartments.tsx";
import { Assigned } from "./assigned.tsx";
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
  const go = useNavigate();
  // In the fragment it goes to no server; links of an older version have it in the query.
  const { hash, search } = useLocation();
  const [isEditing, setEditing] = useState(false);
  const code = [hash.slice(1), search].map((part) => new URLSearchParams(part).get("join")).find(Boolean);
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
              <Link className="button" to="plan">
                Plan as a text
              </Link>
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
            <div className="stack">
              <Participants mission={data} />
              <Assigned mission={data} />
            </div>
            <div className="stack">
              <ChainOfCommand missionId={data.id} />
              <p>
                <Link to="command">Who may order what, and command at other moments</Link>
              </p>
            </div>
          </div>
          {isEditing && <EditMission mission={data} onClose={() => setEditing(false)} />}
          {code && (
            <JoinMission
              code={code}
              mission={data}
              onClose={() => void go({ search: "", hash: "" }, { replace: true })}
            />
          )}
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
          Its area is on the <Link to={`/picture?set=${mission.problemSetId}`}>picture</Link>:{" "}
          <Link to={`/picture/sensors/coverage?set=${mission.problemSetId}&mission=${mission.id}`}>
            how much of it sensors watch
          </Link>
          .
        </p>
      )}
    </>
  );
}
