import { erratumOf, retractions } from "../../../core/text/statements/errata.ts";

const HOUR = 3_600_000;
const report = (sourceId: number, hour: number, title: string, text = "") => ({
  sourceId,
  sourceName: "Hartfield Courier",
  title,
  text,
  publishedAt: new Date(hour * HOUR).toISOString(),
});

it.each([
  ["Retraction: mass grave near Orlava", "retraction"],
  ["RETRACTED - Minister's brother owned the yard", "retraction"],
  ["Retraction of our report on the Selm strike", "retraction"],
  ["The Courier withdraws its report on the yard", "retraction"],
  ["Correction: Port Selm strike", "correction"],
  ["Berichtigung: Streik in Selm", "correction"],
  ["Withdrawn troops return to their bases", undefined],
  ["Retraction of glaciers speeds up in the Orlava range", undefined],
  ["Retracted landing gear caused the crash, inquiry finds", undefined],
  ["Market correction wipes 4 % off shares", undefined],
  ["Government withdraws its bill on the press", undefined],
  ["The Ministry withdraws its report on the yard", undefined],
  ["The Commission withdrew its Article 7 proposal", undefined],
  ["Correction: why shares had to fall", undefined],
  ["Corrections and clarifications", "correction"],
])("%s: %s", (title, wanted) => {
  expect(erratumOf(report(1, 1, title))).toBe(wanted);
});

it.each([
  ["Apology: Mrs Tolland", "We reported that Mrs Tolland was bankrupt. This was incorrect.", "correction"],
  ["Apology to families", "The army apologised on Monday and said that it had wrongly shelled the school.", undefined],
  [
    "Dam repairs to cost 14 million",
    "(This story has been corrected to say 14 million) Repairs will begin.",
    "correction",
  ],
  ["Kestrel orders ten jets", "Kestrel ordered ten jets. An earlier version misspelled a name.", undefined],
  ["Correction – or crash?", "Shares have lost a tenth of their value since October.", undefined],
  ["Kill: bridge collapse", "The story about a bridge collapse should not be used.", "retraction"],
  ["Kill: a thriller", "The director's third film is his quietest.", undefined],
])("%s, %s: %s", (title, text, wanted) => {
  expect(erratumOf(report(1, 1, title, text))).toBe(wanted);
});

it("takes back the report that it names, or else the newest before it, and only those of its own outlet", () => {
  const first = report(1, 1, "Flood cuts road to Orlava");
  const named = report(1, 2, "Mass grave found near brick works");
  const others = report(2, 2, "Mass grave found near brick works");
  const later = report(1, 5, "Orlava bridge open again");
  const retraction = report(1, 4, "Retraction: grave near brick works", "We retract our report on a mass grave.");
  const vague = report(1, 4, "Retraction", "We withdraw our report.");
  expect([...retractions([first, named, others, later, retraction])]).toEqual([[named, retraction]]);
  expect([...retractions([first, named, others, later, vague])]).toEqual([[named, vague]]);
  expect([...retractions([others, later, retraction])]).toEqual([]);
});
