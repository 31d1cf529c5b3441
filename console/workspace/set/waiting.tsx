import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useWho } from "../../app/session.tsx";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { WaitingRequests } from "../work/requests/waiting-requests.tsx";
import { useSet } from "./use-set.tsx";

type Gate = ListRow<"GET /gates/{problemSetId}">;
/** States in which a gate waits, what waits for a decision first. */
const WAITS: readonly Gate["status"][] = ["escalated", "submitted", "open"];
/** More than these would push away what happened lately. */
const MOST_SHOWN = 8;
/** Gates are looked through so far back. */
const ROWS = 100;

/** Gates that nobody has decided yet, and people who stand at the door. */
export function Waiting(): ReactNode {
  const { set, maySet } = useSet();
  const gates = useAnswer("GET /gates/{problemSetId}", [
    { path: { problemSetId: set.id }, query: { sort: "-updatedAt", limit: ROWS } },
  ]);
  return (
    <Section
      title="Waits for somebody"
      acts={
        <>
          <Link to={`/workspace/${set.id}/escalations`}>Escalations</Link>
          <Link to={`/workspace/${set.id}/gates`}>All gates</Link>
        </>
      }
    >
      <Applicants />
      {maySet("inheritance:ask") && <WaitingRequests />}
      <OpenVotes />
      {maySet("intelligence:read") && <OpenIntelligence />}
      {maySet("objectives:read") && <HighRisks />}
      <Shown of={gates}>
        {({ data, meta }) => {
          const waiting = WAITS.flatMap((status) => data.filter((gate) => gate.status === status).toSorted(sooner));
          return (
            <>
              {waiting.length ? (
                <ul className="list">
                  {waiting.slice(0, MOST_SHOWN).map((gate) => (
                    <GateLine key={gate.id} {...gate} />
                  ))}
                  {waiting.length > MOST_SHOWN && (
                    <li>
                      <Link to={`/workspace/${set.id}/gates`}>
                        {waiting.length - MOST_SHOWN} more {waiting.length - MOST_SHOWN === 1 ? "waits" : "wait"}
                      </Link>
                    </li>
                  )}
                </ul>
              ) : (
                <Empty>
                  No gate waits for a decision. A gate is a step that is taken only once somebody has released it.
                </Empty>
              )}
              {meta.total > ROWS && <p className="muted">Of the {ROWS} gates that changed last.</p>}
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

const sooner = (a: Gate, b: Gate): number => ((a.deadline ?? "9") < (b.deadline ?? "9") ? -1 : 1);

function GateLine({ id, name, status, deadline, submittedBy, problemSetId, enforcement }: Gate): ReactNode {
  const { maySet } = useSet();
  const { userId } = useWho();
  const isAbove = status === "escalated";
  const isYours = status === "open" ? maySet("gates:submit") : maySet("gates:decide") && submittedBy !== userId;
  const acts = status === "open" ? "submitted" : "decided";
  return (
    <li>
      <div className="row between">
        <Link to={`/workspace/${problemSetId}/gates/${id}`}>{name}</Link>
        <Badge>{status}</Badge>
      </div>
      <small className="muted">
        {isAbove
          ? "To be decided by the problem set above"
          : isYours
            ? `To be ${acts}, by you or another`
            : `To be ${acts} by others`}
        {enforcement === "soft" && "; it warns, and stops nothing"}
        {deadline && (
          <>
            ; due <Time at={deadline} />
          </>
        )}
        .
      </small>
    </li>
  );
}

/** What the DAOs of the set vote on now. */
function OpenVotes(): ReactNode {
  const { set } = useSet();
  const open = useAnswer("GET /dao/proposals", [
    { query: { problemSetId: set.id, status: "active", sort: "deadline", limit: 1 } },
  ]);
  const count = open.data?.meta.total ?? 0;
  if (!count) return null;
  return (
    <p>
      <Link to={`/workspace/${set.id}/dao`}>{many(count, "proposal is", "proposals are")} being voted on</Link>
    </p>
  );
}

/** Alerts that nobody has acknowledged, questions that wait for an answer, and comparisons that wait for a review. */
function OpenIntelligence(): ReactNode {
  const { set } = useSet();
  const status = useAnswer("GET /strategic-agents/status", [{ query: { problemSetId: set.id } }]);
  if (!status.data) return null;
  const { alerts, checkpoints, products } = status.data.data;
  const waiting = (
    [
      [alerts.open, "alert of a monitor is open", "alerts of monitors are open", "/monitors"],
      [checkpoints.pending, "question waits for a person", "questions wait for a person", "/cycles"],
      [products.in_review, "comparison waits for a review", "comparisons wait for a review", ""],
    ] as const
  ).filter(([count]) => count > 0);
  return waiting.map(([count, one, several, below]) => (
    <p key={one}>
      <Link to={`/knowledge/intelligence${below}?set=${set.id}${below ? "" : "&status=in_review"}`}>
        {many(count, one, several)}
      </Link>
    </p>
  ));
}

/** High risks to objectives that nobody has accepted or returned. */
function HighRisks(): ReactNode {
  const { set } = useSet();
  const high = useAnswer("GET /strategic/risk/high-risk", [
    { query: { problemSetId: set.id, status: "proposed", limit: 1 } },
  ]);
  const count = high.data?.meta.total ?? 0;
  if (!count) return null;
  return (
    <p>
      <Link to={`/knowledge/strategy?set=${set.id}`}>
        {many(count, "high risk waits", "high risks wait")} for a review
      </Link>
    </p>
  );
}

/** People who accepted an invitation and are to be let in. */
function Applicants(): ReactNode {
  const { set, maySet } = useSet();
  const invitations = useAnswer("GET /problem-sets/{id}/invites", [{ path: { id: set.id }, query: { limit: 100 } }], {
    enabled: maySet("members:manage"),
  });
  const count = invitations.data?.data.reduce((sum, { waiting }) => sum + waiting.length, 0) ?? 0;
  if (!count) return null;
  return (
    <p>
      <Link to={`/workspace/${set.id}/members`}>{many(count, "person waits", "people wait")} to be let in</Link>
    </p>
  );
}
