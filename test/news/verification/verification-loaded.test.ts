import fc from "fast-check";
import { corpus, isEnglish } from "../../../bench/judgement/news/corpus.ts";
import { figures, SETS } from "../../../bench/judgement/loaded/score.ts";
import type { Span } from "../../../services/news/verification/bias/analysis.ts";
import { analyseBias } from "../../../services/news/verification/bias/bias.ts";
import { verifyHeuristically } from "../../../services/news/verification/heuristic.ts";

const analysed = (text: string, title = "Council") => analyseBias({ contentId: 1, title, text });
const own = (text: string): string[] =>
  analysed(text)
    .indicators.loadedLanguage.filter(({ quoted }) => !quoted)
    .map((span) => span.text);
const voice = (text: string): string[] => analysed(text).evidence.voice.map(({ lexicon }) => lexicon);

describe("loaded words", () => {
  it.each(SETS)("are told from sober ones on the set of a stranger: %s", (set) => {
    const { area, right, found, sober, named } = figures(set);
    expect([area >= 0.97, right >= 0.92, found >= 0.84, sober <= 2, named >= 26]).toEqual(Array(5).fill(true));
  });

  it("are seldom told of plain reports", () => {
    const plain = corpus()
      .flatMap(({ articles }) => articles)
      .filter((one) => isEnglish(one) && one.root === one.key && !one.post && one.loaded.length === 0)
      .filter(({ outlet }) => !["blast", "nation", "gazette", "street"].includes(outlet));
    const told = plain.filter(({ title, text }) =>
      analysed(text, title).indicators.loadedLanguage.some(({ quoted }) => !quoted),
    );
    expect(plain.length).toBeGreaterThan(900);
    expect(told.length / plain.length).toBeLessThan(0.03);
  });

  it("are those that the lists mean: a hyphen that they have must stand, and things themselves are no words of blame", () => {
    expect(own("The bridge has been closed, and the ministry will do nothing before May.")).toEqual([]);
    expect(own("The has-been and his do-nothing council met again.")).toEqual(["has-been", "do-nothing"]);
    expect(own("The jab-happy clinic and the coup-mongers of Lusk were told to go.")).toEqual([
      "jab-happy",
      "coup-mongers",
    ]);
    expect(own("She is happy. A fishmonger and an ironmonger moved in.")).toEqual([]);
    for (const plain of [
      "Lusk lies on the coast, and the wreck is lying in nine metres of water.",
      "Three miners had crushed limbs; the lorry had slammed into a wall and smashed through a gate.",
      "Malicious software was found, a bomb hoax delayed trains, and the sanctions regime was renewed.",
      "An explosive charge went off in the blast furnace, a disaster for the town.",
      "The herd goes to the slaughterhouse; swine fever was confirmed, and malaria parasites were counted.",
    ])
      expect([plain, own(plain)]).toEqual([plain, []]);
    expect(own("Enough of their lies, and of this sham.")).toEqual(["their lies", "sham"]);
  });

  it("are somebody else's where they are passed on, with or without quotation marks", () => {
    for (const sober of [
      "Members of one party called the prime minister a traitor and a coward on Tuesday.",
      "The union described the offer as a sham, and the mayor dismissed it as pathetic.",
      "The minister said on Friday that the report was a disgraceful smear.",
      "The plan was a shambles and a disgrace, the auditor said.",
      "Residents accused the firm of greed; the firm denied it.",
    ]) {
      const { indicators, overallBiasScore } = analysed(`${sober} The council meets on 4 May.`);
      expect([sober, indicators.loadedLanguage.length > 0]).toEqual([sober, true]);
      expect([sober, indicators.loadedLanguage.every(({ quoted }) => quoted)]).toEqual([sober, true]);
      expect([sober, indicators.adHominem, overallBiasScore < 25]).toEqual([sober, false, true]);
      expect(verifyHeuristically({ contentId: 1, title: "Council", text: sober }).findings).not.toContainEqual(
        expect.objectContaining({ kind: "loaded-language" }),
      );
    }
    expect(own("We called him a traitor, and let us say that it is a sham.")).toEqual(["traitor", "sham"]);
    expect(own("The traitor and his cronies said nothing.")).toEqual(["traitor", "cronies"]);
  });

  it("are told once each, where they stand", () => {
    const piece = fc.constantFrom(
      "pearl-clutching",
      "half-truths",
      "a pack of lies",
      "so-called",
      "jab-happy",
      "and",
      ".",
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 12, maxLength: 30 }), (pieces) => {
        const text = `The council of the town met with ${pieces.join(" ")}`;
        const spans: Span[] = analysed(text).indicators.loadedLanguage.filter(({ field }) => field === "text");
        for (const [at, { start, end, text: said }] of spans.entries()) {
          expect(text.slice(start, end)).toBe(said);
          for (const other of spans.slice(at + 1)) expect(other.start >= end || other.end <= start).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("are not all: the writer is heard in commands, spoken forms, scraps of sentences and words held up", () => {
    expect(voice("Forget the council. It met.")).toContain("rule/commands-the-reader");
    expect(voice("The council didn't meet on Monday.")).toContain("rule/spoken-form");
    expect(voice("The council met. Yes, bats. It rose at nine.")).toContain("rule/fragment");
    expect(voice('The council sent its "rescue fleet" home.')).toContain("rule/held-up-in-quotation-marks");
    for (const plain of [
      "The council's mayor told members that \"it isn't over\". The session went on until nine.",
      'The mayor described the plan as "ecocide" on Monday. The council rose at nine.',
      "Nobody was hurt, and ferries sailed as usual. The road has never been closed before.",
    ])
      expect([plain, voice(plain)]).toEqual([plain, []]);
  });
});
