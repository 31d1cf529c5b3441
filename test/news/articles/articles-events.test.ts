import fc from "fast-check";
import { overtaking } from "../../../core/text/statements/comparison.ts";
import { statementOf } from "../../../core/text/statements/statement.ts";
import { groupStories, successions } from "../../../services/news/articles/client.ts";
import { lexicon } from "../../../core/text/lexicon.ts";
import { terms } from "../../../core/text/words/terms.ts";
import { hashOf } from "../../../core/text/words/token-hashes.ts";
import { translator } from "../../../services/news/articles/grouping/topics/translations.ts";
import { Events } from "../../../services/news/articles/grouping/events.ts";
import { packTopic, unpackTopic } from "../../../services/news/articles/grouping/topics/packed-topic.ts";
import { topicOf } from "../../../services/news/articles/grouping/topics/topic.ts";

const NOON = Date.parse("2026-11-20T12:00:00Z");
const HOUR_MS = 3_600_000;

type Report = [event: string, hour: number, title: string, text: string];

/** The events that stories hold, a story each, by what the reports say they tell of. */
function told(reports: readonly Report[]): string[] {
  const ids = groupStories(
    reports.map(([, hour, title, text], at) => ({
      id: at + 1,
      sourceId: at + 1,
      title,
      summary: "",
      text,
      publishedAt: new Date(NOON + hour * HOUR_MS).toISOString(),
    })),
  );
  const stories = Map.groupBy(reports.keys(), (at) => ids.get(at + 1)!.storyId);
  return [...stories.values()].map((members) => [...members].map((at) => reports[at]![0]).join(", "));
}

it("banks of two countries decide the same, and what each is called is no name that they share", () => {
  expect(
    told([
      [
        "Veldora",
        0,
        "Veldora's central bank lifts key rate to 5.75 percent",
        "The Bank of Veldora raised its main interest rate by half a point to 5.75 percent on Friday, as forecast.",
      ],
      [
        "Oskel",
        3,
        "Oskel keeps key rate at 5.75 percent",
        "The central bank of Oskel left its key rate unchanged at 5.75 percent on Friday, as forecast.",
      ],
      [
        "Oskel",
        4,
        "Oskel holds rates steady",
        "OSKEL (Hill Agency) - Interest rates in Oskel stay where they are, at 5.75 percent, the central bank decided.",
      ],
      [
        "Veldora",
        5,
        "Veldora raises borrowing costs",
        "VELDORA (Bay Agency) - The central bank put up its benchmark rate to 5.75 percent from 5.25 percent, which makes borrowing in Veldora dearer.",
      ],
    ]),
  ).toEqual(["Veldora, Veldora", "Oskel, Oskel"]);
});

const RAID = "Drones hit the fuel depot in Marsund on Thursday and set two tanks on fire, the governor said.";

it("what happened on another day is another event", () => {
  const next = "Two dock workers died when drones struck the harbour of Marsund on Friday, officials said.";
  expect(
    told([
      ["Thursday's raid", 0, "Drones hit fuel depot in Marsund", RAID],
      ["Friday's raid", 24, "Two dockers killed in Marsund", next],
    ]),
  ).toEqual(["Thursday's raid", "Friday's raid"]);
});

it("who speaks of the same day a day later speaks of the same event, whenever he says it", () => {
  const late =
    "What burned in Marsund on Thursday was old heating oil, a company that stores fuel there told its customers.";
  expect(
    told([
      ["raid", 0, "Drones hit fuel depot in Marsund", RAID],
      ["raid", 26, "Only heating oil burned in Marsund", late],
    ]),
  ).toEqual(["raid, raid"]);
});

it("the day on which something is said is not the day of what happened", () => {
  const days = (text: string) => topicOf({ title: "Raid on Marsund", summary: "", text }).days;
  const [thursday, friday] = [1 << 3, 1 << 4];
  expect(days("Drones hit Marsund on Thursday, the governor said on Friday.")).toBe(thursday);
  expect(days("Drones hit the state harbour of Marsund on Thursday.")).toBe(thursday);
  expect(days("Drones hit Marsund, the governor told reporters on Friday.")).toBe(0);
  expect(days("The port of Marsund stays shut until Friday.")).toBe(0);
  expect(days("Drones hit Marsund on Thursday night. The port opens again on Friday.")).toBe(thursday);
  expect(days("Drones hit Marsund on Thursday and Friday.")).toBe(thursday | friday);
  expect(days("The teachers of Dorne will walk out again on Friday unless they are paid.")).toBe(0);
  expect(days("The ballots of four islands are to be recounted on Friday, a court ruled.")).toBe(0);
});

