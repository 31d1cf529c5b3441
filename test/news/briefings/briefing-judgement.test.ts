import { compose } from "../../../services/news/briefings/writing/compose.ts";
import type { BriefingInput } from "../../../services/news/briefings/model.ts";
import type { BriefingArticle } from "../../../services/news/articles/client.ts";
import type { Domain } from "../../../services/news/sources/events.ts";
import { storyTopic, topicsOf } from "../../../services/news/briefings/topics/topics.ts";
import { figuresTold, tollsIn } from "../../../services/news/briefings/figures/tolls.ts";
import { quotable } from "../../../services/news/briefings/writing/sentences.ts";
import { isLoaded } from "../../../services/news/briefings/writing/wording.ts";
import { article, grouped, SOURCES } from "../../fixtures/briefings/articles.ts";
import { BUSY_DAY_PERIOD } from "../../fixtures/briefings/busy-day.ts";

// What a reader may believe of a briefing: what it is about, what comes first, whose words, and which figure stands.

const input = (articles: readonly BriefingArticle[]): BriefingInput => ({
  articles,
  period: BUSY_DAY_PERIOD,
  now: BUSY_DAY_PERIOD.to,
  sources: SOURCES,
});
/** Reports of one event, filed under geopolitics as those of most outlets are. */
const event = (
  first: number,
  reports: [sourceId: number, at: string, title: string, text: string][],
  domain: Domain = "geopolitics",
) =>
  grouped(
    reports.map(([sourceId, at, title, text], n) => article(sourceId, domain, at, title, text, { id: first + n })),
    [reports.map((_, n) => first + n)],
  );
const quake = event(301, [
  [
    1,
    "2T07:00",
    "Earthquake in Serrano kills at least 112",
    "HILLTON (Meridian Wire) - At least 112 people were killed by an earthquake in Serrano on Monday, the civil protection agency said.\nTwo hospitals were evacuated in the provincial capital, and power failed in the hills.",
  ],
  [
    2,
    "2T20:00",
    "Toll of Serrano earthquake rises to 140",
    "The death toll of the earthquake in Serrano has risen to 140, the civil protection agency said on Monday evening.\nSoldiers brought tents to the hill towns, where thousands spend the night outside in the rain.",
  ],
]);
const cup = event(
  311,
  [1, 2, 3, 4, 5, 6].map((sourceId): [number, string, string, string] => [
    sourceId,
    `2T2${sourceId % 4}:00`,
    `Harbour City win the cup final, number ${sourceId}`,
    `Harbour City won the football cup final in front of ${sourceId}0,000 spectators on Monday, and the fans sang.\nThe striker, Ivo Belan, scored two goals in the second half, and the coach of the champions wept.`,
  ]),
);
const breach = event(321, [
  [
    4,
    "2T09:00",
    "Ransomware shuts down eleven hospitals",
    "A ransomware attack has shut down the computers of eleven hospitals, the group said on Monday.\nThe hackers, a gang known to the cyber security centre, want four million dollars for the key.",
  ],
]);

