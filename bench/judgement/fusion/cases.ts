import { creditOf } from "../../../services/news/articles/client.ts";
import { judge } from "../../../services/knowledge/strategic-agents/fusion/fusing.ts";
import type { FusedReport } from "../../../services/knowledge/strategic-agents/fusion/reports.ts";

/**
 * Reports of one event with what a reader makes of them: which speak for the hypothesis (+), against it (-), or settle
 * nothing (0), and how many voices there are. Written for this set; no weight was chosen by it.
 */
export interface Case {
  hypothesis: string;
  /** `+ - 0` for each report. */
  stances: string;
  voices: number;
  reports: readonly string[];
  trap?: string;
}

const WIRE = "ARVEN, Nov 12 (Meridian Wire) - ";

export const CASES: readonly Case[] = [
  {
    hypothesis: "The Orvane dam holds.",
    stances: "+-",
    voices: 2,
    reports: ["Engineers said the Orvane dam holds.", "The Orvane dam does not hold, villagers said."],
  },
  {
    hypothesis: "The port of Selm was closed on Monday.",
    stances: "++",
    voices: 2,
    reports: ["The port of Selm was closed on Monday after the storm.", "Officials closed the port of Selm on Monday."],
  },
  {
    hypothesis: "The port of Selm was closed on Monday.",
    stances: "+-",
    voices: 2,
    reports: ["The port of Selm was closed on Monday.", "The port of Selm was reopened on Monday."],
    trap: "an opposite, without a negation",
  },
  {
    hypothesis: "The attack on Brask killed 12 people.",
    stances: "+-",
    voices: 2,
    reports: ["The attack on Brask killed 12 people.", "The attack on Brask killed 31 people."],
    trap: "figures",
  },
  {
    hypothesis: "The attack on Brask killed 12 people.",
    stances: "++",
    voices: 2,
    reports: ["The attack on Brask killed 12 people.", "The attack on Brask killed a dozen people."],
    trap: "the same figure in other words",
  },
  {
    hypothesis: "The attack on Brask killed 12 people.",
    stances: "+0",
    voices: 1,
    reports: ["The attack on Brask killed 12 people.", "The attack on Tarn killed 31 people."],
    trap: "another place",
  },
  {
    hypothesis: "The Calder bridge was destroyed.",
    stances: "++",
    voices: 1,
    reports: [`${WIRE}The Calder bridge was destroyed.`, `${WIRE}The Calder bridge was destroyed overnight.`],
    trap: "two papers, one agency",
  },
  {
    hypothesis: "The Calder bridge was destroyed.",
    stances: "+-",
    voices: 2,
    reports: ["The Calder bridge was destroyed.", "The Calder bridge was not destroyed, the army said."],
  },
  {
    hypothesis: "The Calder bridge was destroyed.",
    stances: "+0",
    voices: 1,
    reports: ["The Calder bridge was destroyed.", "The Calder bridge was built in 1931 by engineers of Arven."],
    trap: "speaks of the same, and settles nothing",
  },
  {
    hypothesis: "Meridian withdrew its troops from Castra.",
    stances: "+-",
    voices: 2,
    reports: ["Meridian withdrew its troops from Castra.", "Meridian has not withdrawn its troops from Castra."],
  },
  {
    hypothesis: "Meridian withdrew its troops from Castra.",
    stances: "+0",
    voices: 1,
    reports: ["Meridian withdrew its troops from Castra.", "Castra withdrew its ambassador from Meridian."],
    trap: "roles exchanged",
  },
  {
    hypothesis: "Oil exports of Vell rose by 8 percent in October.",
    stances: "+-",
    voices: 2,
    reports: [
      "Oil exports of Vell rose by 8 percent in October, the ministry said.",
      "Oil exports of Vell fell by 8 percent in October.",
    ],
    trap: "an opposite with the same figure",
  },
  {
    hypothesis: "Oil exports of Vell rose by 8 percent in October.",
    stances: "+0",
    voices: 1,
    reports: [
      "Oil exports of Vell rose by 8 percent in October.",
      "Oil exports of Vell fell by 3 percent in May of last year.",
    ],
    trap: "another time",
  },
  {
    hypothesis: "The parliament of Arven approved the budget.",
    stances: "++-",
    voices: 3,
    reports: [
      "The parliament of Arven approved the budget.",
      "The budget was approved by the parliament of Arven.",
      "The parliament of Arven rejected the budget.",
    ],
  },
  {
    hypothesis: "The parliament of Arven approved the budget.",
    stances: "+0",
    voices: 1,
    reports: ["The parliament of Arven approved the budget.", "The parliament of Arven will vote on the budget."],
    trap: "what is still to come",
  },
  {
    hypothesis: "The reactor at Tessaly was shut down.",
    stances: "0+",
    voices: 1,
    reports: ["Whether the reactor at Tessaly was shut down is unclear.", "The reactor at Tessaly was shut down."],
    trap: "a question",
  },
  {
    hypothesis: "The reactor at Tessaly was shut down.",
    stances: "+-",
    voices: 2,
    reports: [
      "The reactor at Tessaly was shut down.",
      "The operator denied that the reactor at Tessaly was shut down.",
    ],
    trap: "a denial",
  },
  {
    hypothesis: "The ferry to Marrow sank with 40 passengers.",
    stances: "++",
    voices: 2,
    reports: ["The ferry to Marrow sank with 40 passengers.", "A ferry with 40 passengers sank on its way to Marrow."],
  },
  {
    hypothesis: "The ferry to Marrow sank with 40 passengers.",
    stances: "+0",
    voices: 1,
    reports: ["The ferry to Marrow sank with 40 passengers.", "Ferry tickets to Marrow cost 40 crowns."],
    trap: "the same number of something else",
  },
  {
    hypothesis: "The ceasefire in Vell holds.",
    stances: "-+",
    voices: 2,
    reports: ["The ceasefire in Vell no longer holds.", "The ceasefire in Vell holds, observers said."],
    trap: "no longer",
  },
];

