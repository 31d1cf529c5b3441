import fc from "fast-check";
import { copies, overruled, pairs } from "../../../bench/judgement/verification/score.ts";
import { successions } from "../../../services/news/articles/client.ts";
import { meaningOf } from "../../../services/news/verification/reliability/reliability.ts";
import { conclude } from "../../../services/news/verification/references/outcome/conclusion.ts";
import { crossReference, references } from "../../../services/news/verification/references/cross-reference.ts";

const at = (hours: number) => new Date(Date.parse("2026-11-22T00:00:00Z") + hours * 3_600_000).toISOString();
const told = (id: number, sourceId: number, text: string, hours = id) => ({
  id,
  sourceId,
  title: "",
  summary: "",
  text,
  publishedAt: at(hours),
});

describe("the labelled set", () => {
  it.each(["tune", "held"] as const)("keeps its figures on the half to %s", (half) => {
    const { contradictions, support } = pairs(half);
    expect(contradictions.right / contradictions.shown).toBeGreaterThanOrEqual(0.9);
    expect(contradictions.right / contradictions.there).toBeGreaterThanOrEqual(0.6);
    expect(support.right / support.there).toBeGreaterThanOrEqual(0.9);
    const { missed, joined, quoted } = copies(half);
    expect(missed).toEqual([]);
    expect(joined + quoted).toBeLessThanOrEqual(1);
  });
});

it("a model's verdict that cites its sentence is overruled by no heuristics, whatever the label", () => {
  expect(overruled()).toMatchObject({ overruled: 0 });
});

describe("a claim of which nothing is found", () => {
  const kinds = fc.constantFrom("support" as const, "contradict" as const, "neutral" as const);
  const reference = fc.record({
    articleId: fc.integer({ min: 2, max: 40 }),
    storyId: fc.constantFrom("quake", "other"),
    reportId: fc.constantFrom("r1", "r2", "r3"),
    sourceId: fc.integer({ min: 1, max: 5 }),
    sourceName: fc.constant("Paper"),
    publishedAt: fc.constant(at(0)),
    reliability: fc.constantFrom("A" as const, "C" as const, "E" as const, "F" as const),
    stance: kinds,
    score: fc.integer({ min: 0, max: 100 }),
    evidence: fc.constant({ text: "", start: 0, end: 0 }),
    reasons: fc.constant<string[]>([]),
    independent: fc.boolean(),
    method: fc.constant("heuristic" as const),
  });
  it("is worth no more than one that nobody looked for: only independent support lifts", () =>
    fc.assert(
      fc.property(fc.array(reference, { maxLength: 12 }), (found) => {
        const supporters = found.filter(({ stance, independent }) => stance === "support" && independent);
        const { score, independentSources } = conclude(found);
        if (supporters.length === 0) expect(score).toBeLessThanOrEqual(50);
        if (independentSources === 0) expect(score).toBeLessThanOrEqual(50);
      }),
    ));
});

describe("a figure that was given up", () => {
  const wire = (text: string) => `ORVIK (Coast Wire) - ${text}`;
  const first = told(1, 1, wire("At least 112 people were killed in the earthquake, the fire brigade said."));
  const copy = told(2, 2, wire("At least 112 people were killed in the earthquake, the fire brigade said."));
  const later = told(5, 1, wire("The death toll of the earthquake has risen to 140."));

  it("is known by its outlet or agency, also where another outlet carries it", () => {
    const found = successions([later, copy, first]);
    expect(found.map(({ earlier, later: next }) => [earlier.articleId, earlier.value, next.value])).toEqual([
      [1, 112, 140],
      [2, 112, 140],
    ]);
    expect(successions([first, copy])).toEqual([]);
    expect(successions([first, told(5, 9, "A doctor counted 140 dead.")])).toEqual([]);
  });

  it("is never trusted above its successor, and says by what it was replaced", () => {
    const supersededBy = { articleId: 5, text: "140", value: 140, subject: "dead" };
    expect(conclude([], { supersededBy })).toMatchObject({ status: "unverified", score: 10, supersededBy });
    expect(conclude([]).score).toBe(50);
  });
});

