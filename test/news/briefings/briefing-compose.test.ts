import { takenBack } from "../../../core/text/statements/speech/errata.ts";
import { compose } from "../../../services/news/briefings/writing/compose.ts";
import { estimateSeconds } from "../../../services/news/briefings/estimate.ts";
import { lexRank, select } from "../../../services/news/briefings/writing/ranking.ts";
import { headlineOf } from "../../../services/news/briefings/stories/headlines.ts";
import { independentSources, storyConfidence } from "../../../services/news/briefings/stories/stories.ts";
import { unit } from "../../../services/news/briefings/stories/vectors.ts";
import type { BriefingInput } from "../../../services/news/briefings/model.ts";
import { groupStories, type BriefingArticle } from "../../../services/news/articles/client.ts";
import { article, grouped, SOURCES } from "../../fixtures/briefings/articles.ts";
import { busyDay, BUSY_DAY_PERIOD } from "../../fixtures/briefings/busy-day.ts";
import { hostile } from "../../fixtures/briefings/hostile.ts";
import { lookalikes } from "../../fixtures/briefings/lookalikes.ts";
import { languages } from "../../fixtures/briefings/languages.ts";
import { nextDay, NEXT_DAY_PERIOD } from "../../fixtures/briefings/next-day.ts";
import { quietDay } from "../../fixtures/briefings/quiet-day.ts";
import { borrowed, readBriefing, sourceTexts } from "../../fixtures/briefings/reading.ts";

const input = (articles: readonly BriefingArticle[], more: Partial<BriefingInput> = {}): BriefingInput => ({
  articles,
  period: BUSY_DAY_PERIOD,
  now: BUSY_DAY_PERIOD.to,
  sources: SOURCES,
  ...more,
});
const day = compose(input(busyDay));
const storyWith = (composed: typeof day, id: number) =>
  composed.stories.find(({ articleIds }) => articleIds.includes(id))!;