it("what is announced for another day belongs to what happened", () => {
  const strike =
    "Classrooms in Dorne stayed empty on Friday as teachers went on strike for smaller classes and a pay rise of 9 " +
    "percent. The ministry of education is offering 4 percent over two years. Four in five took part, the union " +
    "Chalk said.";
  const again =
    "The teachers' union in Dorne will walk out again on Wednesday unless the government improves on the 4 percent it " +
    "has put forward. No talks are planned before Thursday, the secretary of Chalk said.";
  expect(
    told([
      ["strike", 0, "Schools shut across Dorne as teachers walk out", strike],
      ["strike", 19, "Chalk calls second day of strike in Dorne", again],
    ]),
  ).toEqual(["strike, strike"]);
});

it("a women's match and a men's of the same clubs are two events", () => {
  const women = "Rovers beat Lakeside in the women's final in Tarn on Saturday before a crowd of 41,000.";
  const men = "Lakeside beat Rovers in the men's league in Tarn on Saturday and lead it by three points.";
  expect(
    told([
      ["women", 0, "Rovers beat Lakeside in women's final", women],
      ["men", 2, "Lakeside beat Rovers in men's league", men],
      ["women", 3, "Record crowd sees Rovers win women's final in Tarn", women.replace("beat", "got the better of")],
    ]),
  ).toEqual(["women, women", "men"]);
});

it("a report in another language joins by words that say the same, and not by a name alone", () => {
  const fire: Report = [
    "fire",
    0,
    "Forest fire near Olmedra destroys houses",
    "A forest fire destroyed houses near Olmedra on Saturday, and the wind drives the flames towards the village.",
  ];
  const german: Report = [
    "fire",
    2,
    "Feuer im Wald bei Olmedra zerstört Häuser",
    "Ein Feuer im Wald hat am Samstag bei Olmedra Häuser zerstört. Der Wind treibt die Flammen auf das Dorf zu.",
  ];
  const elected: Report = [
    "vote",
    3,
    "Ilse Varnholt gewinnt die Wahl in Olmedra",
    "Ilse Varnholt bleibt Bürgermeisterin von Olmedra. Für sie stimmte am Samstag jeder Zweite, für Jonas Brehm jeder Dritte.",
  ];
  expect(told([fire, german])).toEqual(["fire, fire"]);
  expect(told([fire, elected])).toEqual(["fire", "vote"]);
});

it("the first word of a sentence is a name where no dictionary has it", () => {
  const naming = (title: string) => {
    const { terms: hashes, naming: found } = topicOf({ title, summary: "", text: "It was a long day." });
    return (word: string) => found[hashes.indexOf(hashOf(terms(word)[0]!))]! > 0;
  };
  expect(naming("Velkor raises key rate")("Velkor")).toBe(true);
  expect(naming("London raises key rate")("London")).toBe(true);
  expect(naming("Ferries raise their fares")("Ferries")).toBe(false);
  expect(naming("Rates rise. Ferries stop.")("Ferries")).toBe(false);
});

it("who is of a place is named by it", () => {
  const strike: Report = [
    "strike",
    0,
    "Oil workers of Kestoria walk out",
    "Workers of the three refineries of Kestoria walked out over pay, and queues formed at filling stations.",
  ];
  const talks: Report = [
    "strike",
    8,
    "Kestorian refinery talks go on",
    "Owners and unions talked through the night. Kestorian workers ask for more pay, and queues at filling stations grew.",
  ];
  expect(told([strike, talks])).toEqual(["strike, strike"]);
});

it("what is of another kind is another event, whatever the place", () => {
  const robbery: Report = [
    "robbery",
    0,
    "Bank robbed in Tolmark",
    "Robbers took cash from a bank in Tolmark and fled in a van. Police are searching for three men.",
  ];
  const vote: Report = [
    "vote",
    1,
    "Tolmark elects mayor",
    "Voters in Tolmark elected a teacher mayor. Her party won every district, and turnout was the highest in decades.",
  ];
  const coins: Report = [
    "coins",
    2,
    "Museum in Tolmark shows old coins",
    "Coins of the Bronze Age are on show in Tolmark. The museum bought the collection from a farmer.",
  ];
  const arrests: Report = [
    "robbery",
    3,
    "Three held over bank robbery",
    "Police in Tolmark arrested three men who are said to have robbed a bank and fled in a van. The cash is missing.",
  ];
  expect(told([robbery, vote, coins, arrests])).toEqual(["robbery, robbery", "vote", "coins"]);
});

it("a report that may tell of two events joins neither", () => {
  const odds = new Map<string, number>();
  const judged = (_: unknown, storyId: string): number => odds.get(storyId)!;
  const nearest = () => {
    const events = new Events({ inOneLanguage: judged, inOtherLanguages: judged });
    const topic = (title: string) => topicOf({ title, summary: "", text: `${title}, the governor said.` });
    for (const storyId of odds.keys()) events.add(storyId, topic(`Drones hit the harbour of Marsund ${storyId}`), NOON);
    return events.nearest(topic("Drones hit the harbour of Marsund"), NOON);
  };
  odds.set("one", 1).set("other", 1);
  expect(nearest()).toBeUndefined();
  odds.set("one", 3);
  expect(nearest()).toBe("one");
  odds.set("one", -0.1).set("other", -3);
  expect(nearest()).toBeUndefined();
});

