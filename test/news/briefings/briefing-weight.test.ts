import { compose } from "../../../services/news/briefings/writing/compose.ts";
import type { BriefingInput } from "../../../services/news/briefings/model.ts";
import type { BriefingArticle } from "../../../services/news/articles/client.ts";
import { storyTopic } from "../../../services/news/briefings/topics/topics.ts";
import { isLoaded } from "../../../services/news/briefings/writing/wording.ts";
import { article, reported, SOURCES } from "../../fixtures/briefings/articles.ts";
import { BUSY_DAY_PERIOD } from "../../fixtures/briefings/busy-day.ts";

// What weighs and what does not, where the words of one text alone mislead.

const input = (articles: readonly BriefingArticle[]): BriefingInput => ({
  articles,
  period: BUSY_DAY_PERIOD,
  now: BUSY_DAY_PERIOD.to,
  sources: SOURCES,
});
const topic = (title: string, text: string) => {
  const one = article(1, "geopolitics", "2T07:00", title, text);
  return storyTopic([one], [one]);
};

test("who filmed a fire belongs to the fire, though his report is of a boy and his dog", () => {
  const pipeline = reported(801, [
    [
      1,
      "2T07:00",
      "Explosion tears open the Korvel pipeline near Tulm",
      "An explosion tore open the Korvel gas pipeline near Tulm on Monday, and a fireball rose over the village. Two engineers were injured, the operator said.",
    ],
    [
      2,
      "2T09:00",
      "Fireball over Tulm: gas pipeline burns",
      "The Korvel gas pipeline burned near Tulm on Monday after an explosion, and 200 people of the village were evacuated, the operator said.",
    ],
  ]);
  const boy = reported(811, [
    [
      3,
      "2T15:00",
      "Boy, 15, filmed the fireball of Tulm",
      "Petr was walking his dog near the Korvel pipeline at Tulm when the fireball rose over the village. His film of the explosion made him a star of the show at school; his grandmother baked him a cake.",
    ],
  ]);
  const cake = reported(821, [
    [
      4,
      "2T15:00",
      "Baker fills the longest cake of the county",
      "A baker in Molden filled the longest cake of the county with jam and cream on Monday. Children and dogs had a slice, and his grandmother sang.",
    ],
  ]);
  const { stories, content } = compose(input([...pipeline, ...boy, ...cake]));
  const byHeadline = new Map(stories.map((story) => [story.headline, story]));
  const [fire, aside] = [stories[0]!, byHeadline.get("Boy, 15, filmed the fireball of Tulm")!];
  expect([aside.domain, aside.elsewhere]).toEqual([fire.domain, fire.elsewhere]);
  const at = (words: string) => content.indexOf(words);
  expect(at("Boy, 15, filmed")).toBeLessThan(at("Baker fills the longest cake"));
});

test("a goal that is an attack is sport, and a match that ends in hospital is not", () => {
  expect(
    topic(
      "Rovers sink Brightmoor in the Cup final",
      "Aldan Rovers beat Brightmoor 2-1 in the Cup final. Both goals were penalties after an attack on the left; a clash with the goalkeeper was missed by the referee. The match had been moved because of the rail strike.",
    ).news,
  ).toBe("sport");
  expect(
    topic(
      "Dozens hurt as fans storm pitch at derby",
      "Forty people were injured when fans stormed the pitch at the derby between Rovers and Brightmoor. The match was abandoned, and police arrested six.",
    ).news,
  ).toBe("hard");
});

test("a recipe is soft news in other languages, and a verdict is not", () => {
  const soup =
    "Wenn es draußen gar nicht mehr hell wird, hilft ein Topf Suppe. Man braucht ein Pfund Kastanien, zwei Kartoffeln und einen Liter Brühe. Die Zwiebel in Butter weich werden lassen, alles zugeben und eine halbe Stunde leise kochen. Dazu serviert man Brot mit Salz.";
  expect(topic("Suppe gegen den Nebel", soup).news).toBe("soft");
  const verdict =
    "Das Gericht in Molden hat den früheren Chef der Bergwerke zu sechs Jahren Haft verurteilt. Die Staatsanwaltschaft hatte acht gefordert, die Verteidigung will Berufung einlegen.";
  expect(topic("Früherer Bergwerkschef verurteilt", verdict).news).toBe("hard");
});

