import { rowsOf, said, type Row } from "../passages.ts";

/** How a vote stands, or what came of it. */
function outcomeOf({ status, tally, deadline, cancelled }: Row): string {
  if (status === "active") return `It is being voted on until ${deadline}`;
  if (status === "queued") return `It was adopted: ${tally?.reason}`;
  if (status === "cancelled") return `It was withdrawn${cancelled?.reason ? `: ${cancelled.reason}` : ""}`;
  return tally?.reason ?? "";
}

/** What the DAOs of a problem set vote on. */
export const proposalsOf = rowsOf("proposal", "dao.proposals.listAll", (row) => [
  row["title"],
  said(`Proposal "${row["title"]}": ${row["status"]}`, outcomeOf(row), row["description"]),
]);
