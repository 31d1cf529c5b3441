import fc from "fast-check";
import { EmbeddedDocuments } from "../../adapters/documents/embedded.ts";
import type { Clock } from "../../core/clock.ts";
import { Generation } from "../../services/news/articles/dedup/generation.ts";
import { Traces, type ArticleTrace } from "../../services/news/articles/dedup/traces.ts";
import { bands, fingerprint } from "../../services/news/articles/dedup/fingerprint.ts";
import { hashesIn } from "../../services/news/articles/dedup/sketch.ts";
import { atOnce } from "../../core/work/turns.ts";
import { groupStories, regrouped, reportOf } from "../../services/news/articles/client.ts";
import { topicOf } from "../../services/news/articles/grouping/topics/topic.ts";
import { Stories, type StoryMember } from "../../services/news/articles/dedup/stories.ts";
import { prose } from "./articles/articles-setup.ts";

const DAY_MS = 86_400_000;
const BEGIN = Date.parse("2026-11-01T12:00:00.000Z");

let documents: EmbeddedDocuments;
let now: number;
const clock: Clock = { now: () => now };
beforeEach(() => {
  documents = new EmbeddedDocuments(":memory:");
  now = BEGIN;
});
afterEach(() => documents.close());

const at = () => new Date(now).toISOString();
/** `own`: the same event in an order of words of its own, so that it is no copy. */
const report = (n: number, sourceId: number, own = false) => {
  const told = (text: string) => {
    const words = text.replace(/\d+/g, (digits) => `${String.fromCharCode(97 + (n % 26))}${digits}`).split(" ");
    return (own ? words.toReversed() : words).join(" ");
  };
  const subject = { title: `Report ${told(prose(n, 6))}`, summary: "", text: told(prose(n, 60)) };
  return { sourceId, fingerprint: fingerprint(subject), publishedAt: at(), topic: topicOf(subject) };
};
const open = () => Stories.open(documents, clock);

/** Takes one report in, as the intake does; answers its story. */
async function taken(stories: Stories, id: number, n: number, sourceId: number, own = false) {
  const trace = report(n, sourceId, own);
  const [assigned] = await stories.assign([trace]);
  const told: StoryMember & { alone: boolean } = {
    ...trace,
    id,
    storyId: assigned!.storyId,
    reportId: assigned!.reportId,
    topic: assigned!.topic,
    alone: !assigned!.hasEcho,
  };
  await stories.remember([told], assigned!.wereAlone, at());
  return assigned!;
}

it("a process that starts again knows the stories of the last days, and who is alone no longer", async () => {
  const before = await open();
  const first = await taken(before, 1, 7, 100);
  await taken(before, 2, 8, 100);
  expect(await taken(before, 5, 7, 200)).toMatchObject({ reportId: first.reportId, hasEcho: false, wereAlone: [] });
  expect(await taken(before, 3, 7, 200, true)).toMatchObject({
    storyId: first.storyId,
    hasEcho: true,
    wereAlone: [{ articleId: 1 }],
  });
  now += 2 * DAY_MS;
  const after = await open();
  expect(await taken(after, 4, 7, 300, true)).toMatchObject({ storyId: first.storyId, hasEcho: true });
  expect(await taken(after, 5, 8, 300, true)).toMatchObject({ hasEcho: true, wereAlone: [{ articleId: 2 }] });
});

it("what one process stores, another knows with its next batch", async () => {
  const [one, other] = await Promise.all([open(), open()]);
  await taken(one, 1, 1, 100);
  await taken(other, 2, 2, 100);
  for (let n = 10; n < 20; n++) {
    now += 40_000;
    const first = await taken(n % 2 ? one : other, 2 * n, n, 100);
    expect(await taken(n % 2 ? other : one, 2 * n + 1, n, 200, true)).toMatchObject({
      storyId: first.storyId,
      hasEcho: true,
      wereAlone: [{ articleId: 2 * n }],
    });
    expect(await taken(n % 2 ? one : other, 3_000 + n, n, 300)).toMatchObject({
      storyId: first.storyId,
      reportId: first.reportId,
    });
  }
});

