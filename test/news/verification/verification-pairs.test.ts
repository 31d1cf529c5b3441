import fc from "fast-check";
import { ReadArticle } from "../../../services/news/verification/references/readings.ts";
import { Between, tokensOf } from "../../../services/news/verification/references/pairs/between.ts";
import { sumsOf, type Tree } from "../../../services/news/verification/references/pairs/forest.ts";
import { judgedBy } from "../../../services/news/verification/references/pairs/judge.ts";
import { references, type Reference } from "../../../services/news/verification/references/cross-reference.ts";
import { stance } from "../../../services/news/verification/references/stance.ts";

interface Told {
  text: string;
  at?: string;
}

/** What an article says of the first sentence of another one of its story. */
function saidOf(claim: Told, other: Told, storyId = "floods"): Reference | undefined {
  const [sentence] = new ReadArticle(claim.text).sentences;
  const candidate = {
    articleId: 2,
    storyId,
    reportId: "b",
    sourceId: 2,
    sourceName: "Harbour Post",
    text: other.text,
    publishedAt: other.at ?? "2026-03-02T12:00:00Z",
    reliability: "B" as const,
  };
  const origin = {
    articleId: 1,
    storyId: "floods",
    reportId: "a",
    sourceId: 1,
    publishedAt: claim.at ?? "2026-03-02T11:00:00Z",
    text: claim.text,
  };
  return references(sentence!.text, origin, [candidate])[0];
}

const bothWays = (one: string, other: string): (string | undefined)[] => [
  saidOf({ text: one }, { text: other })?.stance,
  saidOf({ text: other }, { text: one })?.stance,
];
const byRules = (one: string, other: string) => stance(one, other, { event: "same" }).stance;

describe("the learned judge beside the rules", () => {
  const GUSTS = [
    "Gusts of up to 131 kilometres an hour were measured at the pier, the weather office said.",
    "At the pier the storm peaked at 149 kilometres an hour, by the harbour's own gauge.",
  ] as const;

  it("finds figures of one thing that are told in other words, and says what both speak of", () => {
    expect(byRules(...GUSTS)).toBe("neutral");
    expect(bothWays(...GUSTS)).toEqual(["contradict", "contradict"]);
    const { reasons, method } = saidOf({ text: GUSTS[0] }, { text: GUSTS[1] })!;
    expect(reasons[0]).toBe("different figure: 131 kilometres against 149 kilometres");
    expect(reasons.join("; ")).toMatch(/both speak of .*pier.*likely to exclude each other/);
    expect(method).toBe("heuristic");
  });

  it("holds nothing against the background of another event", () => {
    for (const [one, other] of [
      [
        "A similar storm left 90,000 households in the dark.",
        "The storm left 40,000 households in the dark on Friday, the grid operator said.",
      ],
      [
        "The season's largest landslide so far, in January, buried 14 houses.",
        "The landslide buried 31 houses on Friday, the mayor said.",
      ],
      ["In August a bomb outside the barracks killed six soldiers.", "By Saturday evening, 22 people had died."],
    ] as const) {
      expect(bothWays(one, other)).not.toContain("contradict");
    }
  });

  it("doubts what rules alone take for a contradiction", () => {
    for (const [one, other] of [
      [
        "The ward has been closed and its 26 beds moved to the east wing.",
        "Nobody moved him, and breakfast came as usual.",
      ],
      ["The Minister sent 4,000 tents and a personal letter.", "What is missing is not tents."],
    ] as const) {
      expect(byRules(one, other)).toBe("contradict");
      expect(bothWays(one, other)).toEqual(["neutral", "neutral"]);
    }
  });

  it("knows that a bridge that stands has not been swept away, and that a port is open or shut", () => {
    for (const [one, other] of [
      ["The bridge at Ostrel is still in place.", "The old bridge at Ostrel was swept away by the flood on Friday."],
      ["The port of Marrow is open to all ships.", "Marrow's port was shut on Saturday, and ships turned away."],
    ] as const)
      expect(bothWays(one, other)).not.toContain("support");
  });

  it("takes a larger loss that is told later for the same one, grown", () => {
    const early = {
      text: "Damage from the storm in Bracken was put at 40 million crowns by the county.",
      at: "2026-03-02T10:00:00Z",
    };
    const later = {
      text: "Damage from the storm in Bracken comes to 90 million crowns, insurers said.",
      at: "2026-03-02T19:00:00Z",
    };
    expect(saidOf(early, later)).toMatchObject({ stance: "neutral", reasons: ["counted since: 90 million"] });
    expect(saidOf(later, early)).toMatchObject({ stance: "neutral", reasons: ["counted at another time"] });
  });

  it("takes a count under way for the same one, and a supposition for no statement", () => {
    const early = {
      text: "With 23 per cent of polling stations counted, Brask led Holm by 52 per cent to 48, the commission said.",
      at: "2026-03-02T20:00:00Z",
    };
    const later = {
      text: "Brask led Holm by 40,000 votes with 71 percent of precincts reporting, officials said.",
      at: "2026-03-02T23:00:00Z",
    };
    for (const said of [saidOf(early, later), saidOf(later, early)])
      expect(said).not.toMatchObject({ stance: "contradict" });
    expect(
      bothWays("The governor has not resigned and will not.", "A resignation would bring an election within 60 days."),
    ).not.toContain("contradict");
  });

  it("confirms nothing by another rate, another day or another count", () => {
    for (const [one, other] of [
      [
        "Unemployment in Northmark stayed at 4.2 percent in October, the labour office said.",
        "Annual inflation in Northmark eased to 4.2 percent in October, the statistics office said.",
      ],
      ["The delegations will meet again on Thursday.", "A further meeting of the delegations is planned for Tuesday."],
      ["Two volunteers died of swelling of the brain.", "Three volunteers had died from brain swelling."],
    ] as const) {
      expect(bothWays(one, other)).not.toContain("support");
    }
  });

  it("confirms what another outlet says in other words", () => {
    const [one, other] = [
      "Burglars stole eleven paintings from the gallery in Brask on Friday night, police said.",
      "Thieves took eleven canvases from the museum in Brask overnight, police said.",
    ];
    expect(byRules(one!, other!)).not.toBe("support");
    expect(bothWays(one!, other!)).toEqual(["support", "support"]);
  });

  it("judges nothing across stories, nor in another language, nor what asks", () => {
    expect(saidOf({ text: GUSTS[0] }, { text: GUSTS[1] }, "elsewhere")?.stance).not.toBe("contradict");
    expect(
      saidOf({ text: GUSTS[0] }, { text: "Am Pier erreichte der Sturm 149 Kilometer in der Stunde, so der Hafen." })
        ?.stance,
    ).not.toBe("contradict");
    expect(
      saidOf({ text: GUSTS[0] }, { text: "Did the storm peak at 149 kilometres an hour at the pier?" })?.stance,
    ).not.toBe("contradict");
  });

  it("shows a post the sentence that it may mean, and no more", () => {
    const post = "my uncle says the ferry hit rocks and sailors jumped";
    const report = "The vessel struck a reef and its crew leapt into the sea. Nobody knows why.";
    expect(saidOf({ text: post }, { text: report }, "wrecks")).toMatchObject({
      stance: "neutral",
      reasons: [expect.stringMatching(/^it may speak of the same: .*ferry \(vessel\)/)],
    });
  });
});

