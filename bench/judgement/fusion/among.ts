import { disagreementsAmong } from "../../../services/knowledge/strategic-agents/fusion/among.ts";
import type { FusedReport } from "../../../services/knowledge/strategic-agents/fusion/reports.ts";

/**
 * Reports from a place of work, of several sentences each, and what they say against each other: a few words of either
 * side, as a reader finds them. Written for this set; nothing was chosen by it.
 */
interface Case {
  reports: readonly string[];
  against: readonly (readonly [one: string, other: string])[];
}

export const AMONG: readonly Case[] = [
  {
    reports: [
      "Situation report, eight in the morning\n\nThe dyke at Dolany still stands. 120 people were brought out of Lhota during the night. The Lhota Bridge is closed to buses. The 153rd Engineer Battalion guards the Lhota Bridge. Jiri Novotny leads the Morava River Authority.",
      "Report by radio, nine in the morning\n\nThe dyke at Dolany gave way behind the school. 40 people were brought out of Lhota during the night. The Lhota Bridge is open to buses. The Red Cross opened a shelter in Sternberk.",
    ],
    against: [
      ["still stands", "gave way"],
      ["120 people", "40 people"],
      ["closed to buses", "open to buses"],
    ],
  },
  {
    reports: [
      "The hospital at Hradek has power. 12 patients were moved to Olomouc. Diesel lasts until Friday. Road 35 is closed.",
      "The hospital at Hradek has no power. 12 patients were moved to Olomouc. Road 35 is closed between Hradek and Olomouc.",
    ],
    against: [["has power", "has no power"]],
  },
  {
    // Of other places, other times, and parts of a whole: nothing.
    reports: [
      "On Monday the gauge at Dolany read 4.1 metres. 300 people live in Lhota. The bridge at Lhota is closed.",
      "On Tuesday the gauge at Dolany read 5.2 metres. 40 people of Lhota stayed. The bridge at Sternberk is open.",
    ],
    against: [],
  },
  {
    reports: [
      "The convoy reached Castra on Thursday. It carried 40 tonnes of flour. No shots were fired. The drivers are well.",
      "The convoy never reached Castra. Shots were fired at it near Selm. It carried 40 tonnes of flour.",
    ],
    against: [
      ["reached Castra on Thursday", "never reached"],
      ["No shots", "Shots were fired"],
    ],
  },
  {
    // What may come, what is asked for and what somebody else says is not asserted.
    reports: [
      "The northern dam holds. Engineers will open the sluice if the lake rises. The mayor asks for 20 boats.",
      "Should the northern dam break, the lake will reach Lhota in an hour. The sluice is shut. 8 boats came.",
    ],
    against: [],
  },
  {
    reports: [
      "The talks in Lissen failed. Colonel Dvorak commands the garrison. The garrison has 400 soldiers.",
      "The talks in Lissen ended with an agreement. Major Sedlak commands the garrison. The garrison has 400 soldiers.",
      "Lissen is quiet. The garrison has 650 soldiers. The market is open.",
    ],
    against: [
      ["talks in Lissen failed", "ended with an agreement"],
      ["Colonel Dvorak commands", "Major Sedlak commands"],
      ["400 soldiers", "650 soldiers"],
    ],
  },
  {
    reports: [
      "Power station Vell was hit at night. Two turbines burn. Nobody was hurt. The grid is stable.",
      "Power station Vell was hit at night. Three workers were hurt. The fire is out. The grid is stable, the operator says.",
    ],
    against: [
      ["Nobody was hurt", "Three workers were hurt"],
      ["Two turbines burn", "fire is out"],
    ],
  },
  {
    // Two reports that agree in other words.
    reports: [
      "The levee at Dolany has been breached. 1,200 people left zone A. The school is full.",
      "Water broke through the dyke at Dolany. Some 1,200 persons were evacuated from zone A. The school takes nobody any more.",
    ],
    against: [],
  },
];

const reportsOf = ({ reports }: Case): FusedReport[] =>
  reports.map((text, n) => ({
    ...{ kind: "document", ref: String(n + 1), articleId: -1 - n, storyId: `document ${n}`, reportId: `document ${n}` },
    ...{ sourceId: -1 - n, sourceName: `Report ${n + 1}`, title: `Report ${n + 1}`, text, reliability: "F" },
    ...{ publishedAt: `2026-11-12T1${n}:00:00.000Z`, actors: [], compartments: [] },
  }));

/** Of the disagreements shown: how many are right; of those there: how many are shown. */
export async function figuresAmong() {
  let [shown, right, wanted] = [0, 0, 0];
  const wrong: string[] = [];
  const missed: string[] = [];
  for (const one of AMONG) {
    const found = await disagreementsAmong(reportsOf(one));
    const hits = new Set<readonly [string, string]>();
    for (const { says, against } of found) {
      const sides = [says.quote, against.evidence.text];
      const hit = one.against.find((words) =>
        [sides, sides.toReversed()].some(([a, b]) => a!.includes(words[0]) && b!.includes(words[1])),
      );
      shown++;
      if (hit) {
        right++;
        hits.add(hit);
      } else wrong.push(`${sides.join(" | ")} (${against.reasons[0]})`);
    }
    wanted += one.against.length;
    missed.push(...one.against.filter((words) => !hits.has(words)).map((words) => words.join(" | ")));
  }
  return { shown, right, wanted, found: wanted - missed.length, wrong, missed };
}
