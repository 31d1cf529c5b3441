import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Barrier } from "../compartments.tsx";
import { OtherSet } from "../requests/other-set.tsx";
import { PHASE_TITLES, type PlanningPhase } from "../missions/phase-words.ts";
import { Deadline, isUndecided } from "./deadline.tsx";
import { GateActs } from "./gate-acts.tsx";
import { decidingRoles, didWords, either, STANDING, whoDid, type Gate } from "./gate-words.ts";

/** One gate: how it stands, what one may do, what it guards, and who decided what about it. */
export function GatePage(): ReactNode {
  const { gateId = "" } = useParams();
  const { set } = useSet();
  const gate = useAnswer("GET /gates/gate/{gateId}", [{ path: { gateId } }]);
  return (
    <Shown of={gate}>
      {({ data }) => (
        <SetPage
          title={data.name}
          intro={data.description}
          acts={<Link to={`/workspace/${set.id}/gates`}>All gates</Link>}
        >
          <div className="beside">
            <Section title="Decision">
              <Standing gate={data} />
              <GateActs gate={data} />
            </Section>
            <Section title="About this gate">
              <About gate={data} />
            </Section>
          </div>
          <Section title="History">
            <Table
              label="What was decided"
              rows={data.decisions.toReversed()}
              keyOf={({ at, act }) => `${at} ${act}`}
              columns={HISTORY}
              empty={`Nothing yet: ${data.createdByName ?? data.createdBy} added it, and nobody has submitted it.`}
            />
          </Section>
        </SetPage>
      )}
    </Shown>
  );
}

function Standing({ gate }: { gate: Gate }): ReactNode {
  return (
    <>
      <p className="row">
        <Badge>{gate.status}</Badge>
        <strong>{STANDING[gate.status]}</strong>
        <Barrier compartments={gate.compartments} />
      </p>
      {gate.reason && gate.decidedBy && (
        <blockquote>
          {gate.reason} <small>— {whoDid(gate.decidedBy, gate.decidedByName)}</small>
        </blockquote>
      )}
      {gate.escalatedFrom && (
        <p>
          Passed up by <OtherSet id={gate.escalatedFrom.problemSetId} otherwise="a set below" />: what is decided here
          holds there.
        </p>
      )}
      {gate.escalatedTo?.problemSetId && (
        <p>
          <Link to={`/workspace/${gate.escalatedTo.problemSetId}/gates/${gate.escalatedTo.gateId}`}>
            See the gate above
          </Link>
        </p>
      )}
    </>
  );
}

function About({ gate }: { gate: Gate }): ReactNode {
  const { set } = useSet();
  return (
    <dl>
      <dt>Holds back</dt>
      <dd>
        <Guards of={gate} />
      </dd>
      <dt>Force</dt>
      <dd>{gate.enforcement === "hard" ? "It stops the work" : "It warns, and can be overridden"}</dd>
      <dt>Who decides</dt>
      <dd>{gate.status === "escalated" ? "The problem set above" : <Deciders gate={gate} />}</dd>
      <dt>Decide by</dt>
      <dd>
        <Deadline of={gate} />
        {gate.deadline && isUndecided(gate) && (
          <small className="muted">
            {gate.onDeadline === "escalate" && set.parentId ? "Then it goes up to the set above." : "Then it expires."}
          </small>
        )}
      </dd>
      <dt>Topic</dt>
      <dd>{gate.tab}</dd>
      <dt>Added by</dt>
      <dd>
        {gate.createdByName ?? gate.createdBy}, <Time at={gate.createdAt} />
      </dd>
      {gate.softenedBy && (
        <>
          <dt>Made to warn only by</dt>
          <dd>{gate.softenedByName ?? gate.softenedBy}; somebody else must override it.</dd>
        </>
      )}
    </dl>
  );
}

function Guards({ of: { guards, problemSetId } }: { of: Gate }): ReactNode {
  const isMission = guards?.kind === "mdmp-transition";
  const mission = useAnswer("GET /missions/{id}", [{ path: { id: guards?.subject ?? "" } }], { enabled: isMission });
  if (!guards) return "Nothing that the platform does: people keep to it.";
  if (!isMission) return "The handoff of the design to planning.";
  return (
    <>
      {guards.step ? `Leaving “${PHASE_TITLES[guards.step as PlanningPhase]}”` : "Every step forward"} in the planning
      of{" "}
      <Link to={`/workspace/${problemSetId}/missions/${guards.subject}`}>{mission.data?.data.name ?? "a mission"}</Link>
    </>
  );
}

/** The roles that decide, and who holds them, without whoever submitted it. */
function Deciders({ gate }: { gate: Gate }): ReactNode {
  const path = { id: gate.problemSetId };
  const roles = useAnswer("GET /problem-sets/{id}/roles", [{ path }], { stays: true });
  const members = useAnswer("GET /problem-sets/{id}/members", [{ path, query: { limit: 100 } }]);
  const deciding = decidingRoles(gate, roles.data?.data ?? []);
  const names = members.data?.data
    .filter(({ role, status, userId }) => deciding.includes(role) && status === "active" && userId !== gate.submittedBy)
    .map(({ userName, userId }) => userName ?? userId);
  return (
    <>
      {either(deciding)}
      {names && (
        <small className="muted">{names.length ? `: ${either(names)}` : ": nobody but whoever submitted it"}</small>
      )}
    </>
  );
}

const HISTORY: readonly Column<Gate["decisions"][number]>[] = [
  {
    head: "Who",
    cell: ({ by, byName, role }) => (
      <>
        {whoDid(by, byName)} {role && <small className="muted">{role}</small>}
      </>
    ),
  },
  { head: "What", cell: ({ act }) => didWords(act) },
  { head: "When", cell: ({ at }) => <Time at={at} /> },
  { head: "Note", cell: ({ note }) => note ?? <span className="muted">none</span> },
];
