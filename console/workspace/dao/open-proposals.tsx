import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Empty, Shown } from "../../parts/page.tsx";
import { Badge, many } from "../../parts/texts.tsx";
import type { Proposal } from "./dao-types.ts";
import { TimeLeft } from "./time-left.tsx";
import { daoAddress } from "./use-dao.tsx";

const SHOWN = 20;

/** What is voted on now in the DAOs of one problem set or of all, the nearest close first. */
export function OpenProposals({ problemSetId }: { problemSetId?: string }): ReactNode {
  const open = useAnswer("GET /dao/proposals", [
    { query: { status: "active", sort: "deadline", limit: SHOWN, ...(problemSetId && { problemSetId }) } },
  ]);
  return (
    <Shown of={open}>
      {({ data, meta }) =>
        data.length ? (
          <>
            <ul className="list">
              {data.map((proposal) => (
                <Line key={proposal.id} proposal={proposal} />
              ))}
            </ul>
            {meta.total > data.length && (
              <p className="muted">And {many(meta.total - data.length, "other")}, on the pages of their DAOs.</p>
            )}
          </>
        ) : (
          <Empty>Nothing is being voted on.</Empty>
        )
      }
    </Shown>
  );
}

function Line({ proposal }: { proposal: Proposal }): ReactNode {
  const { id, title, daoId, problemSetId } = proposal;
  return (
    <li className="row between">
      <span className="row">
        <Link to={`${daoAddress({ problemSetId, id: daoId })}/proposals/${id}`}>{title}</Link>
        <OwnPart proposal={proposal} />
      </span>
      <TimeLeft until={proposal.deadline} />
    </li>
  );
}

/** Whether it waits for this person. */
export function OwnPart({ proposal: { daoId, id } }: { proposal: Proposal }): ReactNode {
  const { data } = useAnswer("GET /dao/{daoId}/proposals/{proposalId}/me", [{ path: { daoId, proposalId: id } }]);
  if (!data) return null;
  const mine = data.data;
  if (mine.vote) return <Badge tone="good">you voted</Badge>;
  if (!mine.acts.vote.allowed) return null;
  return mine.speakerName ? (
    <Badge tone="info">{`${mine.speakerName} votes for you`}</Badge>
  ) : (
    <Badge tone="warn">waits for your vote</Badge>
  );
}
