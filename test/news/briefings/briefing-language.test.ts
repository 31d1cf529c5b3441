import { assertionOf, denies, supports } from "../../../services/news/briefings/stories/assertion.ts";
import { escapeMarkdown, linkTarget } from "../../../services/news/briefings/render/markdown.ts";
import { plain } from "../../../core/text/plain.ts";
import { terms } from "../../../core/text/words/terms.ts";
import { numbersIn } from "../../../core/text/statements/figures/numerals.ts";
import { comparable, compatible, figuresIn } from "../../../services/news/briefings/figures/figures.ts";
import {
  quotable,
  sentencesOf,
  standing,
  withoutDateline,
} from "../../../services/news/briefings/writing/sentences.ts";

describe("sentences", () => {
  test.each([
    [
      "Dr. Smith met Gen. Adams at 5 p.m. on Monday. They left.",
      ["Dr. Smith met Gen. Adams at 5 p.m. on Monday.", "They left."],
    ],
    ["Mr. J. P. Doe paid $3.5 million. The U.N. agreed.", ["Mr. J. P. Doe paid $3.5 million.", "The U.N. agreed."]],
    ["He lives in the U.S. She does not.", ["He lives in the U.S.", "She does not."]],
    ["“Stop!” she said. Nobody did.", ["“Stop!” she said.", "Nobody did."]],
    [
      "It happened on Jan. 7 in the town. Was No. 4 involved? No. It was not.",
      ["It happened on Jan. 7 in the town.", "Was No. 4 involved?", "No.", "It was not."],
    ],
    ["Acme Inc. said so. Acme Inc. Said nothing.", ["Acme Inc. said so.", "Acme Inc.", "Said nothing."]],
    [
      "One line that is\nwrapped at the margin.\nA new line.\n\nA paragraph",
      ["One line that is wrapped at the margin.", "A new line.", "A paragraph"],
    ],
    ["水蒸気を検出した。観測は続く。", ["水蒸気を検出した。", "観測は続く。"]],
    ["", []],
  ])("%j", (text, expected) => expect(sentencesOf(text, 20)).toEqual(expected));

  test("of a long text only the beginning is read, and the sentence that the cut runs through is left out", () => {
    const text = `${"A sentence of some length stands here. ".repeat(400)}`;
    const found = sentencesOf(text, 1_000);
    expect(found.length).toBeLessThan(300);
    expect(new Set(found)).toEqual(new Set(["A sentence of some length stands here."]));
  });

  test("datelines of agencies go, what follows stays word for word", () => {
    expect(withoutDateline("HARWICK, March 2 (Meridian Wire) - Two ships sank.")).toBe("Two ships sank.");
    expect(withoutDateline("NEW YORK (AP) — Shares fell.")).toBe("Shares fell.");
    expect(withoutDateline("(Reuters) - Shares fell.")).toBe("Shares fell.");
    expect(withoutDateline("NATO and the UN met - without result.")).toBe("NATO and the UN met - without result.");
  });

  test("page furniture, fragments and truncated ends are not quoted", () => {
    for (const text of [
      "Read more about the port of Harwick here.",
      "Sign up for our newsletter to learn about the harbour.",
      "The figure was the highest since […]",
      "The port was closed for the rest of…",
      "and the port was closed for a week.",
      "Too short.",
    ])
      expect(quotable(text)).toBe(false);
    for (const text of [
      "About Nordvind: Nordvind is a leading provider of offshore wind.",
      "Media contacts: Ann Holm of the press office takes calls until six.",
    ])
      expect(quotable(text)).toBe(false);
    expect(quotable("About 40 people were hurt: six of them seriously.")).toBe(true);
    expect(quotable("The port of Harwick was closed for a week.")).toBe(true);
  });

  test("sentences that lean on another one, or speak to the reader, stand less well alone", () => {
    const full = standing("The port of Harwick was closed for a week after the explosion.");
    for (const text of [
      "He was closed in the port of Harwick for a week, witnesses said.",
      "However, the port of Harwick was closed for a week on Monday.",
      "Was the port of Harwick closed for a week after the explosion?",
      "I saw that the port of Harwick was closed for a whole week.",
      "Visit https://evil.example for the port of Harwick and its news.",
    ]) {
      expect(standing(text)).toBeLessThan(full);
    }
  });
});

test("invisible characters and overrides are removed, white space collapses, joiners that scripts need stay", () => {
  expect(plain(" a\u202eb\u200bc\u0000\t\r\n d\u2028e \u00ad")).toBe("abc d e");
  expect(plain("می\u200cخواهم")).toBe("می\u200cخواهم");
});

