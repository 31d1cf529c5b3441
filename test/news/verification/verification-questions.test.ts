import fc from "fast-check";
import { lexicon } from "../../../core/text/lexicon.ts";
import { answersIn, finalOf, isAsked, otherEnd } from "../../../core/text/statements/states/questions.ts";
import { matterOf } from "../../../core/text/statements/statement.ts";
import { words } from "../../../core/text/words/words.ts";
import { Between } from "../../../services/news/verification/references/pairs/between.ts";
import { ReadArticle } from "../../../services/news/verification/references/readings.ts";
import { otherAnswer } from "../../../services/news/verification/references/slots/questions.ts";
import { tries } from "../../tries.ts";

// What an event is stands in the article: its sentences need not name it, and answer its questions in few words.

/** Of two articles that begin alike, what their last sentences answer in two ways. */
function apart(lead: string, one: string, other: string, later = 0, isWeak = false): string | undefined {
  const articles = [one, other].map((last) => new ReadArticle(`${lead} ${last}`)) as [ReadArticle, ReadArticle];
  const [claim, candidate] = articles.map((read) => matterOf(read.statement(read.sentences.length - 1)));
  return otherAnswer(claim!, candidate!, new Between(...articles), later, isWeak);
}

const BREAKOUT = "Seven inmates escaped from Krell prison on Friday.";
const WRECK = "The ferry Maristela sank off Sella on Friday.";
const FINAL = "The cup final between Brask and Kell was played on Saturday.";
const STRIKE = "Dockers in Brask have been on strike for three weeks.";

describe("two answers to one question of an event", () => {
  it.each([
    ["a way out", BREAKOUT, "They dug their way out.", "The seven left in a bread lorry."],
    ["one that is set aside", BREAKOUT, "They left through a tunnel.", "They had not left through a tunnel."],
    ["how thieves came in", "Thieves broke into a museum.", "They came through a skylight.", "They used a key."],
    ["who left first", WRECK, "The captain was the last to leave.", "The captain jumped into a raft."],
    ["whether he was sober", WRECK, "The captain was sober.", "The captain smelled of rum."],
    ["why a match ended", FINAL, "A floodlight mast swayed.", "Fans stormed the pitch."],
    ["a strike", STRIKE, "The dockers went back to work.", "The strike goes on."],
    ["a person", "A bus crashed near Palo.", "The driver survived.", "The driver lost his life."],
    ["what was told of him", "Greta Halden was on trial.", "She was led off in handcuffs.", "Halden left on bail."],
  ])("exclude each other: %s", (_what, lead, one, other) => {
    expect(apart(lead, one, other)).toContain("two answers");
    expect(apart(lead, other, one)).toContain("two answers");
  });
  it.each([
    ["where the event is another", WRECK, "They dug their way out.", "The seven left in a bread lorry."],
    ["where both say the same", BREAKOUT, "They dug their way out.", "They left through a tunnel."],
    ["where one gives both", BREAKOUT, "They left by a tunnel or in a lorry.", "They left in a bread lorry."],
    ["where one only supposes", BREAKOUT, "They may have left in a lorry.", "They dug their way out."],
    ["where one asks", BREAKOUT, "They left through a tunnel?", "They left in a bread lorry."],
    ["where it is ruled out", BREAKOUT, "A tunnel is ruled out, they left.", "They left through a tunnel."],
    ["of two persons", "A bus crashed near Palo.", "The driver survived.", "The mayor lost his life."],
    ["of another one", BREAKOUT, "A second man left in a lorry.", "They left through a tunnel."],
  ])("do not, %s", (_what, lead, one, other) => {
    expect(apart(lead, one, other)).toBeUndefined();
    expect(apart(lead, other, one)).toBeUndefined();
  });
  it("do not once hours have passed, where the answer may change", () => {
    const [back, out] = ["The dockers went back to work.", "The strike goes on."];
    expect(apart(STRIKE, out, back, 3)).toBeDefined();
    expect(apart(STRIKE, out, back, 12)).toBeUndefined();
    expect(apart(STRIKE, back, out, 12)).toBeUndefined();
  });
  it("do not where the later one is the end of it: who was alive may have died since, and not the other way round", () => {
    const [lead, alive, dead] = ["A bus crashed.", "The driver is out of danger.", "The driver died."];
    expect(apart(lead, alive, dead, 12)).toBeUndefined();
    expect(apart(lead, dead, alive, -12)).toBeUndefined();
    expect(apart(lead, dead, alive, 12)).toContain("life");
    expect(apart(lead, alive, dead, 1)).toContain("life");
  });
  it("are left to the judge where the question is weak", () => {
    const given = ["Two states signed a treaty.", "The treaty was signed.", "The treaty was not signed."] as const;
    expect(apart(...given)).toBeUndefined();
    expect(apart(...given, 0, true)).toContain("ratified");
  });
});

describe("words of questions", () => {
  const kinds = lexicon.questions.kinds as Record<
    string,
    { asks: Record<string, { ends: Record<string, string[]>; traits?: string[]; final?: string; of?: string[] }> }
  >;
  const asked = Object.entries(kinds).flatMap(([kind, { asks }]) =>
    Object.entries(asks).map(([name, question]) => [`${kind}/${name}`, question] as const),
  );
  it("have two ends or more, a final one among them, and traits that are known", () => {
    for (const [name, { ends, traits = [], final }] of asked) {
      expect(Object.keys(ends).length).toBeGreaterThan(1);
      for (const trait of traits) expect(["person", "passing", "weak"]).toContain(trait);
      for (const trait of traits) expect(isAsked(name, trait)).toBe(true);
      if (final !== undefined) expect(Object.keys(ends)).toContain(final);
      expect(finalOf(name)).toBe(final);
    }
  });
  it("belong to one end of a question", () => {
    for (const [, { ends }] of asked) {
      const forms = Object.values(ends).flat();
      expect(forms.filter((form, at) => forms.indexOf(form) !== at)).toEqual([]);
    }
  });
  it("turn only where there are two ends", () => {
    expect(otherEnd("ship/sober", "sober")).toBe("drunk");
    expect(otherEnd("prison break/way out", "tunnel")).toBeUndefined();
  });
  it("are read in any order of words, and within the sentence", () => {
    const forms = asked.flatMap(([, { ends, of = [] }]) => [...of, ...Object.values(ends).flat()]).map(plain);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...forms, "the", "not", ",", "captain"), { maxLength: 30 }), (some) => {
        const spoken = words(some.join(" "));
        for (const { first, last, question, end } of answersIn(spoken)) {
          expect(first).toBeLessThanOrEqual(last);
          expect(last).toBeLessThan(spoken.length);
          expect(Object.keys(asked.find(([name]) => name === question)![1].ends)).toContain(end);
        }
      }),
      { numRuns: tries(100) },
    );
  });
});

const plain = (form: string): string => form.replaceAll("*", "").replaceAll("…", "now");
