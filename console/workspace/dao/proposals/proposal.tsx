import { Fragment, type ReactNode } from "react";
import { Link, useParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { isOutOfSight } from "../../../api/client.ts";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { apart } from "../../../parts/apart.ts";
import { Markdown } from "../../../parts/markdown.tsx";
import { Ballot } from "../ballot/ballot.tsx";
import { powerWords } from "../amounts.ts";
import { Count } from "../count/count.tsx";
import { CheckTheCount } from "../count/recount.tsx";
import { Votes } from "../count/votes.tsx";
import type { Proposal, Recount } from "../dao-types.ts";
import { KIND_WORDS, settingWords, STATUS_WORDS } from "../rule-words.ts";
import { daoAddress, DaoPage, useDao } from "../use-dao.tsx";
import { Course } from "./course.tsx";
import { Measures } from "./measures.tsx";
import { ProposalActs } from "./proposal-acts.tsx";
import { ProposalBadge } from "./proposals.tsx";

/** One proposal: what it says and would do, one's ballot, how the count stands, and what came of it. */
export function ProposalPage(): ReactNode {
  const { proposalId = "" } = useParams();
  const { dao } = useDao();
  const path = { daoId: dao.id, proposalId };
  const proposal = useAnswer("GET /dao/{daoId}/proposals/{proposalId}", [{ path }]);
  if (isOutOfSight(proposal.error)) return <OutOfSight />;
  return (
    <Shown of={proposal} what="Opening the proposal">
      {({ data }) => (
        <DaoPage
          title={data.title}
          intro={`Proposed by ${apart(data.createdByName ?? data.createdBy)}. Ballot: ${KIND_WORDS[data.kind].toLowerCase()}.`}
          acts={<Link to={daoAddress(dao)}>All proposals</Link>}
        >
          <div className="beside">
            <div className="stack">
              <Standing proposal={data} />
              <Section title="What is proposed">
                {data.description ? (
                  <Markdown>{data.description}</Markdown>
                ) : (
                  <Empty>The title says it all: nothing more was written.</Empty>
                )}
                <Measures proposal={data} />
              </Section>
              <Ballot key={data.id} proposal={data} />
            </div>
            <div className="stack">
              <Section title="Course">
                <Course proposal={data} />
              </Section>
              <RulesOf proposal={data} />
            </div>
          </div>
          <Counted proposal={data} />
        </DaoPage>
      )}
    </Shown>
  );
}

function Standing({ proposal }: { proposal: Proposal }): ReactNode {
  const { status, cancelled, waitingFor, running } = proposal;
  return (
    <Section title="How it stands">
      <p className="row">
        <ProposalBadge status={status} />
        <strong>{STATUS_WORDS[status]}</strong>
        {running && <span>It is being executed now.</span>}
      </p>
      {cancelled && (
        <p>
          By {cancelled.byName ?? cancelled.by}
          {cancelled.reason && <>: “{cancelled.reason}”</>}
        </p>
      )}
      {proposal.tally && status !== "cancelled" && <Outcome proposal={proposal} tally={proposal.tally} />}
      {waitingFor && (
        <p className="fault" role="status">
          Its execution stopped: {waitingFor} Once that is mended, it can be executed again.
        </p>
      )}
      <ProposalActs proposal={proposal} />
    </Section>
  );
}

/** Why it passed or did not. */
function Outcome({ proposal, tally }: { proposal: Proposal; tally: Recount["recomputed"] }): ReactNode {
  const { quorum, winner, outcome } = tally;
  const { basis } = proposal.rules;
  if (!quorum.reached)
    return (
      <p>
        The quorum was not reached: {powerWords(quorum.counted, basis)} of {powerWords(quorum.required, basis)}.
      </p>
    );
  if (proposal.kind === "basic") return null;
  if (winner === null)
    return <p>No option won{outcome === "defeated" ? ": they were tied, or the lead was too small" : ""}.</p>;
  return <p>“{apart(proposal.options[winner]!)}” won.</p>;
}

function RulesOf({ proposal }: { proposal: Proposal }): ReactNode {
  return (
    <Section title="Rules of this vote">
      {proposal.class && <p>Class: {proposal.class}</p>}
      <details>
        <summary>As they stood when it was submitted</summary>
        <dl>
          {settingWords(proposal.rules).map(({ key, title, words }) => (
            <Fragment key={key}>
              <dt>{title}</dt>
              <dd>{words}</dd>
            </Fragment>
          ))}
        </dl>
      </details>
    </Section>
  );
}

function Counted({ proposal }: { proposal: Proposal }): ReactNode {
  const isOpened = proposal.totalPower !== undefined;
  const recount = useAnswer(
    "GET /dao/{daoId}/proposals/{proposalId}/tally",
    [{ path: { daoId: proposal.daoId, proposalId: proposal.id } }],
    { enabled: isOpened },
  );
  if (!isOpened) return null;
  return (
    <Shown of={recount} what="Counting">
      {({ data }) => (
        <>
          <Section title={proposal.status === "active" ? "The count so far" : "The count"}>
            <Count proposal={proposal} tally={data.stored ?? data.recomputed} />
          </Section>
          <Votes proposal={proposal} recount={data} />
          <CheckTheCount proposal={proposal} recount={data} />
        </>
      )}
    </Shown>
  );
}

const OutOfSight = (): ReactNode => (
  <DaoPage title="No such proposal">
    <p className="empty">There is no proposal of this DAO at this address.</p>
  </DaoPage>
);
