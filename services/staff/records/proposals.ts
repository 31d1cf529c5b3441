import { rowsOf, said, type RecordRow } from "../passages.ts";

/** How a vote stands, or what came of it. */
function outcomeOf({ title, status, tally, deadline, cancelled }: RecordRow): string {
  if (status === "active") return `The DAO votes on "${title}" until ${deadline}`;
  if (status === "cancelled") return `It was withdrawn${cancelled?.reason ? `: ${cancelled.reason}` : ""}`;
  return tally ? `What the DAO decided about "${title}", ${status}: ${tally.reason}` : "";
}

/** What the DAOs of a problem set vote on. */
export const proposalsOf = rowsOf("proposal", "dao.proposals.listAll", (row) => [
  row["title"],
  said(`Proposal "${row["title"]}": ${row["status"]}`, outcomeOf(row), row["description"]),
]);
