import type { ReactNode } from "react";
import { addressOf } from "../../../api/client.ts";
import { Section } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { many } from "../../../parts/texts.tsx";
import { amountWords } from "../amounts.ts";
import type { Proposal, Recount } from "../dao-types.ts";

type Elector = Recount["inputs"]["electors"][number];

/** What a count was made from, so that anybody can repeat it. */
export function CheckTheCount({ proposal, recount }: { proposal: Proposal; recount: Recount }): ReactNode {
  const { inputs, equal } = recount;
  return (
    <Section title="Check the count">
      <p>
        {equal === null
          ? "The count above is made anew from the stored votes each time it is looked at."
          : equal
            ? "Counted again now from the stored votes: it comes to the same result."
            : "Counted again now from the stored votes, it comes to another result than was stored at the close."}
      </p>
      <details className="stack">
        <summary>Who could vote: {many(inputs.electors.length, "member")}, as frozen when the voting opened</summary>
        <Table
          label="Frozen power"
          rows={inputs.electors}
          keyOf={({ id }) => id}
          columns={columnsWith(inputs)}
          empty="Nobody could vote."
        />
      </details>
      <p className="muted">
        The power of each member goes to the first on their chain of delegates, themselves at its head, who voted; it
        passes over {inputs.depth} at most. The file holds power, delegations and votes.
      </p>
      <p>
        <a
          className="button"
          href={addressOf("GET /dao/{daoId}/proposals/{proposalId}/tally", {
            path: { daoId: proposal.daoId, proposalId: proposal.id },
          })}
          download={`count-of-${proposal.id}.json`}
        >
          Download what was counted
        </a>
      </p>
    </Section>
  );
}

const columnsWith = ({ electors, delegations }: Recount["inputs"]): readonly Column<Elector>[] => {
  const names = new Map(electors.map(({ id, name }) => [id, name ?? id]));
  const delegates = new Map(delegations.map(({ from, to }) => [from, to]));
  return [
    { head: "Member", cell: ({ id }) => names.get(id) },
    { head: "Own power", cell: ({ power }) => amountWords(power), isFigure: true },
    {
      head: "Delegated to",
      cell: ({ id }) => names.get(delegates.get(id) ?? "") ?? <span className="muted">nobody</span>,
    },
  ];
};
