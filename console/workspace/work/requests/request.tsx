import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Barrier } from "../compartments.tsx";
import { OtherSet } from "./other-set.tsx";
import { NeededBy } from "./needed-by.tsx";
import { RequestState } from "./request-state.tsx";
import type { RequestShown, RequestStatus } from "./request-words.ts";
import { RequestThread } from "./thread.tsx";

/** One request for information, from the side of the set that asks or of the one that is asked. */
export function RequestPage(): ReactNode {
  const { rfiId = "" } = useParams();
  const { set, maySet } = useSet();
  const request = useAnswer("GET /inheritance/{id}/rfis/{rfiId}", [{ path: { id: set.id, rfiId } }]);
  return (
    <Shown of={request}>
      {({ data }) => (
        <SetPage
          title={data.title}
          acts={
            <>
              <Link to={`/workspace/${set.id}/rfis?direction=${data.side === "child" ? "sent" : "received"}`}>
                All requests
              </Link>
              {maySet("inheritance:ask") && <Moves request={data} />}
            </>
          }
        >
          <Section title="Question">
            <Facts request={data} />
            <p className="as-written">{data.question}</p>
            <p className="muted">{nextFor(data)}</p>
          </Section>
          <RequestThread request={data} />
        </SetPage>
      )}
    </Shown>
  );
}

function Facts({ request }: { request: RequestShown }): ReactNode {
  const { status, priority, compartments, side, createdBy, createdByName, createdAt, problemSetId, parentId } = request;
  return (
    <p className="row">
      <RequestState of={status} />
      {priority !== "routine" && <Badge tone={priority === "immediate" ? "bad" : "warn"}>{priority}</Badge>}
      <span>
        needed by: <NeededBy of={request} />
      </span>
      <small className="muted">
        {side === "child" ? (
          <>
            asked of <OtherSet id={parentId} otherwise="the set above" /> by {createdByName ?? createdBy}
          </>
        ) : (
          <>
            asked by <OtherSet id={problemSetId} otherwise="a set below" />
          </>
        )}
        , <Time at={createdAt} />
      </small>
      <Barrier compartments={compartments} />
    </p>
  );
}

/** Whose turn it is. */
function nextFor({ status, side }: RequestShown): string {
  const isOurs = side === "child";
  if (status === "open")
    return isOurs ? "It waits for the set above to answer." : "It waits for an answer of this set.";
  if (status === "answered")
    return isOurs
      ? "The set above has answered. Close the request if that is enough; otherwise ask on."
      : "It is answered. Whoever asked closes it, or asks on.";
  return isOurs ? "It is at its end. It can be asked again." : "It is at its end. Whoever asked can ask it again.";
}

const VERBS: Readonly<Record<RequestStatus, string>> = {
  answered: "Mark as answered",
  closed: "Close: the answer is enough",
  withdrawn: "Withdraw",
  open: "Ask again",
};
const SAYS: Readonly<Record<RequestStatus, string>> = {
  answered: "The request is answered.",
  closed: "The request is closed.",
  withdrawn: "The request is withdrawn.",
  open: "The request is open again.",
};

function Moves({ request: { id: rfiId, moves, status: now } }: { request: RequestShown }): ReactNode {
  const { set } = useSet();
  const move = useAct("PUT /inheritance/{id}/rfis/{rfiId}/status", { says: ({ data }) => SAYS[data.status] });
  // To answer and to ask on are beside the message that does it.
  const shown = moves.filter((status) => status !== "answered" && !(status === "open" && now === "answered"));
  return shown.map((status) => (
    <button
      key={status}
      type="button"
      className={status === "closed" ? "primary" : undefined}
      disabled={move.isPending}
      onClick={() => move.mutate({ path: { id: set.id, rfiId }, body: { status } })}
    >
      {VERBS[status]}
    </button>
  ));
}