/** The Markdown below a heading of any level, up to the next one as high. */
function below(content: string, heading: string): string {
  const lines = content.split("\n");
  const at = lines.findIndex((line) => line.replace(/^#+ /, "") === heading);
  const level = /^#+/.exec(lines[at]!)![0].length;
  const end = lines.findIndex((line, index) => index > at && new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(at + 1, end < 0 ? undefined : end).join("\n");
}

describe("what outlets take back", () => {
  const strike = [
    article(
      1,
      "economics",
      "2T10:00",
      "Dockers end strike at Port Selm after 11 days",
      "Dockers at Port Selm ended their strike on Sunday after 11 days, the union said. Some 4,000 dockers " +
        "had walked out over night shifts. Outside the harbour 63 ships were waiting. Work resumes on Monday " +
        "at six in the morning.",
      { id: 511 },
    ),
    article(
      2,
      "economics",
      "2T12:00",
      "Port Selm strike over after 11 days",
      "Dockers at Port Selm voted to go back to work on Sunday after a strike of 11 days. The union said " +
        "that 4,000 dockers of Port Selm had been on strike. In the roads 63 ships wait.",
      { id: 512 },
    ),
  ];
  const correction = article(
    2,
    "economics",
    "3T09:00",
    "Correction: Port Selm strike",
    "Correction: An earlier report on the strike at Port Selm said that 4,000 dockers had walked out. The number is 400. We regret the error.",
    { id: 513 },
  );
  const retraction = article(
    2,
    "economics",
    "3T09:00",
    "Retraction: the strike at Port Selm",
    "We retract our report that the strike at Port Selm is over. It relied on a forged letter of the union. We regret the error.",
    { id: 514 },
  );

  test("a figure that a correction takes back is told no more but in the correction's own words, beside what happened", () => {
    expect(compose(input(grouped(strike, [[511, 512]]))).content).toContain("4,000 dockers");
    const { content, title } = compose(input(grouped([...strike, correction], [[511, 512, 513]])));
    expect(title).toMatch(/: (?:Dockers end strike|Port Selm strike over)/);
    const [told, ...others] = content.split("\n").filter((line) => line.includes("4,000"));
    expect(others).toEqual([]);
    expect(told).toContain(
      "“Correction: An earlier report on the strike at Port Selm said that 4,000 dockers had walked out. The number is 400. We regret the error.” (Harwick Courier)",
    );
  });

  test("a report that its outlet takes back is told no more, and that it did comes first", () => {
    const { content } = compose(input(grouped([...strike, retraction], [[511, 512, 514]])));
    expect(below(content, "In brief")).toContain("“We retract our report that the strike at Port Selm is over.");
    expect(content).not.toMatch(/^- .*voted to go back to work/m);
  });

  test("what an outlet took back is no side of a disagreement, and no other report is said to contradict it", () => {
    const told = "Dockers at Port Selm voted to go back to work on Sunday after a strike of 11 days.";
    const doubted = strike.map((one) => ({
      ...one,
      claims: [{ text: told, verified: false, status: "contradicted" as const }],
    }));
    const inDoubt = "Claim contradicted by other reports";
    expect(compose(input(grouped(doubted, [[511, 512]]))).content).toContain(inDoubt);
    expect(compose(input(grouped([...doubted, retraction], [[511, 512, 514]]))).content).not.toContain(inDoubt);

    const print = (figure: string) =>
      `PORT SELM (Meridian) - ${figure} dockers walked out at Port Selm on Sunday over the pay of night shifts, the ` +
      "union said. The harbour master closed two of the five basins, and 63 ships wait in the roads. The owners of the " +
      "port offered talks on Monday. The last strike at Port Selm ended nine years ago.";
    const copies = [
      article(1, "economics", "2T08:00", "Dockers walk out at Port Selm", print("400"), { id: 521 }),
      article(2, "economics", "2T08:30", "Dockers walk out at Port Selm", print("4,000"), { id: 522 }),
    ];
    const reportId = "one report";
    const apart = (all: readonly BriefingArticle[], ids: number[]) =>
      compose(input(grouped(all, [ids]).map((one) => (one.id < 523 ? { ...one, reportId } : one)))).content;
    expect(apart(copies, [521, 522])).toContain("Figures differ");
    expect(apart([...copies, { ...correction, id: 523 }], [521, 522, 523])).not.toContain("Figures differ");
  });

  test.each([
    [["An earlier version misstated the number of dockers as 4,000; it was 400."], [4000], [400]],
    [["The number of dockers is 400, not 4,000."], [4000], [400]],
    [["A report on 3 March wrongly said that 4,000 had walked out.", "It was 400."], [4000], [400]],
    [["We said on Monday that 60 routes would go.", "The council is to cut 16."], [60], [16]],
    [["The rate rose by 0.25 points rather than 0.5 points, as we reported."], [0.5], [0.25]],
    [["The company did not cut 900 jobs in 2019."], [], [900, 2019]],
    [["The port counts 63 ships."], [], [63]],
  ])("%j takes back %j, for %j", (sentences, wrong, right) => {
    const found = takenBack(sentences);
    expect([[...found.wrong], [...found.right]]).toEqual([wrong, right]);
  });
});

describe("a busy day", () => {
  test("articles on one event are one story, whatever domain and words their outlets chose", () => {
    const groups = day.stories.map(({ articleIds }) => [...articleIds].sort((a, b) => a - b).join(" ")).sort();
    expect(groups).toEqual(
      ["1 2 3 4 5 6", "10 11 12", "13 14", "15 16", "17", "18", "19 20", "21", "22", "23", "24", "7 8 9"].sort(),
    );
  });

  test("the story most report independently leads, in title and summary", () => {
    expect(day.stories[0]!.articleIds).toContain(4);
    expect(day.title).toBe("Briefing, 3 Mar 2026: Harwick port blast: at least 20 dead as rescuers search silos");
    expect(below(day.content, "In brief").split("\n")[1]).toMatch(/^- \*\*Security:\*\* .*Harwick/);
  });

  test("outlets that carry one wire text are one independent source", () => {
    expect(storyWith(day, 1)).toMatchObject({ independentSources: 4, sourceIds: [1, 2, 3, 4, 5, 9] });
    expect(day.content).toContain("4 independent sources (6 outlets)");
  });

  test("figures that exclude each other are shown with who says them and when, and take from the confidence", () => {
    const { disagreement, confidence } = storyWith(day, 1);
    expect(disagreement![0]).toMatchObject({
      kind: "figures",
      about: "deaths",
      positions: [
        { text: "At least 20 people were killed", articleIds: [4] },
        { text: "Around 30 people were killed", articleIds: [6] },
        { text: "killed 12 people", articleIds: [1] },
      ],
    });
    expect(day.content).toContain(
      "**Figures differ on deaths**, latest first: “At least 20 people were killed” (Harwick Courier, 2 Mar, 19:30) [#4](https://news.example/harwick-courier/4);",
    );
    const agreeing = compose(input(busyDay.filter(({ id }) => ![4, 6].includes(id))));
    expect(confidence).toBeLessThan(storyWith(agreeing, 1).confidence);
  });

  test("the summary does not state a contested figure without the other one", () => {
    expect(below(day.content, "In brief")).toContain(
      "*Sources differ:* “At least 20 people were killed” [#4](https://news.example/harwick-courier/4)",
    );
    expect(below(day.content, "In brief")).toMatch(/412 cases .* \*Sources differ:\* “at least 700 cases” \[#16\]/);
  });

  test("a denial is shown against what it denies", () => {
    expect(
      storyWith(day, 1)
        .disagreement!.find(({ kind }) => kind === "contradiction")!
        .positions.map(({ articleIds }) => articleIds),
    ).toEqual([[6], [1]]);
  });

  test("figures that only look alike are no disagreement", () => {
    expect(
      day.stories
        .flatMap(({ disagreement }) => disagreement ?? [])
        .map(({ about }) => about)
        .sort(),
    ).toEqual(["cases", "deaths", "whether it is so"]);
  });

  test("a rumour is not told in full, nor are its sentences used where better ones exist", () => {
    expect(below(day.content, "Science")).toMatch(
      /\*\*Also reported\*\*\n\n(?:- .+\n)*- “You won't believe .*” \(Kestrel News\) .* \(low confidence, 0\.22\)/,
    );
    expect(day.content).not.toContain("saw a drone");
  });

  test("confidence stands in words and number, by the levels of the product", () => {
    expect(day.content).toContain("*High confidence (0.81), 3 independent sources, 1 of 3 articles verified*");
    expect(day.content).toContain("*Medium confidence (0.72), 2 independent sources, 1 of 2 articles verified*");
    expect(day.content).toContain("[#21](https://news.example/signal-noise/21) (medium confidence, 0.60)");
  });

  test("the summary has three to six sentences, each in the words of the article it cites", () => {
    const byId = new Map(busyDay.map((each) => [each.id, each]));
    const items = readBriefing(below(day.content, "In brief"));
    expect(items.length).toBeGreaterThanOrEqual(3);
    expect(items.length).toBeLessThanOrEqual(6);
    for (const { pieces, citations } of items) {
      const cited = byId.get(Number(citations[0]!.label.slice(1)))!;
      expect(cited.text.replace(/\s+/g, " ")).toContain(pieces[0]);
    }
  });

  test("sections stand in the order of the domains, and only where there is something", () => {
    expect(day.content.match(/^## .+/gm)).toEqual([
      "## In brief",
      "## Geopolitics",
      "## Security",
      "## Economics",
      "## Energy",
      "## Technology",
      "## Health",
      "## Environment",
      "## Science",
      "## Articles cited",
    ]);
  });

  test("every article cited stands in the list at the end, with outlet, record and time", () => {
    const list = below(day.content, "Articles cited");
    for (const id of day.articles) expect(list).toContain(`[#${id}](`);
    expect(list).toContain("*Harwick Courier, reliability B, 2 Mar, 19:30 UTC, verified*");
    expect(list).toContain("*Energy Daily, 2 Mar, 07:30 UTC*");
  });

  test("it counts what was read, says how it was made, and can be read in about two minutes", () => {
    expect(day).toMatchObject({ method: "heuristic", stats: { sources: 10, articles: 24, verified: 6 } });
    expect(day.content).toContain("extraction without a language model");
    const words = readBriefing(day.content.split("## Articles cited")[0]!).flatMap(({ pieces, strong, em }) =>
      [...pieces, ...strong, ...em].join(" ").split(/\s+/),
    );
    expect(words.length).toBeLessThan(700);
  });

  test("a sentence of the summary is not told again in its section", () => {
    const summary = readBriefing(below(day.content, "In brief")).map(({ pieces }) => pieces[0]!);
    const sections = day.content.slice(day.content.indexOf("## Geopolitics"));
    for (const sentence of summary) expect(sections).not.toContain(sentence);
  });
});

test("two earthquakes, two rate decisions, two elections, two attacks of the same day stay apart, each told twice in other words is one", () => {
  const articles = [
    ...lookalikes.flatMap((each) => each.articles),
    ...busyDay.filter(({ id }) => id !== 13 && id !== 14),
  ];
  const ids = groupStories(articles);
  const groups = compose(input(articles.map((each) => ({ ...each, ...ids.get(each.id)! })))).stories.map(
    ({ articleIds }) => articleIds,
  );
  for (const { articles } of lookalikes) expect(groups).toContainEqual(articles.map(({ id }) => id));
});

describe("the day after", () => {
  const next = compose(input(nextDay, { period: NEXT_DAY_PERIOD, now: NEXT_DAY_PERIOD.to, previous: day.snapshot }));
  const changes = below(next.content, "What changed since the last briefing (3 Mar, 06:00 UTC)");

  test("stories go on under their id though every article is another one", () => {
    expect(storyWith(next, 41)).toMatchObject({ storyId: storyWith(day, 1).storyId, change: "developing" });
    expect(storyWith(next, 44)).toMatchObject({ storyId: storyWith(day, 7).storyId, change: "developing" });
    expect(storyWith(next, 45)).toMatchObject({ storyId: storyWith(day, 19).storyId, change: "developing" });
  });

  test("it tells what develops, by how much, and what has gone quiet", () => {
    expect(changes).toContain("Death toll of Harwick grain terminal explosion rises to 23 (3 new articles");
    expect(changes).toMatch(/\*\*Gone quiet \(2\):\*\* .*Lumenpay/);
    expect(changes).toContain(storyWith(day, 13).headline);
    expect(changes).toMatch(/measles count to 655 \(1 new article, confidence 0\.\d\d → 0\.85\)/);
  });

  test("what one source told once has not gone quiet, it was never expected to go on", () =>
    expect(changes).not.toContain("Fexadol"));

  test("a grown death toll of one source is news, not a disagreement with itself", () => {
    expect(storyWith(next, 41).disagreement?.map(({ kind }) => kind)).toEqual(["contradiction"]);
  });

  test("a story that comes back after a silence is known again, and said to be back", () => {
    const later = { period: { from: NEXT_DAY_PERIOD.to, to: "2026-03-05T06:00:00Z" }, now: "2026-03-05T06:00:00Z" };
    const back = [
      article(
        3,
        "technology",
        "4T10:00",
        "Regulator fines Lumenpay over payroll data breach",
        "The data protection authority fined Lumenpay 20 million euros on Wednesday over the breach of payroll records of employees.\nThe attackers had entered Lumenpay through an unpatched file-transfer server.",
        { id: 91 },
      ),
    ];
    const third = compose(input(back, { ...later, previous: next.snapshot }));
    expect(third.stories[0]).toMatchObject({ storyId: storyWith(day, 10).storyId, change: "developing" });
    expect(third.content).toContain("(1 new article, back after a silence");
  });

  test("what was told is not new because there was no room to remember it", () => {
    const { stories, ...rest } = day.snapshot;
    const again = compose(input(busyDay, { previous: { ...rest, stories: stories.slice(0, 2) } }));
    expect(new Set(again.stories.map(({ change }) => change))).toEqual(new Set(["unchanged"]));
    expect(again.content).not.toContain("**New (");
    // Found again by its words alone, it has no article that was not told.
    const worded = stories.map((memory) => ({ ...memory, articleIds: [], storyIds: [] }));
    expect(compose(input(busyDay, { previous: { ...rest, stories: worded } })).content).not.toContain("**Developing (");
    const health = compose(input(busyDay, { previous: day.snapshot, domains: ["health"] }));
    expect(compose(input(busyDay, { previous: { ...health.snapshot, stories: [] } })).content).not.toContain("**New (");
  });

  test("stories of a domain that was not asked for have not gone quiet, and are not forgotten", () => {
    const health = compose(
      input(
        nextDay.filter(({ domain }) => domain === "health"),
        { previous: day.snapshot, domains: ["health"] },
      ),
    );
    expect(health.content).not.toContain("Gone quiet");
    const remembered = health.snapshot.stories.find(({ storyId }) => storyId === storyWith(day, 1).storyId)!;
    expect(remembered.quietSince).toBeUndefined();
  });

  test("a story of no domain has not gone quiet for whoever asks for some", () => {
    const cup = grouped(
      [
        article(
          1,
          "geopolitics",
          "2T18:00",
          "Harwick Rovers win the cup final 3-1",
          "Harwick Rovers won the cup final against Selm United 3-1 on Saturday. Striker Jon Adler scored twice in the second half.",
          { id: 501 },
        ),
        article(
          2,
          "geopolitics",
          "2T19:00",
          "Rovers lift cup after 3-1 win over Selm United",
          "Harwick Rovers beat Selm United 3-1 in the cup final. Adler scored two goals in front of 30,000 fans.",
          { id: 502 },
        ),
      ],
      [[501, 502]],
    );
    const first = compose(input([...busyDay, ...cup]));
    const told = first.stories.find(({ articleIds }) => articleIds.includes(501))!;
    expect([told.elsewhere, told.sourceIds.length]).toEqual([true, 2]);
    const second = compose(input(busyDay, { previous: first.snapshot, domains: [told.domain] }));
    expect(second.content).not.toContain("Gone quiet");
    expect(compose(input(busyDay, { previous: first.snapshot })).content).toMatch(/Gone quiet.*(?:Rovers|cup)/);
  });

  test("of two stories that both go on from one, the nearer keeps its id, and both develop", () => {
    const [trial, wheat] = [
      article(
        1,
        "security",
        "3T10:00",
        "Governor opens inquiry into Harwick grain terminal explosion",
        "The governor opened an inquiry into the explosion at the Harwick grain terminal on Tuesday.",
        { id: 96, storyId: "event-1" },
      ),
      article(
        3,
        "economics",
        "3T11:00",
        "Bakers in Sandvik raise bread prices",
        "Bakers in Sandvik raised prices of bread by a tenth on Tuesday.",
        { id: 5 },
      ),
    ];
    const split = compose(input([trial, wheat], { previous: day.snapshot }));
    expect(split.stories.map(({ change }) => change)).toContain("developing");
    expect(storyWith(split, 96)).toMatchObject({ storyId: "event-1", change: "developing" });
    expect(storyWith(split, 5)).toMatchObject({ storyId: "s5", change: "unchanged" });
  });

  test("the same articles again are unchanged, and the briefing says so", () => {
    const again = compose(input(busyDay, { previous: day.snapshot }));
    expect(again.stories.every(({ change }) => change === "unchanged")).toBe(true);
    expect(again.content).toContain("**Unchanged (12):**");
    expect(again.content).not.toContain("**New");
  });

  test("a first briefing compares with nothing and does not call everything new", () => {
    expect(day.content).not.toMatch(/What changed|\*New/);
    expect(day.stories.every(({ change }) => change === "new")).toBe(true);
  });
});

describe("little to go on", () => {
  test("no article gives a briefing that says so", () => {
    const empty = compose(input([]));
    expect(empty).toMatchObject({
      title: "Briefing, 3 Mar 2026",
      articles: [],
      stories: [],
      stats: { sources: 0, articles: 0, verified: 0 },
    });
    expect(empty.content).toContain("No article was published in this period that fits the selection.");
    expect(empty.content).not.toContain("Method");
  });

  test("where there is only a headline nothing else is said, and a summary cut short is not quoted", () => {
    const { content } = compose(input(quietDay));
    expect(below(content, "Energy")).toContain(
      "- Wind output at record in February [#82](https://news.example/energy-daily/82) (medium confidence, 0.62)",
    );
    expect(content).not.toContain("since");
    expect(below(content, "In brief")).toContain(
      "Grid operator Kivra began testing its 80-kilometre cable to Sandvik on Monday.",
    );
  });

  test("dates that are none, and a period of no length, do no harm", () => {
    const odd = compose(
      input(
        [
          article(
            1,
            "health",
            "2T09:00",
            "A title of some length here",
            "The ministry opened a clinic in the harbour town on Monday.",
            { id: 95, publishedAt: "soon" },
          ),
        ],
        { period: { from: "x", to: "x" }, now: "never" },
      ),
    );
    expect(odd.content).toContain("[#95]");
  });
});

describe("titles", () => {
  const titled = (
    id: number,
    title: string,
    text = "The market of Kallin was busy last week. Many spoke of the price of bread.",
  ) => article(1, "economics", "2T08:00", title, text, { id });

  test("a comment is named as one wherever it is told, and no briefing goes by it", () => {
    const { content, title } = compose(input([titled(87, "Opinion: Ostra should not fear the euro")]));
    expect(below(content, "Economics")).toContain("Opinion: Ostra should not fear the euro [#87]");
    expect(title).toBe("Briefing, 3 Mar 2026");
    const analysed = compose(input([titled(88, "Analysis | What Tarn wants on the river")])).content;
    expect(below(analysed, "Economics")).toContain("Analysis: What Tarn wants on the river");
    expect(compose(input([titled(89, "Live: Ostra votes on the euro")])).content).toContain(
      "- Ostra votes on the euro",
    );
  });

  test("that are whole texts are cut between words", () => {
    const { content } = compose(input([titled(94, `The council of the islands met, ${"and talked ".repeat(40)}`)]));
    const lines = content.split("\n").filter((line) => line.includes("council of the islands"));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/The council of .{60,190} (?:and|talked) …/);
  });

  test("in the list of articles have one end each", () => {
    const ends = ["Is Kallin the new Riviera?", "Belt link to be tested at 600 MW…", "“It holds.”", "Harbour open"];
    const texts = ["Hotels opened by the dozen.", "Engineers wait for a calm sea.", "The dyke held.", "Ships came in."];
    const { content } = compose(input(ends.map((title, at) => titled(190 + at, title, texts[at]))));
    const list = below(content, "Articles cited");
    for (const end of ["Riviera?", "600 MW…", "“It holds.”", "Harbour open."]) expect(list).toContain(`${end} *`);
  });
});

test("the later count beside a sentence that counts several things says what it counts", () => {
  const told = (sourceId: number, id: number, hour: string, title: string, text: string) =>
    article(sourceId, "environment", hour, title, text, { id });
  const quake = [
    told(
      1,
      195,
      "2T08:00",
      "Quake shakes the Isk valley",
      "Five people died and 52 were hurt when an earthquake shook the Isk valley on Monday, rescue workers said. Engineers look at the bridges.",
    ),
    told(
      2,
      197,
      "2T09:00",
      "Isk valley struck by earthquake",
      "An earthquake shook the Isk valley on Monday, killed five people and hurt 52, rescue workers said. Schools take in those who lost their homes.",
    ),
    told(
      3,
      196,
      "2T18:00",
      "Землетрясение в долине Иск: число погибших достигло 11",
      "Число погибших при землетрясении в долине Иск достигло 11, сообщило министерство. Ещё несколько человек остаются в больнице, добавили врачи.",
    ),
  ];
  expect(compose(input(grouped(quake, [[195, 196, 197]]))).content).toContain("(later: 11 deaths)");
});

test("other languages and scripts are clustered, quoted and left as they are", () => {
  const composed = compose(input(languages));
  expect(storyWith(composed, 71).articleIds).toEqual([71, 72]);
  expect(composed.content).toContain(
    "Die Stadt Tannberg hat am Montag drei Notunterkünfte für Anwohner der Vessel geöffnet. [#71]",
  );
  expect(composed.content).toContain("天文学者らは、準惑星センナの周囲で水蒸気を検出したと発表した。 [#75]");
  expect(composed.content).toContain("### استئناف المحادثات بشأن مضيق خريم");
});

test("others are cited for a statement only if they say it with the same figures", () => {
  const said = (id: number, sourceId: number, metres: string) =>
    article(
      sourceId,
      "environment",
      "2T08:00",
      "Vessel river rises in Tannberg",
      `The Vessel river rose to ${metres} metres in Tannberg on Monday evening, the hydrological service said.`,
      { id },
    );
  const oneEvent = (...articles: BriefingArticle[]) => input(grouped(articles, [[97, 98, 99]]));
  const cites = (...articles: BriefingArticle[]) =>
    compose(oneEvent(...articles))
      .content.match(/Monday evening.*$/m)![0]
      .match(/\[#\d+\]/g);
  expect(cites(said(97, 1, "6.5"), said(98, 2, "6.5"), said(99, 4, "6.5"))).toHaveLength(3);
  expect(cites(said(97, 1, "6.5"), said(98, 2, "5.2"))!.length).toBe(2);
  expect(compose(oneEvent(said(97, 1, "6.5"), said(98, 2, "5.2"))).content).toMatch(
    /\[#9[78]\]\(\S+\) \*Sources differ:\*/,
  );
});

test("several sources without a sentence to quote are a story by headline alone, and it says so", () => {
  const bare = [1, 2].map((sourceId) =>
    article(sourceId, "energy", "2T08:00", "Kivra tests underwater cable to Sandvik", "", {
      id: 84 + sourceId,
      summary: "",
    }),
  );
  expect(compose(input(grouped(bare, [[85, 86]]))).content).toContain(
    "### Kivra tests underwater cable to Sandvik\n\n*Medium confidence (0.66), 2 independent sources*\n\n- *Only the headline is known.* [#86]",
  );
});

test("a hostile feed stays text: its sentences are quoted, its mark-up is inert, its addresses are no links", () => {
  const { content } = compose(input(hostile));
  const lines = readBriefing(content);
  expect(lines.flatMap(({ citations }) => citations.map(({ label }) => label)).every((label) => label === "#62")).toBe(
    true,
  );
  expect(content).not.toMatch(/(?<!\\)\]\((?!https:\/\/news\.example\/)/);
  expect(content).toContain("\\[#63\\]");
  const linked = hostile.map((each) => ({ ...each, url: `https://news.example/${each.id}`, sourceName: "Outlet" }));
  const sources = sourceTexts(linked);
  for (const words of borrowed(readBriefing(compose(input(linked)).content)))
    expect(sources).toContainEqual(expect.stringContaining(words));
});

describe("measures", () => {
  test("independent sources are the greatest number of pairs of a source with a text of its own", () => {
    const wire = (sourceId: number, storyId: string) => ({ sourceId, storyId });
    expect(independentSources([wire(1, "w"), wire(2, "w"), wire(3, "w")])).toBe(1);
    expect(independentSources([wire(1, "a"), wire(1, "b"), wire(1, "c")])).toBe(1);
    // Source 1 carries the wire and has a report of its own; source 2 has the wire alone: two voices.
    expect(independentSources([wire(1, "w"), wire(1, "own"), wire(2, "w")])).toBe(2);
    expect(independentSources([wire(1, "a"), wire(2, "a"), wire(2, "b"), wire(3, "b"), wire(3, "c")])).toBe(3);
    expect(independentSources([])).toBe(0);
  });

  test("confidence grows with every independent source, never to certainty, and a rumour hardly lowers it", () => {
    const voice = (confidence: number) => ({ ...busyDay[0]!, confidence });
    expect(storyConfidence([voice(0.6)], 1)).toBe(0.6);
    expect(storyConfidence([voice(0.6), voice(0.6)], 2)).toBe(0.64);
    expect(
      storyConfidence(
        Array.from({ length: 40 }, () => voice(0.9)),
        40,
      ),
    ).toBe(0.97);
    expect(storyConfidence([voice(0.8), voice(0.8), voice(0.1)], 2)).toBeGreaterThan(0.74);
    expect(storyConfidence([voice(0)], 1)).toBe(0);
  });

  test("LexRank finds the sentence the others resemble, and keeps to its prior where none does", () => {
    const vector = (...words: string[]) => unit(words.map((word) => [word, 1] as const));
    const [centre, left, right, stranger] = lexRank(
      [vector("a", "b", "c", "d"), vector("a", "b"), vector("c", "d"), vector("x")],
      [1, 1, 1, 1],
    );
    expect(centre).toBe(1);
    expect(left!).toBeCloseTo(right!, 6);
    expect(stranger!).toBeLessThan(centre!);
    expect(lexRank([vector("a"), vector("b")], [3, 1])[1]).toBeCloseTo(1 / 3, 4);
    expect(lexRank([], [])).toEqual([]);
  });

  test("marginal relevance passes over what is said already", () => {
    const vector = (...words: string[]) => unit(words.map((word) => [word, 1] as const));
    expect(
      select([vector("a", "b", "c"), vector("a", "b", "c", "d"), vector("x", "y")], [1, 0.95, 0.5], { most: 2 }),
    ).toEqual([0, 2]);
    expect(select([vector("a"), vector("b")], [1, 0.05], { most: 2, floor: 0.2 })).toEqual([0]);
  });

  test("headlines lose the outlet's name and labels, nothing else", () => {
    const titled = (title: string, sourceName = "Coastal Wire") => headlineOf({ ...busyDay[0]!, title, sourceName });
    expect(titled("Two ships collide - Coastal Wire")).toBe("Two ships collide");
    expect(titled("LIVE: Two ships collide | Coastal Wire")).toBe("Two ships collide");
    expect(titled("Two ships collide - one sinks")).toBe("Two ships collide - one sinks");
    expect(titled("", "")).toMatch(/^HARWICK, March 2/);
  });

  test("the estimate is what three of four recent runs needed, else of an ordinary day", () => {
    expect(estimateSeconds([1_000, 2_000, 9_000, 3_000], 500)).toBe(3);
    expect(estimateSeconds([Number.NaN, -1], 0)).toBe(1);
    expect(estimateSeconds([], 100)).toBe(2);
    expect(estimateSeconds([], 1_000)).toBe(4);
    expect(estimateSeconds([10], 1)).toBe(1);
  });
});
