import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { Form, Select } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { many } from "../../../parts/texts.tsx";
import { powerWords } from "../amounts.ts";
import { QuorumMeter } from "../count/quorum-meter.tsx";
import type { Proposal, ProposalStatus } from "../dao-types.ts";
import { KIND_WORDS, STATUS_CHOICES, statusBadge, whyNot } from "../rule-words.ts";
import { OwnPart } from "../open-proposals.tsx";
import { TimeLeft } from "../time-left.tsx";
import { daoAddress, DaoPage, useDao } from "../use-dao.tsx";

/** Above the list, so many of those that are voted on. */
const SHOWN = 5;

const proposalLink = ({ problemSetId, daoId, id, title }: Proposal): ReactNode => (
  <Link to={`${daoAddress({ problemSetId, id: daoId })}/proposals/${id}`}>{title}</Link>
);

/** What the DAO decides now, and all that it has decided. */
export function Proposals(): ReactNode {
  const { dao, mine } = useDao();
  const { propose } = mine.acts;
  return (
    <DaoPage
      title="Proposals"
      intro={dao.description || "What is put to the vote here, and what came of it."}
      acts={
        propose.allowed && (
          <Link className="button" to={`${daoAddress(dao)}/propose`}>
            Write a proposal
          </Link>
        )
      }
    >
      <OwnPower />
      {!propose.allowed && <p className="muted">You cannot propose here: {whyNot(propose.why)}</p>}
      <Open />
      <All key={dao.id} />
    </DaoPage>
  );
}

/** What this person's vote counts here. */
function OwnPower(): ReactNode {
  const { dao, mine } = useDao();
  const { basis } = dao.config;
  if (!mine.votes)
    return (
      <p>
        You have no vote here
        {mine.acts.vote.allowed ? ": you do not belong to the electorate." : `: ${whyNot(mine.acts.vote.why)}`}
      </p>
    );
  const others = mine.represents.length;
  return (
    <p>
      Your vote counts <strong>{powerWords(mine.carried, basis)}</strong> of {powerWords(mine.total, basis)}
      {others > 0 && `: your own, and that of ${many(others, "member")} who delegated to you`}.
      {mine.delegation &&
        ` You delegated it to ${mine.delegation.toName ?? mine.delegation.to}, who votes for you unless you do.`}
    </p>
  );
}

function Open(): ReactNode {
  const { dao } = useDao();
  const open = useAnswer("GET /dao/{daoId}/proposals", [
    { path: { daoId: dao.id }, query: { status: "active", sort: "deadline", limit: SHOWN } },
  ]);
  if (!open.data?.data.length) return null;
  return (
    <Section title="Being voted on now">
      <ul className="list">
        {open.data.data.map((proposal) => (
          <li key={proposal.id} className="stack">
            <span className="row between">
              <span className="row">
                {proposalLink(proposal)}
                <OwnPart proposal={proposal} />
              </span>
              <TimeLeft until={proposal.deadline} />
            </span>
            <Quorum proposal={proposal} />
          </li>
        ))}
      </ul>
      {open.data.meta.total > SHOWN && (
        <p className="muted">And {many(open.data.meta.total - SHOWN, "other")}, in the list below.</p>
      )}
    </Section>
  );
}

function Quorum({ proposal }: { proposal: Proposal }): ReactNode {
  const count = useAnswer("GET /dao/{daoId}/proposals/{proposalId}/tally", [
    { path: { daoId: proposal.daoId, proposalId: proposal.id } },
  ]);
  return count.data ? <QuorumMeter tally={count.data.data.recomputed} basis={proposal.rules.basis} /> : null;
}

function All(): ReactNode {
  const { dao, mine } = useDao();
  const [search, setSearch] = useSearchParams();
  const status = STATUS_CHOICES.find(([one]) => one === search.get("status"))?.[0] as ProposalStatus | undefined;
  const proposals = useAnswer(
    "GET /dao/{daoId}/proposals",
    [{ path: { daoId: dao.id }, query: { page: usePage(), ...(status && { status }) } }],
    { keepsShown: true },
  );
  return (
    <>
      <Form act="Show" isInline label="Filter proposals" onSubmit={(fields) => setSearch(fields)}>
        <Select label="State" name="status" defaultValue={status ?? ""} options={[["", "any"], ...STATUS_CHOICES]} />
      </Form>
      <Shown of={proposals}>
        {({ data, meta }) => (
          <>
            <Table
              label="Proposals"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty={
                status
                  ? "No proposal is in this state."
                  : `Nothing has been proposed yet.${mine.acts.propose.allowed ? " Write the first proposal." : ""}`
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </>
  );
}

export function ProposalBadge({ status }: { status: ProposalStatus }): ReactNode {
  const [words, tone] = statusBadge(status);
  return <Badge tone={tone}>{words}</Badge>;
}

const COLUMNS: readonly Column<Proposal>[] = [
  { head: "Proposal", cell: proposalLink },
  { head: "State", cell: ({ status }) => <ProposalBadge status={status} /> },
  { head: "Ballot", cell: ({ kind }) => KIND_WORDS[kind] },
  { head: "Proposed by", cell: ({ createdByName, createdBy }) => createdByName ?? createdBy },
  {
    head: "Voting",
    cell: ({ status, startsAt, deadline }) =>
      status === "pending" ? (
        <TimeLeft until={startsAt} verb="opens" />
      ) : status === "active" ? (
        <TimeLeft until={deadline} />
      ) : (
        <Time at={deadline} />
      ),
  },
];