export const SIGNS = { support: "+", contradict: "-", neutral: "0", unrelated: "0" } as const;

export const reportsOf = ({ reports }: Case): FusedReport[] =>
  reports.map((text, n) => ({
    ...{
      kind: "article",
      ref: String(n + 1),
      articleId: n + 1,
      storyId: `story ${n + 1}`,
      reportId: `report ${n + 1}`,
    },
    ...{ sourceId: n + 1, sourceName: `Source ${n + 1}`, title: "News", text, reliability: "C" },
    ...{ publishedAt: `2026-11-12T1${n}:00:00.000Z`, credit: creditOf(text), actors: [], compartments: [] },
  }));

/** Shares of what was found and of what was to be found, and what came out otherwise. */
export async function figures() {
  const misses: string[] = [];
  const counts = { right: 0, all: 0, found: 0, wanted: 0, hit: 0, voices: 0 };
  for (const one of CASES) {
    const { weighed, found } = await judge(reportsOf(one), one.hypothesis);
    const got = one.reports.map(
      (_, n) => SIGNS[found.find(({ articleId }) => articleId === n + 1)?.stance ?? "unrelated"],
    );
    for (const [n, sign] of got.entries()) {
      const wanted = one.stances[n];
      counts.all++;
      if (sign === wanted) counts.right++;
      if (sign === "-") counts.found++;
      if (wanted === "-") counts.wanted++;
      if (sign === "-" && wanted === "-") counts.hit++;
    }
    if (weighed.parts.length === one.voices) counts.voices++;
    if (got.join("") !== one.stances || weighed.parts.length !== one.voices)
      misses.push(`${one.hypothesis} ${one.stances} ${got.join("")} ${weighed.parts.length} ${one.trap ?? ""}`);
  }
  return {
    stances: counts.right / counts.all,
    precision: counts.hit / counts.found,
    recall: counts.hit / counts.wanted,
    voices: counts.voices / CASES.length,
    misses,
  };
}