it("every word of the dictionaries is of a language that is told, and says one English term", () => {
  for (const [language, lines] of Object.entries(lexicon.translations.words)) {
    const translate = translator(language)!;
    const entries = lines.flatMap((line) => line.split(" ").map((entry) => entry.split(":") as [string, string]));
    for (const [english, others] of entries)
      for (const other of others.split(","))
        expect([other, terms(other).map(translate)]).toEqual([other, terms(english).map((term) => hashOf(term))]);
  }
  expect(translator("xx")).toBeUndefined();
});

it("a country alone is no event", () => {
  expect(
    told([
      [
        "jobs",
        0,
        "Torland's jobless rate drops to 6.8 percent",
        "Unemployment in Torland fell to 6.8 percent in October, the lowest in four years, the labour office said. Firms hired cooks, nurses and welders, and the number of people without work dropped by 11,400. Economists had expected no change.",
      ],
      [
        "jobs",
        1,
        "Unemployment in Torland at four-year low",
        "More people in Torland have work: the jobless rate fell to 6.8 percent in October, the lowest in four years, the labour office said.",
      ],
      [
        "jobs",
        2,
        "More people in work in Torland",
        "In Torland 11,400 people more than in September had work in October. The rate of those without work fell to 6.8 percent.",
      ],
      [
        "hack",
        4,
        "Attack stops ticket machines of Torland's railways",
        "Hackers switched off the ticket machines of Torland's state railways, and travellers rode without paying. A group that calls itself Night Shift took the credit for it. Conductors were told to let everybody through until technicians had replaced the software.",
      ],
    ]),
  ).toEqual(["jobs, jobs, jobs", "hack"]);
});

it("where a dispatch is written counts, its agency does not", () => {
  const text = "The upper dam was opened without warning, residents complained.";
  const ofPlace = topicOf({ title: "Dam opened", summary: "", text: `PELMAR (Bay Agency) - ${text}` });
  const ofAnother = topicOf({ title: "Dam opened", summary: "", text: `PELMAR (Hill Agency) - ${text}` });
  const ofNone = topicOf({ title: "Dam opened", summary: "", text });
  expect(ofPlace).toEqual(ofAnother);
  expect(ofPlace.terms.length).toBe(ofNone.terms.length + 1);
});

it("a topic is the same after it was stored, traces of earlier releases included", () => {
  const words = fc.constantFrom(
    "Marsund",
    "drones",
    "hit",
    "depot",
    "on Friday",
    "said",
    "12,400",
    "by",
    "Monday",
    ".",
  );
  const text = fc.array(words, { maxLength: 60 }).map((all) => all.join(" "));
  fc.assert(
    fc.property(text, text, (title, body) => {
      const topic = topicOf({ title, summary: "", text: body });
      const again = unpackTopic(packTopic(topic));
      expect({ ...again, weights: null }).toEqual({ ...topic, weights: null });
      expect(packTopic(again)).toBe(packTopic(topic));
      const before = unpackTopic(packTopic(topic).split(" ").slice(0, 5).join(" "));
      expect({ ...before, weights: null }).toEqual({ ...topic, weights: null, days: 0, sexes: 0 });
    }),
  );
});

it("who is left replaces how many there were, by the same authority", () => {
  const article = (id: number, sourceId: number, hour: number, text: string) => ({
    id,
    sourceId,
    title: "Siege of Brask",
    text,
    publishedAt: new Date(NOON + hour * HOUR_MS).toISOString(),
  });
  const first = article(
    1,
    1,
    0,
    "Armed men are holding some 20 people in a bank of the old town of Brask, police said.",
  );
  const later = (text: string) => successions([first, article(2, 2, 5, text)]).map((one) => one.later.value);
  expect(later("Fourteen people have been released, and six remain in the bank in Brask, police said.")).toEqual([6]);
  // Others' count, and one that does not come from the twenty.
  expect(later("Fourteen people have been released, and six remain in the bank, the mayor said.")).toEqual([]);
  expect(later("Nine people have been released, and six remain in the bank in Brask, police said.")).toEqual([]);
});

it("a count that another gives later is the newer one, with its reason beside it, and not one of another time", () => {
  const first = statementOf("An express left the rails near Grunau on Monday, injuring 46 people, police said.");
  const newer = (text: string) => overtaking(first, statementOf(text))?.quantity.value;
  expect(newer("The injured now number 71, since many went to a doctor only at home.")).toBe(71);
  expect(newer("The injured on the railways now number 710 since January.")).toBeUndefined();
});