test("words that mean the same meet in one term, function words and bare numbers are none", () => {
  expect(new Set(terms("killed killing kills kill")).size).toBe(1);
  expect(new Set(terms("injury injuries")).size).toBe(1);
  expect(new Set(terms("explosion explosions")).size).toBe(1);
  expect(terms("The 12 ships of the Café’s fleet, 3.5 of them in the U.S.")).toEqual(["ship", "cafe", "fleet", "us"]);
  expect(terms("準惑星")).toEqual(["準惑", "惑星"]);
});

describe("quantities", () => {
  const read = (text: string) => figuresIn(text).map(({ subject, low, high, phrase }) => [subject, low, high, phrase]);

  test("what one thing is called is no count", () => {
    expect(read("Striker number 18 scored in the second half.")).toEqual([]);
    expect(read("Bus No. 12 injured three people.")).toEqual([["injuries", 3, 3, expect.any(String)]]);
    expect(read("The dead of the crash now number 12.")).toEqual([["deaths", 12, 12, expect.any(String)]]);
  });
  test.each([
    [
      "At least 20 people were killed and 140 injured.",
      [
        ["deaths", 20, Infinity, "At least 20 people were killed"],
        ["injuries", 140, 140, "140 injured"],
      ],
    ],
    ["The death toll rose to 23 on Tuesday.", [["deaths", 23, 23, "death toll rose to 23"]]],
    [
      "Toll of Lake Sula ferry disaster reaches 58",
      [["deaths", 58, 58, "Toll of Lake Sula ferry disaster reaches 58"]],
    ],
    [
      "The number of dead in Friday's ferry disaster on the lake rose to 58 on Sunday.",
      [["deaths", 58, 58, "number of dead in Friday's ferry disaster on the lake rose to 58"]],
    ],
    [
      "One hundred and twelve people are now known to have died.",
      [["deaths", 112, 112, "One hundred and twelve people are now known to have died"]],
    ],
    ["Seven soldiers were killed, including two officers.", [["deaths", 7, 7, "Seven soldiers were killed"]]],
    ["Hundreds were detained.", [["arrests", 200, 1_999, "Hundreds were detained"]]],
    [
      "Officials said 3,200 residents had been evacuated.",
      [["people displaced", 3_200, 3_200, "3,200 residents had been evacuated"]],
    ],
    [
      "About 1.8 million employees were affected.",
      [["noun:employee", 1_620_000, 1_980_000, "About 1.8 million employees"]],
    ],
    ["The company invests $14 billion.", [["amount in dollars", 13.5e9, 14.5e9, "$14 billion"]]],
    ["Up to 300 flights were cancelled.", [["noun:flight", 0, 300, "Up to 300 flights"]]],
    ["A 6.5-magnitude earthquake struck.", [["magnitude", 6.45, 6.55, "6.5-magnitude"]]],
    ["The crew of Flight 370 left on 8 March 2014 at 5:30 p.m. with a 45-year-old pilot after 2 hours.", []],
    ["The bank kept its rate at 3.25 percent.", [["percentage", 3.245, 3.255, "3.25 percent"]]],
  ])("%s", (text, expected) => {
    const found = read(text);
    expect(found.map(([subject, , , phrase]) => [subject, phrase])).toEqual(
      expected.map(([subject, , , phrase]) => [subject, phrase]),
    );
    for (const [index, [, low, high]] of expected.entries()) {
      expect(found[index]![1]).toBeCloseTo(low as number, 6);
      if (high !== Infinity) expect(found[index]![2]).toBeCloseTo(high as number, 6);
      else expect(found[index]![2]).toBe(Infinity);
    }
  });

  const pair = (a: string, b: string) => [figuresIn(a)[0]!, figuresIn(b)[0]!] as const;
  test("figures exclude each other only where no number fits both", () => {
    expect(compatible(...pair("12 dead in blast", "At least 20 people were killed"))).toBe(false);
    expect(compatible(...pair("12 dead in blast", "At least 10 people were killed"))).toBe(true);
    expect(compatible(...pair("About 20 people died", "21 people died"))).toBe(true);
    expect(compatible(...pair("Dozens were killed", "35 people were killed"))).toBe(true);
    expect(compatible(...pair("Three million employees were told", "3.2 million employees were told"))).toBe(true);
  });
  test("percentages are compared only in like company, large counts of one noun always", () => {
    expect(
      comparable(
        ...pair(
          "Wheat futures rose 4.1 percent on Monday.",
          "The port handles about 40 percent of the country's wheat exports.",
        ),
      ),
    ).toBe(false);
    expect(
      comparable(
        ...pair(
          "The central bank kept its policy rate at 3.25 percent.",
          "The central bank's policy rate stays at 3.5 percent.",
        ),
      ),
    ).toBe(true);
    expect(
      comparable(...pair("About 1.8 million employees were affected.", "The filing counts 2.6 million employees.")),
    ).toBe(true);
    expect(comparable(...pair("11 ships wait outside.", "40 ships were built in 1990."))).toBe(false);
  });
  test("numbers of a text are read in digits and words, plain and scaled", () => {
    expect(numbersIn("Two of 1,200 men paid $3.5 billion")).toEqual([2, 1_200, 3.5, 3.5e9]);
  });
});

