import { fittingBest, record, said, type Ask, type Passage, type RecordRow } from "../passages.ts";

const MOST = 50;

/** Names of people of another problem set are not told. */
const by = (name: string | undefined): string => (name ? ` of ${name}` : "");

/** What was answered to a request, or added to it. */
async function threadOf(ask: Ask, row: RecordRow, among: { id: string }): Promise<Passage[]> {
  const found = await ask("inheritance.rfiMessages.list", { ...among, rfiId: row.id, limit: MOST }).catch(() => null);
  return ((found?.data ?? []) as RecordRow[]).map(({ from, createdByName, text }) => ({
    ...record(
      "request",
      row,
      row["title"],
      `${from === "parent" ? "Answer" : "Word"}${by(createdByName)} to the request "${row["title"]}": ${text}`,
    ),
    among,
    href: `/api/inheritance/${among.id}/rfis/${row.id}/messages`,
  }));
}

/** Requests for information that a problem set made, and those that came from its children, with what was answered. */
export async function requestsOf(ask: Ask, question: string, problemSetId: string): Promise<Passage[]> {
  const among = { id: problemSetId };
  const both = await Promise.all(
    ["sent", "received"].map((direction) => ask("inheritance.rfis.list", { ...among, direction, limit: MOST })),
  );
  const rows: RecordRow[] = both.flatMap(({ data }) => data);
  const requests = rows.map((row) => ({
    ...record(
      "request",
      row,
      row["title"],
      said(
        `Request for information "${row["title"]}": ${row["status"]}`,
        `The question${by(row["createdByName"])} is: ${row["question"]}`,
        row["neededBy"] && `The answer to "${row["title"]}" is needed by ${row["neededBy"]}`,
      ),
    ),
    among,
    href: `/api/inheritance/${problemSetId}/rfis/${row.id}`,
  }));
  const threads = await Promise.all(fittingBest(question, rows, requests).map((row) => threadOf(ask, row, among)));
  return [...requests, ...threads.flat()];
}
