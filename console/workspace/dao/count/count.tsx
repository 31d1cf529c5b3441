import type { ReactNode } from "react";
import { Empty } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge, many } from "../../../parts/texts.tsx";
import { percentWords, powerWords, scoreWords } from "../amounts.ts";
import type { Proposal, DaoTally } from "../dao-types.ts";
import { barsOf, pictureWords, type Bar } from "./bars.ts";
import { QuorumMeter } from "./quorum-meter.tsx";

interface CountProps {
  proposal: Proposal;
  tally: DaoTally;
}

/** How the count stands, as a picture and as a table. */
export function Count({ proposal, tally }: CountProps): ReactNode {
  const { rules, options, kind } = proposal;
  const bars = barsOf(tally, options);
  const isOpen = proposal.status === "active";
  if (!tally.voters) return <Empty>Nobody has voted{isOpen ? " yet" : ""}.</Empty>;
  return (
    <>
      <Picture bars={bars} isBasic={kind === "basic"} />
      {kind === "basic" && (
        <p className="muted">
          It passes with more than {percentWords(rules.majorityBps)} of the votes for and against, where the quorum is
          reached.
        </p>
      )}
      {isOpen && <p>As it stands, it {tally.outcome === "succeeded" ? "would pass" : "would not pass"}.</p>}
      <QuorumMeter tally={tally} basis={rules.basis} />
      <Table
        label="Count"
        rows={bars}
        keyOf={({ at }) => at}
        columns={columnsFor(tally, isOpen)}
        empty="There is no option."
      />
      <p className="muted">
        {many(tally.voters, "vote")} for {many(tally.represented, "member")}:{" "}
        {powerWords(tally.power.cast, rules.basis)} of {powerWords(tally.power.total, rules.basis)}.
      </p>
      {tally.rounds && tally.rounds.length > 1 && <Rounds tally={tally} options={options} />}
    </>
  );
}

const columnsFor = ({ kind }: DaoTally, isOpen: boolean): readonly Column<Bar>[] => [
  {
    head: "Option",
    cell: ({ option, isWinner }) => (
      <>
        {option} {isWinner && kind !== "basic" && <Badge tone="good">{isOpen ? "leads" : "won"}</Badge>}
      </>
    ),
  },
  { head: kind === "quadratic" ? "Votes bought" : "Power", cell: ({ words }) => words, isFigure: true },
  {
    head: kind === "approval" ? "Share of the power cast" : "Share",
    cell: ({ share }) => `${Math.round(share * 1_000) / 10} %`,
    isFigure: true,
  },
];

/** For, against and abstain lie in one bar; other options each have their own. */
const Picture = ({ bars, isBasic }: { bars: readonly Bar[]; isBasic: boolean }): ReactNode => (
  <div role="img" aria-label={pictureWords(bars)} className={isBasic ? "stance-bar" : "option-bars"}>
    {bars.map(({ at, option, share, isWinner }) =>
      isBasic ? (
        <span key={at} className={option} style={{ flexGrow: share }} />
      ) : (
        <span key={at} className={isWinner ? "winner" : undefined}>
          <span style={{ width: `${share * 100}%` }} />
        </span>
      ),
    )}
  </div>
);

/** The rounds of an instant runoff: who went out, and where their votes went. */
function Rounds({ tally, options }: { tally: DaoTally; options: readonly string[] }): ReactNode {
  const rows = (tally.rounds ?? []).map((round, at) => ({ ...round, at }));
  type Row = (typeof rows)[number];
  const columns: Column<Row>[] = [
    { head: "Round", cell: ({ at }) => `${at + 1}` },
    ...options.map((option, n) => ({
      head: option,
      cell: ({ scores }: Row) => scoreWords(tally.kind, scores[n] ?? "0"),
      isFigure: true,
    })),
    { head: "No option left", cell: ({ exhausted }) => scoreWords(tally.kind, exhausted), isFigure: true },
    { head: "Goes out", cell: ({ eliminated }) => (eliminated === null ? "nobody" : options[eliminated]) },
  ];
  return (
    <details>
      <summary>Round by round</summary>
      <Table
        label="Rounds of the count"
        rows={rows}
        keyOf={({ at }) => at}
        columns={columns}
        empty="There were none."
      />
    </details>
  );
}