describe("sentences against each other", () => {
  const against = (a: string, b: string, relation: typeof denies) => relation(assertionOf(a), assertionOf(b));
  test("a denial meets what it denies", () => {
    expect(
      against(
        "Norgrain said the extraction system had not been switched off at any time.",
        "Dust extraction at the terminal had been switched off since December.",
        denies,
      ),
    ).toBe(true);
    expect(
      against(
        "There was no indication of a deliberate act.",
        "The explosion was a deliberate act, said a former officer.",
        denies,
      ),
    ).toBe(true);
    expect(
      against("The ministry denied that troops had crossed the border.", "Troops crossed the border at dawn.", denies),
    ).toBe(true);
  });
  test("a negation of something else is no denial", () => {
    expect(
      against(
        "The server had not received a patch published in November.",
        "The server was patched on 19 February after attackers had entered.",
        denies,
      ),
    ).toBe(false);
    expect(
      against("Nine in ten patients had not been vaccinated.", "The outbreak has reached 412 cases.", denies),
    ).toBe(false);
    expect(
      against(
        "The extraction system had not been switched off.",
        "The extraction system was not switched off.",
        denies,
      ),
    ).toBe(false);
  });
  test("a sentence supports another only with all its figures and the same negations", () => {
    const said = assertionOf("The river reached 6.5 metres in Tannberg on Monday.");
    expect(supports(assertionOf("In Tannberg the river reached 6.5 metres."), said)).toBe(true);
    expect(supports(assertionOf("In Tannberg the river reached 6.2 metres."), said)).toBe(false);
    expect(supports(assertionOf("In Tannberg the river never reached 6.5 metres."), said)).toBe(false);
  });
});

describe("Markdown", () => {
  test.each([
    [
      "Oil rose 2.3 percent to $81.50 (Brent) - traders' fears; U.S. stocks: up!",
      "Oil rose 2.3 percent to $81.50 (Brent) - traders' fears; U.S. stocks: up!",
    ],
    [
      "[x](y) ![z](w) *a* _b_ `c` ~d~ | <e> &amp; \\",
      "\\[x\\](y) !\\[z\\](w) \\*a\\* \\_b\\_ \\`c\\` \\~d\\~ \\| \\<e\\> \\&amp; \\\\",
    ],
    ["Mayor & council, R&D, AT&T; &#38; &eacute", "Mayor & council, R&D, AT\\&T; \\&#38; \\&eacute"],
    ["# a #", "\\# a \\#"],
    ["1. a", "1\\. a"],
    ["2026) a", "2026\\) a"],
    ["- a", "\\- a"],
    ["+ a", "\\+ a"],
    ["===", "\\==="],
    ["3.5 points", "3.5 points"],
    ["http://a.example a@b.example", "http\\://a\\.example a\\@b\\.example"],
    ["one\n# two\r\n\r\nthree", "one # two three"],
  ])("%j is written as %j", (text, expected) => expect(escapeMarkdown(text)).toBe(expected));

  test.each([
    ["https://a.example/x?b=1&c=2#d", "https://a.example/x?b=1\\&c=2#d"],
    ["HTTP://A.example", "http://a.example/"],
    ["https://a.example/(x)_[y]", "https://a.example/%28x%29%5F%5By%5D"],
    ["ftp://a.example/x", null],
    ["mailto:a@b.example", null],
    ["javascript://a.example/%0aalert(1)", null],
    ["data:text/html,x", null],
    ["//a.example/x", null],
    ["a.example", null],
    ["https://", null],
    ["https://u:p@a.example/", null],
    ["", null],
  ])("the link to %j is %j", (url, expected) => expect(linkTarget(url)).toBe(expected));
});
