import { errataScore } from "../../../bench/judgement/errata/score.ts";
import { erratumOf, retractions, takenBack, takesBack } from "../../../core/text/statements/speech/errata.ts";
import { extractClaims } from "../../../services/news/verification/claims/detection.ts";
import { stance } from "../../../services/news/verification/references/stance.ts";

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

const NOTED =
  "A fire at a warehouse on Delancey Road was put out on Monday evening. Six firefighters were hurt. " +
  "Editor's note: In the first version of this report we told you that sixteen firefighters had been hurt.";

describe("a note in which an outlet takes back what its article said", () => {
  it.each([
    ["An earlier version of this post said Loomly had 2.5 million subscribers.", true],
    ["This story previously stated that 200 people attended the hearing.", true],
    ["This article was amended on 6 February to correct the rate.", true],
    ["CORRECTION: The repairs cost 88 million and not, as this article first had it, 880 million.", true],
    ["We originally said three percentage points.", true],
    ["An earlier version of the bill would have cost 88 million.", false],
    ["The law was amended on 6 February to lower the rate.", false],
    ["The minister said the correction of prices would take a year.", false],
    ["We said we would not leave, the captain told reporters.", false],
  ])("%s: %s", (sentence, wanted) => {
    expect(takesBack(sentence)).toBe(wanted);
  });

  it("claims nothing, and is no evidence for what it takes back", () => {
    const claims = extractClaims(NOTED).map(({ text }) => text);
    expect(claims).toContain("Six firefighters were hurt.");
    expect(claims.filter((claim) => claim.includes("sixteen"))).toEqual([]);
    const note = "In the first version of this report we told you that sixteen firefighters had been hurt.";
    expect(stance("Sixteen firefighters were hurt.", note, { event: "same" }).stance).toBe("unrelated");
    expect(stance("Six firefighters were hurt.", note, { event: "same" }).stance).toBe("unrelated");
  });

  it("takes numbers back whichever stands first", () => {
    const numbers = (text: string) => [...takenBack([text]).wrong];
    expect(numbers("Varda will pay $75, not $750.")).toEqual([750]);
    expect(numbers("The rate dropped by 0.3; we had originally said three.")).toEqual([3]);
    expect(numbers("The global stock should read 3.6 (not 36).")).toEqual([36]);
  });
});

it.each([
  ["stranger", "40 of 40", "10 of 10"],
  ["second", "33 of 35", "8 of 10"],
] as const)("reads the corrections and retractions of others: %s", (part, corrections, withdrawn) => {
  const score = errataScore(part);
  expect(score.get("corrections: found")).toBe(corrections);
  expect(score.get("retractions: found")).toBe(withdrawn);
  expect(score.get("corrections: right among those taken for one")!.split(" of ").map(Number)).toEqual(
    expect.arrayContaining([Number(corrections.split(" ")[0])]),
  );
});
