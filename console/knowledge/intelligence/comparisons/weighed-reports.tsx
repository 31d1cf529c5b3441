import type { ReactNode } from "react";
import { Link } from "react-router";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { reportPlace, sourceWords, STANCES, type ComparedReport, type ComparedReports } from "../words.ts";

/** Each report: its sentence, whose it is, and how much it weighs. */
export const WeighedReports = ({ of: { reports, problemSetId } }: { of: ComparedReports }): ReactNode => (
  <Table
    label="Reports and what they add"
    rows={reports}
    keyOf={({ kind, ref }) => `${kind} ${ref}`}
    columns={columnsIn(problemSetId)}
    empty="No report."
  />
);

const columnsIn = (setId: string): readonly Column<ComparedReport>[] => [
  {
    head: "Report",
    cell: (report) => (
      <>
        <Title of={report} place={reportPlace(report, setId)} />
        <br />
        <small className="muted">
          {report.kind === "document" ? "a document" : report.source}, <Time at={report.at} />
        </small>
      </>
    ),
  },
  {
    head: "Says",
    cell: ({ stance, quote, reasons }) => (
      <>
        <Badge tone={STANCES[stance].tone}>{STANCES[stance].words}</Badge>
        {quote && <blockquote dir="auto">“{quote}”</blockquote>}
        {stance !== "unrelated" && <small className="muted">{reasons.join("; ")}</small>}
      </>
    ),
  },
  { head: "Its source", cell: ({ reliability }) => sourceWords(reliability) },
  { head: "Weight", cell: (report) => <Weight of={report} /> },
];

const Title = ({ of: { title }, place }: { of: ComparedReport; place: string | undefined }): ReactNode =>
  place ? (
    <Link to={place} dir="auto">
      {title}
    </Link>
  ) : (
    <span dir="auto">{title}</span>
  );

/** How much it speaks for the statement, or against it. */
function Weight({ of: { counted, weight, logOdds, stance } }: { of: ComparedReport }): ReactNode {
  if (stance === "neutral" || stance === "unrelated") return <span className="muted">none</span>;
  if (!counted) return <span className="muted">none: a copy, or its source counts already</span>;
  return `${Math.round(weight * 100)} of 100 ${logOdds < 0 ? "against it" : "for it"}`;
}