it("traces of release 0.1.0, a record each, are known still", async () => {
  const { sourceId, publishedAt, fingerprint: print } = report(5, 100);
  await (
    await documents.collection("article_traces", { indexes: [{ fields: ["bands"] }, { fields: ["seenAt"] }] })
  ).insert({
    _id: "old",
    articleId: 9,
    sourceId,
    fingerprint: print,
    publishedAt,
    storyId: "story-old",
    alone: true,
    bands: bands(print),
    seenAt: publishedAt,
  });
  expect(await taken(await open(), 10, 5, 200)).toMatchObject({
    storyId: "story-old",
    reportId: "story-old",
  });
});

it("equal texts of one source leave one trace, and a batch one record", async () => {
  const stories = await open();
  const trace = report(3, 100);
  const storyId = (await stories.assign([trace]))[0]!.storyId;
  const told = Array.from({ length: 5 }, (_, id) => ({ ...trace, id: id + 1, storyId, alone: true }));
  await stories.remember(told, [], at());
  await stories.remember(told, [], at());
  const rows = await (await documents.collection("article_traces")).find();
  expect(rows.map(({ traces }) => traces.length)).toEqual([1]);
});

it("what nothing can be compared with any more is forgotten", async () => {
  const stories = await open();
  const first = await taken(stories, 1, 4, 100);
  now += 7 * DAY_MS;
  await stories.forget(now);
  expect(await (await documents.collection("article_traces")).count()).toBe(0);
  expect((await taken(stories, 2, 4, 200)).storyId).not.toBe(first.storyId);
});

it("a generation finds exactly what shares a band, the latest first", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 }), { maxLength: 200 }),
      fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 4 }),
      fc.constantFrom(1, 2 ** 17, 2 ** 24 + 1),
      fc.boolean(),
      (small, few, apart, isSealed) => {
        // Bands that differ in their high bits, in their low ones, or in both.
        const members = small.map((own) => own.map((band) => (band * apart) % 2 ** 32));
        const asked = few.map((band) => (band * apart) % 2 ** 32);
        const generation = new Generation();
        const traces = members.map((_, articleId): ArticleTrace => ({
          articleId,
          sourceId: 1,
          fingerprint: "",
          at: 0,
          storyId: "",
          reportId: "",
          alone: true,
        }));
        for (const [n, own] of members.entries()) generation.add(traces[n]!, [...new Set(own)]);
        if (isSealed) generation.seal();
        const found = generation.sharing(asked, Infinity);
        expect(found.map(({ articleId }) => articleId).sort((a, b) => a - b)).toEqual(
          members.flatMap((own, n) => (own.some((band) => asked.includes(band)) ? [n] : [])),
        );
        const latest = generation.sharing(asked.slice(0, 1), 1);
        expect(latest.map(({ articleId }) => articleId)).toEqual(
          asked.length ? [members.findLastIndex((own) => own.includes(asked[0]!))].filter((n) => n >= 0) : [],
        );
      },
    ),
  );
});

it("a trace is read as it was kept", () => {
  const digits = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
  const field = fc.string({ unit: fc.constantFrom(...digits), maxLength: 330 });
  const known: fc.Arbitrary<ArticleTrace> = fc.record({
    articleId: fc.maxSafeNat(),
    sourceId: fc.maxSafeNat(),
    fingerprint: fc.array(field, { minLength: 1, maxLength: 7 }).map((fields) => fields.join(".")),
    at: fc.integer({ min: -1e12, max: 4e12 }),
    storyId: fc.constantFrom("one", "two"),
    reportId: fc.constantFrom("one", "two"),
    alone: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(known, { maxLength: 40 }), fc.integer({ min: 0, max: 39 }), (all, joining) => {
      const traces = new Traces();
      for (const one of all) traces.keep(one);
      if (joining < all.length) traces.join(joining);
      const read = all.map((_, place) => {
        const { articleId, sourceId, fingerprint: print, at: when, storyId, reportId, alone } = traces.at(place);
        return { articleId, sourceId, fingerprint: print, at: when, storyId, reportId, alone };
      });
      expect(read).toEqual(all.map((one, place) => ({ ...one, alone: one.alone && place !== joining })));
    }),
  );
});