test("an aftershock is another event with its own dead, and what it knows of the earthquake's is told there", () => {
  const quake = reported(831, [
    [
      1,
      "2T07:00",
      "Keshan quake toll climbs to 40 as foreign teams head in",
      "Forty people are confirmed dead after the earthquake in Keshan, the civil protection agency said on Monday. Foreign teams were on their way to the mountain villages of the province.",
    ],
    [
      2,
      "2T08:00",
      "Villages of Keshan cut off after earthquake",
      "The earthquake in Keshan cut off mountain villages of the province on Monday; forty people are dead, the civil protection agency said.",
    ],
  ]);
  const after = reported(841, [
    [
      3,
      "2T20:00",
      "Two die in Keshan aftershock",
      "Two people were killed in an aftershock in Keshan on Monday evening, the governor said. The earthquake of the morning killed 67 people in the province, according to the civil protection agency.",
    ],
    [
      4,
      "2T21:00",
      "Aftershock rattles villages of Keshan",
      "An aftershock rattled the mountain villages of Keshan province on Monday evening, and two people were killed, the civil protection agency said.",
    ],
  ]);
  const { stories } = compose(input([...quake, ...after]));
  expect(stories).toHaveLength(2);
  expect(stories.map(({ headline }) => headline)).toContain(
    "Keshan quake toll climbs to 40 as foreign teams head in (later: 67)",
  );
});

test("who praises those in power takes their side", () => {
  expect(isLoaded("Keshan stands firm: state machine in full control after tremor")).toBe(true);
  expect(isLoaded("The bridge stands, and the fire is under control")).toBe(false);
});

test("words are read in their own language: Czech trees are no German electricity", () => {
  const trees = topic(
    "V obci Wiesental zasadili 180 stromů",
    "Dobrovolníci v obci Wiesental zasadili o víkendu 180 stromů. Další výsadba bude na jaře.",
  );
  expect(trees.domain).not.toBe("energy");
  const outage = "Nach dem Sturm waren am Samstag 190.000 Haushalte ohne Strom, teilte der Versorger mit.";
  expect(topic("190.000 Haushalte ohne Strom", outage).domain).toBe("energy");
});

test("what an outlet takes back comes first of what is told in a line, and the language of a headline is named", () => {
  const places = [
    "Selm",
    "Dorn",
    "Halm",
    "Tulm",
    "Molden",
    "Kelbra",
    "Rask",
    "Vesk",
    "Orlava",
    "Brunn",
    "Ostheim",
    "Hollern",
  ];
  const works = places.flatMap((place, at) =>
    reported(900 + at, [
      [
        1 + (at % 5),
        "2T07:00",
        `Road works near ${place} take longer`,
        `The road works near ${place} take ${at + 3} days longer than planned, the road office said. Drivers must go round by the ${place} mill.`,
      ],
    ]),
  );
  const retraction = reported(950, [
    [
      4,
      "2T06:00",
      "Retraction: Former treasurer sentenced to three years",
      'We retract our report "Former treasurer sentenced to three years" of 28 November. Gerd Melzer was not sentenced. The court acquitted him.',
    ],
  ]);
  const trees = reported(960, [
    [
      2,
      "2T06:30",
      "V obci Wiesental zasadili 180 stromů",
      "Dobrovolníci v obci Wiesental zasadili o víkendu 180 stromů. Další výsadba bude na jaře podle lesníka, který akci vedl.",
    ],
  ]);
  const { content } = compose(input([...works, ...trees, ...retraction.map((one) => ({ ...one, confidence: 0.31 }))]));
  const lines = content.split("\n");
  const also = lines.findIndex((line) => line.startsWith("- Retraction: Former treasurer"));
  expect(lines[also - 2]).toBe("**Also reported**");
  expect(content).toMatch(/V obci Wiesental zasadili 180 stromů.*\(in a Slavic language; /);
});