describe("what must hold of every judgement", () => {
  const SENTENCES = [
    "The dam above Orm broke at noon on Friday and killed 14 people.",
    "Nobody was hurt when the dam above Orm broke, the operator said.",
    "The operator denied that the dam above Orm had been unsafe.",
    "About 4,000 people joined the rally in Dorn, police said.",
    "Organisers counted 9,500 demonstrators at the rally in Dorn.",
    "Mira Tosk won the election in Varnia with 51.2 percent of the vote.",
    "The court in Varnia sentenced him to six years in prison.",
    "The bank raised its key rate by half a percentage point.",
  ];

  it("no sentence contradicts itself", () => {
    for (const text of SENTENCES) expect(saidOf({ text }, { text })?.stance).not.toBe("contradict");
  });

  it("two exclude each other whichever of them is the claim", () => {
    for (const one of SENTENCES)
      for (const other of SENTENCES) {
        const [there, back] = bothWays(one, other);
        expect([one, other, there === "contradict"]).toEqual([one, other, back === "contradict"]);
      }
  });

  it("likelihoods add up, and a model is read as it is written", () => {
    const model = { features: ["low"], base: [0, 0, 0, 0], trees: [[0, [0, 0.5, -1, 1] as const, 0, 0]] };
    const { agree, exclude, succeed } = judgedBy(model, { low: 0.5 });
    expect(agree).toBeCloseTo(Math.exp(-1) / (3 + Math.exp(-1)));
    expect(exclude).toBe(succeed);
    expect(judgedBy(model, { low: 0.6 }).agree).toBeCloseTo(Math.E / (3 + Math.E));
  });

  it("trees of any form are walked as they are written", () => {
    const features = ["a", "b", "c"];
    const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.integer({ min: -9, max: 9 }),
        fc.tuple(fc.nat(2), fc.integer({ min: -3, max: 3 }), tie("tree"), tie("tree")),
      ),
    }));
    const valueOf = (one: Tree, values: readonly number[]): number =>
      typeof one === "number" ? one : valueOf(values[one[0]]! <= one[1] ? one[2] : one[3], values);
    const rounds = fc.array(fc.tuple(tree, tree, tree, tree), { maxLength: 4 });
    fc.assert(
      fc.property(rounds, fc.tuple(...features.map(() => fc.integer({ min: -4, max: 4 }))), (trees, values) => {
        const sums = sumsOf({ features, base: [1, 2, 3, 4], trees }, { a: values[0]!, b: values[1]!, c: values[2]! });
        expect(sums).toEqual(
          [1, 2, 3, 4].map((start, kind) => trees.reduce((sum, round) => sum + valueOf(round[kind]!, values), start)),
        );
      }),
    );
  });

  it("of endless sentences and articles only so much is held against others", () => {
    const endless = new ReadArticle(`The dam ${"and the river flooded the village ".repeat(2_000)}broke.`);
    expect(tokensOf(endless.statement(0)).length).toBeLessThanOrEqual(60);
    const long = new ReadArticle("The dam broke. ".repeat(500));
    const held = new Between(endless, long);
    expect(held.nearest(0, 1_000).length).toBeLessThanOrEqual(40);
  });
});

test("whoever only asks whether something happened contradicts nobody", () => {
  const nobody = "No one has been evacuated from Little Duneh, the mayor told us, and no one has asked to be.";
  expect(bothWays(nobody, "She was asked whether she had seen it.")).not.toContain("contradict");
  expect(
    bothWays(nobody, "In the gallery children asked whether anybody would be evacuated from Little Duneh."),
  ).not.toContain("contradict");
});