it("bands are the marks of a simhash, each by its place, and the keys of sketch and title", () => {
  const hex = (number: number) => number.toString(16).padStart(8, "0");
  fc.assert(
    fc.property(fc.nat(50), fc.nat(8), fc.nat(90), (seed, titled, words) => {
      const print = fingerprint({ title: prose(seed, titled), text: prose(seed, words) });
      const [simhash, length, keys, , , sketch = ""] = print.split(".");
      const marks = Number.parseInt(length!, 36) < 8 ? [] : simhash!.match(/.{4}/g)!.map((mark, at) => `${at}${mark}`);
      const sampled = hashesIn(sketch, 8).map(hex);
      // Texts of fifty words have four keys of their own before those of the title.
      const ofTitle = (keys!.match(/.{8}/g) ?? []).slice(Number.parseInt(length!, 36) < 50 ? 0 : 4);
      expect(bands(print)).toEqual([
        ...marks.map((mark) => Number.parseInt(mark, 16) + 1),
        ...[...sampled, ...ofTitle].map((key) => (Number.parseInt(key, 16) >>> 1) + 1),
      ]);
    }),
  );
});

it("who and where tell events of one kind apart, and bring a short report to its own", () => {
  const told = [
    [
      "rate in Karsk",
      "Inflation in Karsk quickens to 4.2 percent",
      "Consumer prices in Karsk rose 4.2 percent in October from a year earlier, the statistics office said, up from 3.6 percent in September.",
    ],
    [
      "rate in Ulmen",
      "Ulmen's inflation eases to 4.2 percent",
      "Inflation in Ulmen slowed to 4.2 percent in October from 4.8 percent in September, official figures of the statistics office showed.",
    ],
    [
      "rate in Karsk",
      "Prices climb faster than expected in Karsk",
      "Inflation in Karsk accelerated to 4.2 percent in October from 3.6 percent, the highest in a year.",
    ],
    [
      "rate in Ulmen",
      "Price rises slow in Ulmen",
      "Prices in Ulmen were 4.2 percent higher in October than a year earlier, after 4.8 percent in September.",
    ],
    [
      "spill",
      "Chemical spill turns river Lom red",
      "A spill from a dye works turned the river Lom red on Friday. The water of the Lom is not safe to drink, the health office in Stenby said.",
    ],
    ["spill", "Lom water safe, says ministry", "Water from the river Lom is safe to drink, the ministry said."],
  ] as const;
  const ids = groupStories(
    told.map(([, title, text], at) => ({
      id: at + 1,
      sourceId: at + 1,
      title,
      summary: "",
      text,
      publishedAt: new Date(BEGIN + at * 3_600_000).toISOString(),
    })),
  );
  const groups = Map.groupBy(told.keys(), (at) => ids.get(at + 1)!.storyId);
  expect([...groups.values()].map((group) => [...new Set([...group].map((at) => told[at]![0]))].join())).toEqual([
    "rate in Karsk",
    "rate in Ulmen",
    "spill",
  ]);
});

it("a headline that recurs makes no event of texts that have little in common", () => {
  const told = [
    [
      "Morning news",
      "Trams in Velm stood still on Monday after a power line came down near the depot; buses ran instead.",
    ],
    [
      "Morning news",
      "The dairy cooperative of Ostrand said it will close two of its five plants by spring and move the rest.",
    ],
    [
      "Morning news",
      "A painting stolen from the museum of Karlow eleven years ago was found in a lawyer's cellar in Brisk.",
    ],
    [
      "Morning news",
      "Rain is expected in the south until Thursday; the mountain passes stay open, the road service said.",
    ],
    ...Array.from(
      { length: 60 },
      (_, n) => [`Report ${93_000 + n}, edition 0`, `common words ${prose(n * 7, 30)}`] as const,
    ),
  ] as const;
  const ids = groupStories(
    told.map(([title, text], at) => ({
      id: at + 1,
      sourceId: at + 1,
      title,
      summary: "",
      text,
      publishedAt: new Date(BEGIN + at * 3_600_000).toISOString(),
    })),
  );
  expect(new Set([...ids.values()].map(({ storyId }) => storyId)).size).toBe(told.length);
});

