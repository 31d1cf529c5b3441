import { groupStories, regrouped } from "../../../services/news/articles/client.ts";
import { Events } from "../../../services/news/articles/grouping/events.ts";
import { topicOf } from "../../../services/news/articles/grouping/topics/topic.ts";
import { atOnce } from "../../../core/work/turns.ts";

const NOON = Date.parse("2026-11-20T12:00:00Z");
const HOUR_MS = 3_600_000;

type Told = [title: string, text: string];
const article = ([title, text]: Told, at: number) => ({
  id: at + 1,
  sourceId: at + 1,
  title,
  summary: "",
  text,
  publishedAt: new Date(NOON + at * HOUR_MS).toISOString(),
});

/** How many events the intake sees, and a briefing. */
function counted(reports: readonly Told[]): number[] {
  const articles = reports.map(article);
  const ids = groupStories(articles);
  const stories = new Set([...ids.values()].map(({ storyId }) => storyId));
  const events = atOnce(regrouped(articles.map((one) => ({ ...one, ...ids.get(one.id)! }))));
  return [stories.size, new Set(events.values()).size];
}

const WOMEN: Told = [
  "El Orvila femenino gana la Copa en la prórroga",
  "El Orvila se llevó el sábado en Dolna la Copa femenina al vencer por 2-1 al Halver. Maja Dorn marcó el gol.",
];
const MEN: Told = [
  "Halver goleia o Orvila e lidera",
  "O Halver derrotou em casa o Orvila por 3-0, no sábado, e lidera o campeonato masculino de Dolna.",
];

it("a women's match is not the men's, in languages that say so otherwise than English", () => {
  expect(counted([WOMEN, MEN])).toEqual([2, 2]);
});

it("prices and work are two reports of one office, though both stand at 4.2 percent", () => {
  expect(
    counted([
      [
        "Northmark inflation slows to 4.2 percent",
        "Consumer prices in Northmark were 4.2 percent higher in October than a year before, the statistics office said on Friday.",
      ],
      [
        "Northmark jobless rate steady at 4.2 percent",
        "Unemployment in Northmark stayed at 4.2 percent in October, the statistics office said on Friday.",
      ],
    ]),
  ).toEqual([2, 2]);
});

describe("kindred events", () => {
  const quake: Told = [
    "Strong quake hits Karvania's Dalmora valley",
    "An earthquake of magnitude 6.4 struck the Dalmora valley in Karvania on Saturday and destroyed the " +
      "school of Sellac, the rescue service said.",
  ];
  const toll: Told = [
    "Quake in Dalmora: Sellac school in ruins",
    "The school of Sellac in the Dalmora valley of Karvania was destroyed by the earthquake of magnitude " +
      "6.4, the rescue service said on Saturday.",
  ];
  const strike: Told = [
    "Dockers of Valmont walk out",
    "Dock workers in the port of Valmont stopped work on Friday in a quarrel over pay, their union said.",
  ];
  const shock: Told = [
    "Aftershock rattles Dalmora valley",
    "An aftershock shook Sellac in the Dalmora valley of Karvania on Saturday, hours after the " +
      "earthquake of magnitude 6.4 that destroyed the school.",
  ];

  /** Each report is an event of its own, of which nobody knew when it came that another told of it. */
  function kindredOf(asked: Told, others: readonly Told[]): string[] {
    const events = new Events();
    const all = [asked, ...others].map((told, at) => ({ title: told[0], topic: topicOf(article(told, at)) }));
    for (const { topic } of all) events.learn(topic);
    for (const { title, topic } of all) events.add(title, topic, NOON);
    return events.kindred(asked[0], all[0]!.topic, NOON);
  }

  it("are those of which a report most likely tells too", () => {
    expect(kindredOf(quake, [toll, strike])).toEqual([toll[0]]);
  });

  it("are none where nothing is the same, nor is an aftershock its earthquake's", () => {
    expect(kindredOf(strike, [quake, toll])).toEqual([]);
    expect(kindredOf(quake, [shock])).toEqual([]);
  });
});
