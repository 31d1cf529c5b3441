import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useWho } from "../../app/session.tsx";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { HearSets } from "../../live/hear-sets.tsx";
import { AlarmLine, bySeverity } from "../../picture/resources/alarms.tsx";
import { HiddenInTraining } from "../../app/hidden-in-training.tsx";

const MOST = 5;

type Assignment = ListRow<"GET /strategic/assignments">;
const isWaiting = ({ status }: Assignment): boolean => status === "open" || status === "accepted";
type MySet = ListRow<"GET /problem-sets/me">;

/** Alarms of one's problem sets that nobody has acknowledged, the worst first; they come in while somebody looks on. */
export function Alarms(): ReactNode {
  const sets = useAnswer("GET /problem-sets/me", [{ query: { status: "active", limit: MOST, sort: "-updatedAt" } }]);
  const alarms = useAnswer("GET /resources/alarms", [{ query: { state: "open", limit: 100 } }]);
  const unseen = (alarms.data?.data ?? []).filter(({ acknowledgedAt }) => !acknowledgedAt).toSorted(bySeverity);
  const [first, rest] = [unseen.slice(0, MOST), unseen.length - MOST];
  return (
    <>
      <HearSets ids={sets.data?.data.map(({ id }) => id) ?? []} events={ALARMS_LIVE} ops={OF_ALARMS} />
      {unseen.length > 0 && (
        <Section title={`${many(unseen.length, "alarm")} that nobody has acknowledged`}>
          <ul className="list">
            {first.map((one) => (
              <AlarmLine
                key={one.id}
                alarm={one}
                of={
                  <Link to={`/picture/resources/${one.resourceId}?set=${one.problemSetId ?? "everybody"}`}>
                    {one.resource ?? "A resource"}
                  </Link>
                }
              />
            ))}
          </ul>
          {rest > 0 && <p className="muted">and {rest} more.</p>}
        </Section>
      )}
    </>
  );
}

const ALARMS_LIVE = ["alarm.changed"];
const OF_ALARMS = ["GET /resources/alarms"];

/** Invitations, assignments and acts that wait for this person; nothing where nothing waits. */
export function Waiting(): ReactNode {
  const { userId } = useWho();
  const invites = useAnswer("GET /problem-sets/me/invites", [{ query: { limit: MOST } }]);
  const given = useAnswer("GET /strategic/assignments", [{ query: { assigneeId: userId, limit: 100 } }]);
  const approvals = useAnswer("GET /agents/approvals", [{ query: { status: "pending", limit: MOST } }]);
  const assignments = (given.data?.data.filter(isWaiting) ?? []).slice(0, MOST);
  const asked = approvals.data?.data ?? [];
  const invited = invites.data?.data ?? [];
  if (!invited.length && !assignments.length && !asked.length) return null;
  return (
    <Section title="Waits for you">
      <ul className="list">
        {invited.map(({ id, name, role }) => (
          <li key={id}>
            <Link to="/workspace">You are invited to {name}</Link> <small className="muted">as {role}</small>
          </li>
        ))}
        {assignments.map(({ id, problemSetId, title, status, dueAt }) => (
          <li key={id}>
            <Link to={`/workspace/${problemSetId}/tasks`}>{title}</Link> <Badge>{status}</Badge>{" "}
            {dueAt && (
              <small className="muted">
                due <Time at={dueAt} />
              </small>
            )}
          </li>
        ))}
        {asked.length > 0 && (
          <li>
            <Link to="/staff/agents">
              {many(asked.length, "act of an agent asks", "acts of agents ask")} for approval
            </Link>
          </li>
        )}
      </ul>
    </Section>
  );
}

/** Where this person works with others, and what they have not seen there yet. */
export function Workspaces(): ReactNode {
  const sets = useAnswer("GET /problem-sets/me", [{ query: { status: "active", limit: MOST, sort: "-updatedAt" } }]);
  return (
    <Section title="Your problem sets" acts={<Link to="/workspace">All of them</Link>}>
      <Shown of={sets}>
        {({ data }) =>
          data.length ? (
            <SetList sets={data} />
          ) : (
            <Empty>
              You are in none yet. <Link to="/workspace">Open one</Link>, from a scenario or from nothing, or have
              somebody invite you.
              <HiddenInTraining />
            </Empty>
          )
        }
      </Shown>
    </Section>
  );
}

function SetList({ sets }: { sets: readonly MySet[] }): ReactNode {
  const problemSetIds = sets.map(({ id }) => id);
  const counts = useAnswer("POST /problem-sets/notifications/counts", [{ body: { problemSetIds } }]);
  const unread = new Map(counts.data?.data.map((one) => [one.problemSetId, one.unread]));
  return (
    <ul className="list">
      {sets.map(({ id, name, role, training }) => (
        <li key={id}>
          <Link to={`/workspace/${id}`}>{name}</Link> <small className="muted">as {role}</small>{" "}
          {training && <Badge tone="warn">training</Badge>}{" "}
          {Boolean(unread.get(id)) && <Badge tone="info">{`${unread.get(id)} new`}</Badge>}
        </li>
      ))}
    </ul>
  );
}