describe("a run on a bank, of which a third report tells the guarantee, and a ferry aground off the same town", () => {
  const told = [
    [
      "bank",
      "Nordvik Bank halts withdrawals",
      "Nordvik Bank stopped paying out deposits on Monday after customers queued outside its branches in Halsund. The regulator said it was watching the bank closely.",
    ],
    [
      "bank",
      "Queues outside branches in Halsund",
      "Savers queued in the rain outside Nordvik Bank's branches in Halsund on Monday. Branches closed at noon, and no money was paid out.",
    ],
    [
      "bank",
      "State guarantees savings",
      "The finance ministry will guarantee deposits at Nordvik up to 100,000 crowns, minister Ida Fossum said on Monday evening. Parliament must agree to the guarantee before branches open on Tuesday.",
    ],
    [
      "ferry",
      "Ferry runs aground off Halsund",
      "A ferry with 140 people on board ran aground off Halsund on Monday. All passengers were brought ashore by lifeboats, the coastguard said.",
    ],
    [
      "ferry",
      "Passengers tell of night on stranded ferry",
      "Passengers of the stranded ferry told of hours in the dark before lifeboats came from Halsund. The coastguard is looking into why the ferry left its course.",
    ],
  ] as const;
  const reports = told.map(([, title, text], at) => ({
    id: at + 1,
    sourceId: at + 1,
    title,
    summary: "",
    text,
    publishedAt: new Date(BEGIN + at * 3_600_000).toISOString(),
  }));
  const ids = groupStories(reports);
  const grouped = reports.map((each) => ({ ...each, ...ids.get(each.id)! }));
  const eventsBy = (storyOf: (index: number) => string): string[] =>
    [...Map.groupBy(told.keys(), storyOf).values()].map((group) => [...group].map((at) => told[at]![0]).join());

  it("come in as three stories: the guarantee has other words than the queues", () =>
    expect(eventsBy((at) => grouped[at]!.storyId)).toEqual(["bank,bank", "bank", "ferry,ferry"]));

  it("are two events once all of it is known, in whatever order they are given", () => {
    for (const given of [grouped, grouped.toReversed()]) {
      const eventOf = atOnce(regrouped(given));
      expect(eventsBy((at) => eventOf.get(reportOf(grouped[at]!))!)).toEqual(["bank,bank,bank", "ferry,ferry"]);
    }
  });

  it("are two events though the intake had put all into one story", () => {
    const eventOf = atOnce(regrouped(grouped.map((each) => ({ ...each, storyId: "all" }))));
    expect(eventsBy((at) => eventOf.get(reportOf(grouped[at]!))!)).toEqual(["bank,bank,bank", "ferry,ferry"]);
  });

  it("stay one event where hundreds tell of it, so that no word of theirs is rare", () => {
    const bank = grouped.filter((_each, at) => told[at]![0] === "bank");
    const many = Array.from({ length: 300 }, (_none, at) => {
      const of = bank[at % bank.length]!;
      const publishedAt = new Date(BEGIN + at * 60_000).toISOString();
      return {
        ...of,
        id: 100 + at,
        text: `${of.text} Report ${at}.`,
        reportId: `many-${at}`,
        storyId: "many",
        publishedAt,
      };
    });
    const others = grouped.filter((each) => !bank.includes(each));
    const eventOf = atOnce(regrouped([...many, ...others]));
    expect(new Set(many.map((each) => eventOf.get(reportOf(each)))).size).toBe(1);
    expect(new Set(others.map((each) => eventOf.get(reportOf(each)))).size).toBe(1);
    expect(eventOf.size).toBe(many.length + others.length);
  });

  it("are reports by their texts: a copy is no further one", () => {
    const copies = [grouped[0]!, { ...grouped[0]!, id: 9, sourceId: 9 }];
    const own = reportOf(grouped[0]!);
    expect(atOnce(regrouped(copies))).toEqual(new Map([[own, own]]));
  });
});