describe("a reference", () => {
  const claim = "At least 112 people were killed in the earthquake in Serrano on Saturday.";
  const origin = { articleId: 1, storyId: "quake", reportId: "r1", sourceId: 1, credit: "coast wire" };
  const candidate = (articleId: number, text: string, more: object = {}) => ({
    articleId,
    storyId: "quake",
    reportId: `r${articleId}`,
    sourceId: articleId,
    sourceName: `Paper ${articleId}`,
    text,
    publishedAt: at(articleId),
    reliability: "F" as const,
    ...more,
  });
  const stanceOf = (text: string, more: object = {}) => references(claim, origin, [candidate(2, text, more)])[0];

  it("of the same event confirms by its figure, and only with it", () => {
    expect(stanceOf("Officials put the number of dead in Serrano at 112.")).toMatchObject({
      stance: "support",
      independent: true,
    });
    expect(stanceOf("The earthquake in Serrano brought down hundreds of houses on Saturday.")).toMatchObject({
      stance: "neutral",
    });
  });

  it("by the same agency is no second witness", () => {
    const text = "Officials put the number of dead in Serrano at 112.";
    expect(stanceOf(text, { credit: "coast wire" })).toMatchObject({ independent: false });
    expect(stanceOf(text, { reportId: "r1" })).toMatchObject({ independent: false });
  });

  it("that rests on unnamed sources earns nothing", () =>
    expect(stanceOf("An insider put the number of dead in Serrano at 112.")).toMatchObject({ stance: "neutral" }));

  it.each(["An aftershock killed 3 people in Tavros on Sunday.", "The earthquake in Tavros killed 4 people."])(
    "of another event contradicts nothing: %s",
    (text) => expect(stanceOf(text, { storyId: "other" })?.stance).not.toBe("contradict"),
  );
});

describe("of one event", () => {
  const about = (claim: string, text: string, hours: [of: number, by: number] = [1, 2]) =>
    crossReference(claim, { articleId: 1, storyId: "fire", reportId: "r1", sourceId: 1, publishedAt: at(hours[0]) }, [
      {
        articleId: 2,
        storyId: "fire",
        reportId: "r2",
        sourceId: 2,
        sourceName: "Paper",
        text,
        publishedAt: at(hours[1]),
        reliability: "C",
      },
    ]);

  it.each([
    ["Seven firefighters were injured, the hospital said.", "The depot is closed. Three firefighters were hurt."],
    [
      "The blaze began after a tanker lorry hit a pipe, Estuary Storage said.",
      "The fire was caused by welding on the roof of a tank, the fire chief said.",
    ],
    [
      "The Union for Change said that it, and not the Progress Party, had won the election.",
      "The Progress Party won the election with 43.5 percent of the vote, the commission said.",
    ],
    [
      "The reservoir stands at 81 percent of its capacity, the ministry said.",
      "The sluices were opened after the reservoir rose to 94 percent of its capacity, the energy ministry said.",
    ],
  ])("a sentence contradicts in other words: %s", (claim, text) =>
    expect(about(claim, text)).toMatchObject({ independentContradictions: 1 }),
  );

  it("what is so of some is not held against what is so of others", () =>
    expect(
      about(
        "Not all of the miners have been freed, the rescue service told the families.",
        "Rescuers brought five miners out alive; 14 others are still trapped, the rescue service said.",
      ),
    ).toMatchObject({ independentContradictions: 0 }));

  it.each([
    [
      "At least 31 people were killed when an airliner with 52 people on board crashed.",
      "The number of people killed in the crash has risen to 38. There were 52 on board.",
      "38",
    ],
    [
      "The fire has burned 2,100 hectares of forest.",
      "The fire has grown to 5,400 hectares of forest.",
      "5,400 hectares",
    ],
    ["Fourteen miners are still trapped underground.", "Six miners remain trapped underground.", "Six"],
  ])("a count that has moved on since is trusted no more than what nobody speaks of: %s", (claim, later, text) => {
    const overtaken = about(claim, later);
    expect(overtaken).toMatchObject({ independentSources: 0, independentContradictions: 0, score: 50 });
    expect(overtaken.reasons.join()).toContain(`counted since: ${text}`);
    expect(about(later.split(". ")[0]!, claim, [2, 1]).score).toBe(50);
  });
});

it("F stands with its words, and with how much record it wants", () => {
  expect(meaningOf("F", 5.5)).toBe(
    "reliability cannot be judged yet: 3 more settled claims of it are wanted, which is no mark against it",
  );
  expect(meaningOf("B", 40)).toBe("usually reliable");
});