/** The section that tells of an article. */
const sectionOf = (content: string, id: number): string =>
  content
    .split(/^## /m)
    .find((part) => !part.startsWith("In brief") && part.includes(`[#${id}]`))!
    .split("\n")[0]!;

test("a story stands where its text belongs, however its outlets are filed", () => {
  const { content, stories } = compose(input([...quake, ...cup, ...breach]));
  expect([sectionOf(content, 302), sectionOf(content, 321)]).toEqual(["Environment", "Security"]);
  expect(stories.find(({ articleIds }) => articleIds.includes(321))).toMatchObject({ domain: "security" });
});

test("where the words say nothing the filing decides, and no domain wins by its place in a list", () => {
  const vague = (id: number, sourceId: number, domain: Domain, confidence: number) =>
    article(
      sourceId,
      domain,
      "2T09:00",
      "The matter of Orvik is settled",
      "It was settled in Orvik on Monday, and all went home content with what was said there.",
      { id, storyId: "s331", reportId: `r${id}`, confidence },
    );
  const filed = (one: Domain, other: Domain) =>
    compose(input([vague(331, 1, one, 0.5), vague(332, 2, other, 0.7)])).stories[0]!.domain;
  expect([filed("geopolitics", "science"), filed("science", "geopolitics"), filed("geopolitics", "energy")]).toEqual([
    "science",
    "geopolitics",
    "energy",
  ]);
});

test("what has consequences leads, and a cup final that all carry comes last, by a line", () => {
  const { content, stories } = compose(input([...cup, ...quake, ...breach]));
  expect(stories[0]!.articleIds).toContain(301);
  expect(stories.at(-1)).toMatchObject({ elsewhere: true, independentSources: 6 });
  const last = content.split(/^## /m).at(-2)!;
  expect(last).toMatch(/^Other news\n\n\*\*Also reported\*\*\n\n- Harbour City/);
  expect(content.split("## Other news")[0]).not.toContain("cup final");
});

test("a later count replaces the earlier one, in headline, summary and text, and is no quarrel", () => {
  const { title, content, stories } = compose(input(quake));
  expect(title).toContain("rises to 140");
  expect(content.split("## Articles cited")[0]).not.toContain("112");
  expect(stories[0]!.disagreement).toBeUndefined();
});

test("a headline that one of several sources carries says so", () => {
  const lone = event(
    341,
    [
      [
        1,
        "2T08:00",
        "Refinery fire in Port Elmsey",
        "A fire broke out in the refinery of Port Elmsey on Monday morning, the brigade said.\nThe fire was under control by noon, and the harbour stayed open.",
      ],
      [
        2,
        "2T09:00",
        "Fire in Port Elmsey refinery",
        "The refinery of Port Elmsey burned on Monday, and the harbour stayed open, the brigade said.\nThe fire was put out by noon with foam from the airport.",
      ],
      [
        3,
        "2T20:00",
        "Port Elmsey refinery fire costs 90 million euros",
        "The fire in the refinery of Port Elmsey on Monday will cost its owner 90 million euros, analysts said.\nThe refinery of Port Elmsey makes a tenth of the country's diesel.",
      ],
    ],
    "energy",
  ).map((each) => ({ ...each, confidence: each.id === 343 ? 0.9 : 0.6 }));
  const { content, stories } = compose(input(lone));
  expect(stories[0]).toMatchObject({ headline: "Port Elmsey refinery fire costs 90 million euros", headlineOf: 343 });
  expect(stories[0]!.headlineConfidence).toBeLessThanOrEqual(stories[0]!.confidence);
  expect(content).toMatch(/3 independent sources(?:; the headline: \w+ confidence, 0\.\d\d, 1 source)?\*/);
});

test("wording that takes a side is its outlet's: quoted, and only where nobody told it plainly", () => {
  const [loud] = event(351, [
    [
      9,
      "2T10:00",
      "SHAMELESS elites rob pensioners of harbour fund",
      "The shameless elites of the harbour town rob pensioners of a fund of ten million, we can reveal today.",
    ],
  ]);
  const alone = compose(input([loud!]));
  // No side is taken in the name of the whole.
  expect(alone.title).toBe("Briefing, 3 Mar 2026");
  expect(alone.content).toContain("“SHAMELESS elites rob pensioners of harbour fund” (Kestrel News)");
  expect(alone.content).toMatch(/“The shameless elites [^”]+” \(Kestrel News\)|- “SHAMELESS [^”]+” \(Kestrel News\)/);
  const plainly = article(
    1,
    "economics",
    "2T09:00",
    "Harbour town moves pension fund of ten million",
    "The harbour town has moved a pension fund of ten million to its budget, the mayor said on Monday.",
    { id: 352, storyId: loud!.storyId },
  );
  expect(compose(input([loud!, plainly])).title).toContain("Harbour town moves pension fund");
});

test("an outlet known for taking sides gives no headline where another tells the event, and is quoted where none does", () => {
  const [first, second, third] = [371, 372, 373].map((id) =>
    article(
      9,
      "geopolitics",
      "2T10:00",
      `Traitors sell the harbour of Ostrava, part ${id}`,
      "The shameless traitors of the council sell the harbour.",
      { id },
    ),
  );
  const sober = article(
    9,
    "geopolitics",
    "2T11:00",
    "Council of Ostrava votes on harbour",
    "The council of Ostrava voted on the sale of the harbour on Monday, nine against four.",
    { id: 374 },
  );
  const record = [first!, second!, third!, sober];
  expect(compose(input(record)).content).toContain("“Council of Ostrava votes on harbour” (Kestrel News)");
  expect(compose(input([sober])).content).not.toContain("“Council of Ostrava votes on harbour”");
  expect(compose(input(record)).title).toBe("Briefing, 3 Mar 2026");
});

test("a headline tells what happened, not what a feature made of it", () => {
  const strike = event(391, [
    [
      1,
      "2T07:00",
      "Sandvik's central bank raises rates by half a point",
      "SANDVIK (Meridian Wire) - The central bank of Sandvik raised its key rate by half a point on Monday, twice the step that traders had priced in.\nThe governor said that prices of food had risen too fast, and that the board had been of one mind.",
    ],
    [
      2,
      "2T15:00",
      "What a mortgage costs from today",
      "For a family with a mortgage on a terraced house in Sandvik, the half point that the central bank decided on Monday comes to a weekly shop.\nThe bank raised its key rate to curb the prices of food, its governor said.",
    ],
    [
      4,
      "2T21:00",
      '"Nobody rang": Sandvik\'s central bank, its rates and its telephone',
      "The governor of Sandvik's central bank likes to say that his telephone is for ordering lunch.\nNobody of the government called while the board decided on Monday to raise its key rate by half a point, he said in the evening.",
    ],
  ]);
  expect(compose(input(strike)).stories[0]!.headline).toBe("Sandvik's central bank raises rates by half a point");
});

test("a report that grouping holds apart does not give the old count beside the new", () => {
  const told = (id: number, sourceId: number, at: string, title: string, text: string) =>
    article(sourceId, "health", at, title, text, { id });
  const rest =
    " The health office of Varesk opened a second ward, and nurses from three districts came to help in the clinic.";
  const early = told(
    381,
    1,
    "2T07:00",
    "Measles in Varesk: 73 infected",
    `Seventy-three people have caught measles in Varesk, the health office said on Monday.${rest}`,
  );
  const late = told(
    382,
    2,
    "2T20:00",
    "Varesk closes schools as measles spreads",
    `The number of confirmed cases stands at 118 in Varesk, the health office said on Monday evening.${rest}`,
  );
  const elsewhere = told(
    383,
    3,
    "2T21:00",
    "Cholera in Dunmark: 160 infected",
    "The number of cases of cholera in Dunmark stands at 160, a doctor said on Monday. The wells of the town are closed.",
  );
  const { stories } = compose(input([early, late, elsewhere]));
  expect(stories).toHaveLength(2);
  expect(stories.find(({ articleIds }) => articleIds.includes(381))).toMatchObject({
    articleIds: [381, 382],
    headline: "Varesk closes schools as measles spreads",
  });
});

test("a headline that has no other is told with the later figure", () => {
  const reports = event(391, [
    [
      1,
      "2T07:00",
      "Clinic strike in Varesk: toll at 14",
      "A missile hit the clinic of Varesk, and 14 people were killed, the mayor said on Monday. The sirens had sounded four minutes before, residents of the quarter told reporters.",
    ],
    [
      9,
      "2T20:00",
      "MONSTERS! Savages bomb tots",
      "The savages have killed 19 people, the mayor said. Monsters, butchers, traitors: no other word will do for those who bombed the clinic of Varesk while mothers stood in line with their small children.",
    ],
  ]);
  const [story] = compose(input(reports)).stories;
  expect(story!.headline).toBe("Clinic strike in Varesk: toll at 14 (later: 19)");
});

test("places that other domains leave free are filled, and every event is told or listed by name", () => {
  const places = "Arden Belmora Castrel Dunmark Eskova Farrow Galdin Hestia Ilverton Jorvan Kelmont Lunden".split(" ");
  const elections = places.flatMap((place, n) =>
    event(
      400 + 2 * n,
      [1, 2].map((sourceId): [number, string, string, string] => [
        sourceId,
        "2T12:00",
        `Parliament of ${place} elects a president in round ${n + 1}`,
        `The parliament of ${place} elected a president on Monday, in an election of ${n + 1} rounds, outlet ${sourceId} reports.`,
      ]),
    ),
  );
  const { content } = compose(input(elections));
  expect(content.match(/^### /gm)).toHaveLength(10);
  for (const place of places) expect(content.split("## Articles cited")[0]).toContain(`Parliament of ${place}`);
});

test("marks of Markdown, credit lines and datelines are no sentences of a briefing", () => {
  const noisy = event(361, [
    [
      1,
      "2T09:00",
      "Quay of Sandvik reopens",
      "SANDVIK, Norrland (Meridian Wire) - The quay of Sandvik reopened on Monday after repairs that took seven weeks.\n(Reporting by Ann Example; editing by Bo Example of the desk in Sandvik.)\n**Read this next** in our series on the quay of Sandvik and its many repairs.",
    ],
  ]);
  const told = compose(input(noisy)).content.split("## Articles cited")[0]!;
  expect(told).toContain(" The quay of Sandvik reopened on Monday");
  expect(told).not.toMatch(/Reporting by|Read this next|Meridian Wire\)/);
});

test("a later count of anybody's replaces the earlier one, and a part of the whole disputes neither", () => {
  const crash = event(401, [
    [
      1,
      "2T07:00",
      "Express derails near Grunau, 46 injured",
      "An express train came off the rails near Grunau on Monday, and 46 people were injured, six of them seriously, police said.\nThe train lay in a field of beets until evening.",
    ],
    [
      3,
      "2T19:00",
      "Points near Grunau had been reported faulty",
      "The injured of the express train near Grunau now number 71, since many saw a doctor only at home.\nAn inspector had warned that the points near Grunau were worn.",
    ],
  ]);
  const ferry = event(411, [
    [
      1,
      "2T08:00",
      "Ferry sinks on Lake Sul, at least 27 drown",
      "At least 27 people drowned when a ferry sank on Lake Sul on Monday, the governor said.\nThe ferry had been on its way to the island of Obe.",
    ],
    [
      2,
      "2T21:00",
      "Toll of Lake Sul ferry disaster reaches 58",
      "The number of dead in the ferry disaster on Lake Sul rose to 58 on Monday, authorities said.\nDivers found 17 bodies in a cabin of the ferry whose door had jammed.",
    ],
  ]);
  const { content, stories } = compose(input([...crash, ...ferry]));
  expect(content).not.toMatch(/Figures differ|Sources contradict/);
  const brief = content.split(/^## /m).find((part) => part.startsWith("In brief"))!;
  expect(brief).not.toMatch(/\b27\b/);
  expect(brief).not.toMatch(/\b46\b(?!.*\(later: 71\))/);
  expect(stories.map(({ headline }) => headline).toSorted()).toEqual([
    "Express derails near Grunau, 46 injured (later: 71)",
    "Toll of Lake Sul ferry disaster reaches 58",
  ]);
});

test("a briefing that is mostly English tells a story in English where a sound voice of it is English", () => {
  const told = (confidence: number) => {
    const vote = event(421, [
      [
        1,
        "2T08:00",
        "Parliament of Orvik votes to leave the customs union",
        "The parliament of Orvik voted on Monday to leave the customs union with its neighbours from the spring of next year.\nThe opposition spoke of a mistake, and the chamber of trade asked for a longer time to prepare for it.",
      ],
      [
        2,
        "2T09:00",
        "Orvik verlässt die Zollunion",
        "Das Parlament von Orvik hat am Montag beschlossen, die Zollunion mit den Nachbarn im Frühjahr zu verlassen.\nDie Opposition sprach von einem Fehler, und die Kammer bat um eine längere Frist für die Betriebe.",
      ],
      [
        3,
        "2T10:00",
        "Orvik stimmt für den Austritt aus der Zollunion",
        "Mit großer Mehrheit hat das Parlament von Orvik am Montag für den Austritt aus der Zollunion gestimmt.\nDer Ministerpräsident dankte den Abgeordneten, und die Betriebe warten auf die neuen Regeln.",
      ],
    ]).map((one) => (one.id === 421 ? { ...one, confidence } : one));
    return compose(input([...vote, ...quake, ...breach])).stories.find(({ articleIds }) => articleIds.includes(421))!
      .headline;
  };
  expect(told(0.6)).toBe("Parliament of Orvik votes to leave the customs union");
  expect(told(0.2)).toMatch(/Zollunion$/);
});

test("a headline that shouts or names somebody with contempt is its outlet's own words", () => {
  for (const headline of [
    "Is Ombeza's ruler DEAD?",
    "Ombeza strongman falls ill",
    "The LIES of Ombeza's president",
    "Ombeza's cronies flee the capital",
  ])
    expect(isLoaded(headline)).toBe(true);
  for (const headline of ["NATO and OPEC meet", "Ombeza's president is dead", "AIDS drug approved"])
    expect(isLoaded(headline)).toBe(false);
});

test("a derailed train is no geopolitics, and animals are soft news", () => {
  const topic = (title: string, text: string) => {
    const { points } = topicsOf(title, text);
    return [...points].sort((a, b) => b[1] - a[1])[0]![0];
  };
  expect(
    topic("Express derails in fog", "The train left the rails near Grunau, the prime minister said on Monday."),
  ).toBe("other");
  expect(topic("Panda twins born in Hartfield zoo", "Two pandas were born on Friday, the ambassador was told.")).toBe(
    "soft",
  );
});

/** A story of one report, filed under geopolitics. */
const topicOf = (title: string, text: string) => {
  const voices = [article(1, "geopolitics", "2T09:00", title, text, { id: 901, storyId: "s901" })];
  return storyTopic(voices, voices);
};

test("words that no list has speak of a domain by the company they keep, in other languages as well", () => {
  const told: [Domain, title: string, text: string][] = [
    [
      "energy",
      "Rotors stand still off Halmar",
      "The rotors off Halmar have produced no kilowatt since Friday, their operator said; generators ashore make up for it.",
    ],
    [
      "health",
      "Surgeons in Halmar postpone kidney operations",
      "Surgeons in Halmar have postponed kidney operations because donor organs could not be kept cool, the head physician said.",
    ],
    [
      "science",
      "Skull from Tarn gorge is of an unknown ancestor",
      "A skull from a gorge near Tarn belongs to an unknown hominid, anthropologists wrote; its teeth were dated to half a million years.",
    ],
    [
      "technology",
      "Programmers mend flaw in login pages",
      "Programmers have mended a flaw through which login pages of websites showed the code of other users.",
    ],
    [
      "security",
      "Snipers open fire on convoy near Halmar",
      "Snipers opened fire on a convoy of armoured vehicles near Halmar, the battalion's spokesman said.",
    ],
    [
      "environment",
      "Torrents wash away vineyards of Halmar",
      "Torrents washed away vineyards around Halmar on Friday night, and mud covers the valley floor.",
    ],
    [
      "energy",
      "Rotoren vor Halmar stehen still",
      "Die Turbinen vor der Küste liefern seit Freitag keine Energie, sagte der Betreiber; ein Kraftwerk springt ein.",
    ],
  ];
  for (const [domain, title, text] of told)
    expect([title, topicOf(title, text)]).toEqual([title, expect.objectContaining({ domain, elsewhere: false })]);
});

test("soft news is known by words that no list has, and what befell somebody is not soft", () => {
  const news = (title: string, text: string) => topicOf(title, text).news;
  expect([
    news(
      "A heron that queues for herrings",
      "A heron has queued at the fishmonger's stall in Halmar every morning since May, and bows when it is served.",
    ),
    news(
      "Grandfather knits for the whole street",
      "A grandfather in Halmar has knitted mittens for every toddler of his street, with their nicknames in yellow wool.",
    ),
    news(
      "Rowers of Halmar take the crown",
      "The rowers of Halmar won the regatta by a length and a half, their third crown in four seasons.",
    ),
    news(
      "Priest dragged from vestry",
      "Masked men dragged a priest from the vestry in Halmar on Friday; his captors have made no demand.",
    ),
  ]).toEqual(["soft", "soft", "sport", "hard"]);
});

test("behind what weighs stand results of sport, and soft news behind these", () => {
  const regatta = event(911, [
    [
      1,
      "2T10:00",
      "Rowers of Halmar take the crown",
      "The rowers of Halmar won the regatta by a length and a half, their third crown in four seasons.",
    ],
    [
      2,
      "2T11:00",
      "Halmar win the regatta",
      "Halmar's rowers won the regatta on Monday, half a length ahead of the champions of last season.",
    ],
  ]);
  const heron = event(921, [
    [
      1,
      "2T12:00",
      "A heron that queues for herrings",
      "A heron has queued at the fishmonger's stall in Halmar every morning since May, and bows when it is served.",
    ],
  ]);
  const crash = event(931, [
    [
      3,
      "2T08:00",
      "Lorry rolls into ditch near Halmar",
      "A lorry rolled into a ditch near Halmar on Monday and its driver broke an arm, rescuers said.",
    ],
  ]);
  const { content } = compose(input([...heron, ...regatta, ...crash]));
  const section = content.split("## Other news")[1]!.split("## ")[0]!;
  const places = ["Lorry rolls", "Rowers of Halmar", "heron that queues"].map((words) => section.indexOf(words));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
  expect(section).not.toMatch(/^### .*(?:Rowers|heron)/m);
});

test("who asks for a domain gets nothing that belongs to none", () => {
  const { stories } = compose({ ...input([...cup, ...quake]), domains: ["environment", "geopolitics"] });
  expect(stories.map(({ domain }) => domain)).toEqual(["environment"]);
});

const blast = event(941, [
  [
    1,
    "2T07:00",
    "Nine killed in blast at Kalmar market",
    "An explosion in the market of Kalmar killed nine people on Monday, the town's hospital said.\nTraders had been setting up their stalls in the dark, and the roof came down on the northern side.",
  ],
  [
    3,
    "2T11:00",
    "Army denies firing at Kalmar market",
    "The army has denied firing at the market of Kalmar and said that it had no aircraft in the air on Monday.\nIn August a car bomb killed six soldiers at the barracks of Kalmar.",
  ],
  [
    4,
    "2T16:00",
    "Удар по рынку в Калмаре: число погибших достигло 22",
    "Число погибших при взрыве на рынке Калмара достигло 22, сообщила больница. Ещё несколько человек остаются в тяжёлом состоянии, добавили врачи.",
  ],
]);

test("a toll that another language tells later stands beside the earlier one, in headline and summary", () => {
  const { content, title, stories } = compose(input(blast));
  expect(stories[0]).toMatchObject({ headlineOf: 941, later: "22" });
  expect(title).toContain("Nine killed in blast at Kalmar market (later: 22)");
  const brief = content.split("## In brief")[1]!.split("## ")[0]!;
  expect(brief).toMatch(
    /killed nine people on Monday, the town's hospital said\. \(later: 22\) \[#941\]\(\S+\) \[#943\]/,
  );
  // Six soldiers in August were another bomb's.
  expect(content).not.toMatch(/six soldiers[^\n]*later/);
});

test("two crashes of one country whose tolls grow side by side are two events", () => {
  const coach = event(961, [
    [
      1,
      "1T17:00",
      "Four dead as train rams coach in Belmar",
      "A freight train hit a coach at a level crossing in Belmar on Sunday and killed four people, police said.\nThe barriers were being repaired that day.",
    ],
    [
      3,
      "2T15:00",
      "Coach driver held over deaths in Belmar",
      "The driver of the coach that a freight train hit in Belmar was held on Monday. Five people have died, police said.\nThe barriers of the level crossing were being repaired.",
    ],
  ]);
  const express = event(971, [
    [
      4,
      "2T07:00",
      "Express derails in northern Belmar, at least seven dead",
      "An express train left the rails in a curve in northern Belmar on Monday and killed at least seven people.\nThe recorder of the train was found.",
    ],
    [
      5,
      "2T12:00",
      "Eleven die as Belmar express overturns",
      "Eleven people have died in the express train that left the rails in northern Belmar, the railway said.\nIts recorder shows 118 kilometres an hour.",
    ],
  ]);
  const { stories } = compose(input([...coach, ...express]));
  for (const { articleIds } of stories) expect(new Set(articleIds.map((id) => id < 970)).size).toBe(1);
  expect(stories.flatMap(({ articleIds }) => articleIds)).toHaveLength(4);
});

test("numbers in words and digits are tolls in seven languages, and those of something else are not", () => {
  const tolls = (text: string) => tollsIn(text).map(({ subject, value }) => `${subject} ${value}`);
  expect(
    [
      "Al menos catorce muertos en el mercado",
      "Naufrage : onze morts",
      "Deux morts et 35 blessés",
      "Terremoto, le vittime sono 134",
      "Rund 1.200 Verletzte nach Beben",
      "مقتل 19 شخصا",
      "Incêndio faz dezasseis mortos",
      "She was told once, and once again",
      "Der Zug hatte 14 Minuten Verspätung; niemand wurde getötet",
    ].map(tolls),
  ).toEqual([
    ["deaths 14"],
    ["deaths 11"],
    ["deaths 2", "injuries 35"],
    ["deaths 134"],
    ["injuries 1200"],
    ["deaths 19"],
    ["deaths 16"],
    [],
    [],
  ]);
});

test("nobody's cousin tells a story", () => {
  expect(quotable("My cousin works at the military clinic in Ashgar and has seen him.")).toBe(false);
  expect(quotable("“I found my aunt's scale in the rubble,” said Kofi Andrast, a porter.")).toBe(true);
});

test("a title that has the last count goes before one that is told with it, however short its report", () => {
  const crash = event(961, [
    [
      1,
      "2T07:00",
      "Coach plunges into gorge near Karrow, nine dead",
      "Nine people were killed when a coach left the road near Karrow and fell into a gorge on Monday, the police said. Rescuers climbed down by rope to the wreck all morning, and two helicopters brought the injured to Lunden.",
    ],
    [
      2,
      "2T15:00",
      "Karrow coach crash toll reaches 14",
      "The toll of the coach crash near Karrow rose to 14, police said.",
    ],
    [
      3,
      "2T18:00",
      "Karrow mourns",
      "The town of Karrow lit candles on Monday evening for those who died in the coach.",
    ],
  ]);
  expect(compose(input(crash)).stories[0]!.headline).toBe("Karrow coach crash toll reaches 14");
});

test("of several counts of a headline each later one is told with what it counts, and how far votes are counted too", () => {
  const outbreak = event(971, [
    [
      1,
      "2T07:00",
      "Two die as hospital infection in Merrin grows to 14 cases",
      "Two patients have died of the infection at the hospital of Merrin, and the number of infected has risen to 14, health officers said on Monday. The ward was closed, and visitors were asked to stay away until further notice.",
    ],
    [
      2,
      "2T19:00",
      "Merrin hospital: what is known",
      "Three people have lost their lives at the hospital of Merrin. Twenty-one people are now ill, the laboratory said on Monday evening. Engineers will heat the pipes for three nights, and surgery has been put off until December.",
    ],
  ]);
  expect(compose(input(outbreak)).stories[0]!.headline).toContain("14 cases (later: 3 deaths, 21 cases)");
  const count = event(981, [
    [
      1,
      "2T07:00",
      "Varo count reaches 78 percent, Marsic ahead",
      "With 78 percent of the ballots tallied, Elena Marsic kept a narrow lead in Varo on Monday. The commission said that the rest would be counted by night, and asked both camps to wait for its result before they celebrate.",
    ],
    [
      2,
      "2T19:00",
      "What the count in Varo shows",
      "Elena Marsic keeps her lead in Varo, the commission said after 96 percent of the votes had been " +
        "processed. She leads in the port towns, by a few thousand votes, and she took that lead late, when " +
        "her team had lost hope.",
    ],
  ]);
  expect(compose(input(count)).stories[0]!.headline).toContain("78 percent, Marsic ahead (later: 96)");
});

test("rescues are counted on, in other languages too", () => {
  const mine = event(991, [
    [
      1,
      "2T07:00",
      "Three brought up alive from flooded Kestrel mine",
      "Rescuers lifted three miners out of the flooded Kestrel mine on Monday morning, sixteen hours after water broke into its galleries. Their families had waited at the gate all night, wrapped in blankets.",
    ],
    [
      2,
      "2T19:00",
      "Kestrel-Grube: 17 Bergleute gerettet",
      "In der Kestrel-Grube haben Helfer am Montag acht weitere Bergleute geholt; damit sind 17 Männer gerettet. Von den übrigen vier fehlt jedes Lebenszeichen, sagte die Bergaufsicht am Abend.",
    ],
  ]);
  expect(compose(input(mine)).stories[0]!.headline).toBe(
    "Three brought up alive from flooded Kestrel mine (later: 17)",
  );
});

describe("a count that later articles of a story have moved on is not told alone", () => {
  const WORDS = "Surgeons wrote on paper through the night, and ambulances were sent to the coast.";

  test("of the same things, though nothing else links the two sentences", () => {
    const attack = event(1001, [
      [
        1,
        "2T07:00",
        "Nine Veldt hospitals hit by hackers",
        `Hackers have struck nine hospitals of the Veldt group. ${WORDS}`,
      ],
      [
        2,
        "2T19:00",
        "Who would do this?",
        `Investigators suspect a former administrator of the attack on Veldt, two officials said. ${WORDS} Nobody has been charged. The group has hired a security firm. Seventeen of the group's hospitals are now affected.`,
      ],
    ]);
    expect(compose(input(attack)).stories[0]!.headline).toBe("Nine Veldt hospitals hit by hackers (later: 17)");
  });

  test("what was known all along and is said again is a count of somebody else's", () => {
    const sale = event(1011, [
      [
        1,
        "2T06:00",
        "Records of 900 Telmar customers for sale",
        `Records of 900 customers of Telmar are for sale. ${WORDS}`,
      ],
      [2, "2T08:00", "Telmar says 400 customers affected", `Data of 400 customers was stolen, Telmar said. ${WORDS}`],
      [
        3,
        "2T19:00",
        "Regulator opens case against Telmar",
        `The regulator has opened a case. Records of 900 customers are for sale. ${WORDS}`,
      ],
    ]);
    expect(compose(input(sale)).stories[0]!.headline).not.toContain("later");
  });

  test("who left their homes, were brought out and are in safety are the same people", () => {
    const flood = event(1021, [
      [
        1,
        "2T07:00",
        "River dyke bursts near Meresk",
        "Some 8,000 people had to leave their homes on Monday after the river Orl burst through a dyke near Meresk, the district council said. Water stands in the market square.",
      ],
      [
        2,
        "2T20:00",
        "Hochwasser an der Orl: 22.000 Menschen in Sicherheit gebracht",
        "Im Hochwassergebiet an der Orl sind bis Montagabend 22.000 Menschen in Sicherheit gebracht worden. Der Deich bei Meresk war am Morgen gebrochen.",
      ],
    ]);
    expect(compose(input(flood)).content).toMatch(/8,000 people had to leave .*\(later: 22,000\)/);
    expect(figuresTold("The number of people moved out of the Toral delta has climbed to 26,000.")).toMatchObject([
      { subject: "people displaced", value: 26_000 },
    ]);
  });

  test("votes are counted in other languages too", () => {
    for (const text of ["Venn à frente com 38% dos votos contados", "Venn führt, 38 Prozent der Stimmen ausgezählt"])
      expect(figuresTold(text)).toContainEqual(expect.objectContaining({ subject: "votes counted", value: 38 }));
    expect(figuresTold("Foram 3800 votos contados")).not.toContainEqual(
      expect.objectContaining({ subject: "votes counted" }),
    );
  });

  test("by another story, which grouping holds apart, where its sentence or title has the name", () => {
    const first = event(1031, [
      [
        1,
        "2T05:00",
        "Four dead as the Asken bursts into Pelworth",
        "Four people drowned when the river Asken poured into the lower streets of Pelworth before dawn on Monday, the county coroner said. Water came over the quay wall.",
      ],
    ]);
    const second = event(1041, [
      [
        2,
        "2T21:00",
        "What the gauges say about the flood",
        "Gauges on the river Asken rose by a metre in an hour, hydrologists said of the flood. The dead in Pelworth now number 13, after divers opened a flat by the quay wall.",
      ],
    ]);
    expect(compose(input([...first, ...second])).stories.map(({ headline }) => headline)).toContain(
      "Four dead as the Asken bursts into Pelworth (later: 13)",
    );
  });
});

test("a run and a breakfast in another language are no news of the field that their outlet is filed under", () => {
  const race = topicOf(
    "Corrida das Pontes junta nove mil na chuva",
    "Nove mil pessoas correram na manhã de domingo a tradicional Corrida das Pontes, debaixo de uma chuva miudinha. Venceu a estreante Joana Vilar, enfermeira de 27 anos. Na meta houve caldo e uma banda que tocou até ao fim.",
  );
  expect(race).toMatchObject({ elsewhere: true });
  expect(race.news).not.toBe("hard");
  const essay = topicOf(
    "Elogio da manhã lenta",
    "Há quem se levante às cinco para correr. Eu defendo a torrada virada duas vezes e o gato que decide a hora de sair da cama.",
  );
  expect(essay).toMatchObject({ elsewhere: true, news: "soft" });
});

test("a find that is named as science is science, however lightly it is told", () => {
  expect(
    topicOf(
      "A jaw from Tarrin Cave",
      "Diggers in Tarrin Cave have found a human jaw, archaeologist Thea Lund's team reports. Shepherds left their initials there, a stove and one excellent chair.",
    ),
  ).toMatchObject({ domain: "science", news: "hard" });
});

test("a story is told by what happened: no remark, no scenery, no other year, no torn quotation", () => {
  const lead =
    "Twenty-one miners were trapped on Friday when water broke into the Kestrel mine near Brannoc, its owner said.";
  const mine = event(501, [
    [
      1,
      "2T07:00",
      "Miners trapped in flooded Kestrel mine",
      `${lead}\nRescuers lowered a pump into the shaft at noon, the safety office said on Friday, and families waited at the gate of the pit for word of their men while lorries brought pipes from the harbour. The water stands forty metres below the upper gallery, where most of the shift had been at work since midnight, and it goes on rising by a hand an hour.`,
    ],
    [
      2,
      "2T12:00",
      "Kestrel mine: the long night",
      'The pumps had been running for nine hours in Brannoc when the wind finally dropped.\nIn 1988 eleven of 30 men trapped in the Kestrel mine near Brannoc were saved, its owner said.\n"Somebody down there knocked twice," a winchman said. "Then the Kestrel mine went quiet," he said.\nA union of miners at Kestrel wants an inquiry into its pumps, its chairman said on Friday.',
    ],
  ]);
  const { content } = compose(input([...mine, ...breach]));
  expect(content).toContain(lead);
  expect(content).not.toMatch(/^- .*(?:nine hours|1988|knocked|went quiet)/m);
});

test("an older count that tells what happened stands with all later ones, and those are cited", () => {
  const ill = event(511, [
    [
      1,
      "2T07:00",
      "Legionnaires' disease at Merrin hospital",
      "Two patients have died of legionnaires' disease at the hospital of Merrin, and 14 people are " +
        "infected, health officers said on Monday.",
    ],
    [
      2,
      "2T18:00",
      "The roof at Merrin hospital is clean",
      "The cooling tower of the hospital in Merrin is clean.\nThree patients have died and 21 people are infected, the hospital said.",
    ],
  ]);
  const { content } = compose(input([...ill, ...breach]));
  expect(content).toMatch(
    /Two patients have died .* \(later: 3 deaths, 21 .*\) \[#511\]\S+ \[#512\]|Three patients have died and 21 people are infected/,
  );
});

test("once a vote is decided, it is told by who won, not by how much had been counted", () => {
  const half: [number, string, string, string] = [
    1,
    "2T07:00",
    "Marsic ahead in Varosia with 40 percent of ballots counted",
    "Opposition leader Elena Marsic was ahead in Varosia's runoff on Sunday night, with 40 percent of " +
      "ballots counted, the electoral commission said.\nPolling stations stayed open for two hours more in " +
      "the south of the country, where queues were long, and nobody complained of it.",
  ];
  const more: [number, string, string, string] = [
    2,
    "2T12:00",
    "Varosia count reaches 78 percent",
    "With 78 percent of ballots counted Elena Marsic leads Varosia's runoff by a hair, the electoral " +
      "commission said on Monday.\nThe commission hopes to be done by evening, and asks both camps for " +
      "patience until all districts have sent in their ballots.",
  ];
  const won: [number, string, string, string] = [
    3,
    "2T18:00",
    "Marsic wins Varosia's presidency",
    "Elena Marsic has won the runoff in Varosia, the electoral commission said on Monday after 96 " +
      "percent of ballots had been counted.\nHer rival called her in the afternoon, and his party spoke of " +
      "a fair contest that it had lost by its own mistakes.",
  ];
  const brief = (...reports: (typeof half)[]) =>
    compose(input([...event(521, reports), ...breach]))
      .content.split("## In brief")[1]!
      .split("\n## ")[0]!;
  expect(brief(half, more)).toContain("With 78 percent of ballots counted");
  expect(brief(half, more, won)).toContain("Elena Marsic has won the runoff in Varosia");
  expect(
    compose(input([...event(521, [half, more, won]), ...breach])).stories.map(({ headline }) => headline),
  ).toContain("Marsic wins Varosia's presidency");
  expect(brief(half, more, won)).not.toContain("(later:");
});

describe("a report that its outlet has brought up to date", () => {
  const [early, stale] = event(951, [
    [
      1,
      "2T07:00",
      "Ferry sinks off Tarvo, 31 dead",
      "A ferry sank off Tarvo early on Monday, and 31 people have died, the coastguard said.\nThe search goes on until nightfall, with four boats and a helicopter.",
    ],
    [
      2,
      "2T09:00",
      "Twelve dead as ferry sinks off Tarvo",
      "Twelve people have died after a ferry sank off Tarvo early on Monday, the coastguard said.\nThe cause of the accident is not known, and the harbour of Tarvo is closed.",
    ],
  ]) as [BriefingArticle, BriefingArticle];
  const told = (changedAt: string): string =>
    compose(input([{ ...early, changedAt }, stale])).content.split("## Articles cited")[0]!;

  const onlyTwelve = (brief: string): string[] =>
    brief.split("\n").filter((line) => /\b(?:12|[Tt]welve)\b/.test(line) && !/31/.test(line));

  it("has the last word on a toll, though others were published since", () => {
    const brief = told("2026-03-02T12:00:00.000Z");
    expect(brief).toContain("31");
    expect(onlyTwelve(brief)).toEqual([]);
  });

  it("has it not by its first edition", () => {
    expect(onlyTwelve(told(early.publishedAt))).not.toEqual([]);
  });
});
