import { quarrelsOf } from "../../../services/news/briefings/stories/quarrels.ts";
import { compose } from "../../../services/news/briefings/writing/compose.ts";
import type { BriefingInput } from "../../../services/news/briefings/model.ts";
import type { BriefingArticle } from "../../../services/news/articles/client.ts";
import { reported, SOURCES, type Report } from "../../fixtures/briefings/articles.ts";
import { BUSY_DAY_PERIOD } from "../../fixtures/briefings/busy-day.ts";

// What the sources of a story tell differently is told with it, wherever the story stands.

const input = (
  articles: readonly BriefingArticle[],
  contradictions: BriefingInput["contradictions"] = [],
): BriefingInput => ({ articles, contradictions, period: BUSY_DAY_PERIOD, now: BUSY_DAY_PERIOD.to, sources: SOURCES });

const bridge: Report[] = [
  [
    1,
    "2T07:00",
    "Bridge over the Arne will open to traffic on Friday",
    "The new bridge over the Arne at Molden will open to traffic on Friday, the road office said on Monday. It cost 420 million crowns.",
  ],
  [
    2,
    "2T09:00",
    "Molden bridge stays shut, builder says",
    "The new bridge over the Arne at Molden will not open on Friday, its builder said on Monday. It cost 610 million crowns.",
  ],
];
/** Enough that is graver, in the same section and in others, to fill the places in full. */
const graver = Array.from({ length: 12 }, (_, n) =>
  reported(
    700 + 10 * n,
    [3, 4, 5].map((sourceId): Report => {
      const [what, where] = n % 2 ? ["Earthquake", `Tarvo${n}`] : ["Train crash", `Ulm${n}`];
      return [
        sourceId,
        "2T21:00",
        `${what} kills ${300 + n} in ${where}`,
        `A ${what.toLowerCase()} killed ${300 + n} people in ${where} on Monday, rescuers told outlet ${sourceId}.`,
      ];
    }),
  ),
).flat();
const differences = (content: string): string[] => content.match(/^ *- \*\*(?:Figures|Sources|Claim)[^\n]+/gm) ?? [];

test("a story that gets one line is told with both sides of what its sources contradict each other in", () => {
  const { content } = compose(input([...graver, ...reported(601, bridge)]));
  expect(content).not.toMatch(/^### .*[Bb]ridge/m);
  const [line, ...below] = content
    .split("\n")
    .slice(content.split("\n").findIndex((each) => /^- .*bridge/i.test(each)));
  expect(line).toMatch(/confidence, 0\.\d\d\)$/);
  expect(below[0]).toMatch(/^ {2}- \*\*/);
  expect(below.slice(0, 2).join("\n")).toMatch(/“[^”]*not open on Friday[^”]*”.*“[^”]*will open to traffic on Friday/);
});

test("two matters that one sentence tells of are two differences", () => {
  const farm: Report[] = [
    [1, "2T07:00", "Wind farm off Tholm", "The government approved a wind farm with 80 turbines off Tholm on Monday."],
    [
      2,
      "2T09:00",
      "Tholm: what the wind brings",
      "With 64 turbines, it would supply 900,000 homes, the ministry said.",
    ],
    [4, "2T11:00", "Islanders hope", "The ministry has blocked the farm off Tholm, the mayor said on Monday."],
  ];
  const [approved, supply, blocked] = farm.map(([, , , text]) => text) as [string, string, string];
  const claim = { contentId: 621, text: approved, score: 60 };
  const found = [
    { ...claim, articleId: 622, against: supply, reasons: ["different figure: 80 against 64"] },
    { ...claim, articleId: 623, against: blocked, reasons: [] },
  ];
  const told = differences(compose(input(reported(621, farm), found)).content);
  expect(told).toHaveLength(2);
  expect(told.find((line) => line.includes("64 turbines"))).toContain("80 turbines");
  expect(told.find((line) => line.includes("has blocked"))).toContain("approved a wind farm");
});

test("what was found when the articles were verified is shown, though the composition does not see it", () => {
  const scooters: Report[] = [
    [
      1,
      "2T07:00",
      "Zipline calls back scooters",
      "Zipline is calling back its Dart scooters after fires, the company said on Monday. It knows of 12 cases.",
    ],
    [
      2,
      "2T09:00",
      "Safety office on the scooters of Zipline",
      "The safety office has files on 57 fires of scooters, it said on Monday, and asks owners to stop riding.",
    ],
  ];
  const stories = reported(641, scooters);
  const [claim, against] = [
    "It knows of 12 cases.",
    "The safety office has files on 57 fires of scooters, it said on Monday, and asks owners to stop riding.",
  ] as const;
  expect(differences(compose(input(stories)).content)).toEqual([]);
  const found = { contentId: 641, text: claim, articleId: 642, against, score: 60, reasons: [] };
  const told = differences(compose(input(stories, [found, { ...found, articleId: 9 }])).content);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/Sources contradict each other.*57 fires.*\[#642\].*12 cases.*\[#641\]/);
});

test("what was found against a sentence is shown, though the report that says it came into another story", () => {
  const [samples, doubts] = [
    reported(651, [
      [
        1,
        "2T07:00",
        "Ministry lifts advice on fishing in the valley",
        "The ministry lifted its advice against fishing below Hollern on Monday. The drinking water of Tarnau is safe.",
      ],
    ]),
    reported(656, [
      [
        2,
        "2T09:00",
        "Volunteers count 1,150 dead trout",
        "Volunteers counted 1,150 dead trout between two outlets of a factory on Sunday night. Taps carry what is not safe to drink, they said.",
      ],
    ]),
  ];
  const found = {
    contentId: 656,
    text: "Taps carry what is not safe to drink, they said.",
    articleId: 651,
    against: "The drinking water of Tarnau is safe.",
    score: 50,
    reasons: ["two states of water: unsafe and safe"],
  };
  const { stories, content } = compose(input([...samples, ...doubts], [found]));
  expect(stories).toHaveLength(2);
  expect(differences(content)).toEqual([expect.stringMatching(/is not safe.*\[#656\].*is safe.*\[#651\]/)]);
});

test("what is cut into pieces is quoted in none that it was put together of", () => {
  const torn = reported(661, [
    [1, "2T07:00", "", "![x](https://evil.example/x.png) denied reports that The ministry of health"],
    [2, "2T08:00", "", "[x](https://evil.example/) [x](https://evil.example/)"],
  ]);
  expect(compose(input(torn)).content).not.toContain("[ x");
});

test("an event is judged again when a report of it has changed, and not for the next reader", () => {
  const told = (second: string) =>
    reported(601, [bridge[0]!, [2, "2T09:00", "Molden bridge", second]]).map((article) => ({
      article,
      sentences: [article.text],
    }));
  const judged = (second: string): [quarrels: number, steps: number] => {
    const judging = quarrelsOf(told(second));
    for (let steps = 0; ; steps++) {
      const step = judging.next();
      if (step.done) return [step.value.length, steps];
    }
  };
  const [shut, open] = ["The new bridge over the Arne at Molden will not open on Friday.", "It opens on Friday."];
  const [quarrels, steps] = judged(shut);
  expect(quarrels).toBeGreaterThan(0);
  expect(steps).toBeGreaterThan(0);
  expect(judged(shut)).toEqual([quarrels, 0]);
  const [none, again] = judged(open);
  expect(none).toBe(0);
  expect(again).toBeGreaterThan(0);
});
