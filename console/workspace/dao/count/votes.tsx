import type { ReactNode } from "react";
import { useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Badge, many, Time } from "../../../parts/texts.tsx";
import { powerWords } from "../amounts.ts";
import { choiceWords } from "../choice-words.ts";
import type { Proposal, Recount, Vote } from "../dao-types.ts";

/** Who voted what: votes of a DAO are open. */
export function Votes({ proposal, recount }: { proposal: Proposal; recount: Recount }): ReactNode {
  const votes = useAnswer(
    "GET /dao/{daoId}/proposals/{proposalId}/votes",
    [{ path: { daoId: proposal.daoId, proposalId: proposal.id }, query: { sort: "-castAt", page: usePage() } }],
    { keepsShown: true },
  );
  const carried = new Map(recount.carried.map(({ voter, power }) => [voter, power]));
  return (
    <Section title="Who voted what">
      <Shown of={votes}>
        {({ data, meta }) => (
          <>
            <Table
              label="Votes"
              rows={data}
              keyOf={({ id }) => id}
              columns={columnsFor(proposal, carried)}
              empty="Nobody has voted yet."
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}

const columnsFor = (
  { kind, options, rules }: Proposal,
  carried: ReadonlyMap<string, string>,
): readonly Column<Vote>[] => [
  { head: "Member", cell: ({ voter, voterName }) => voterName ?? voter },
  {
    head: "Vote",
    cell: ({ choice, signed, changes }) => (
      <>
        {choice !== undefined && choiceWords(kind, options, choice)} {signed && <Badge tone="good">signed</Badge>}{" "}
        {changes > 1 && <small className="muted">changed {many(changes - 1, "time")}</small>}
      </>
    ),
  },
  {
    head: "Counts",
    cell: ({ voter, power }) => powerWords(carried.get(voter) ?? power, rules.basis),
    isFigure: true,
  },
  { head: "Why", cell: ({ reason }) => reason ?? <span className="muted">not said</span>, isText: true },
  { head: "When", cell: ({ castAt }) => <Time at={castAt} /> },
];
