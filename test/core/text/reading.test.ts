import { readFileSync } from "node:fs";
import fc from "fast-check";
import { compareDates, dates } from "../../../core/text/statements/dates.ts";
import { names, sameName } from "../../../core/text/statements/names.ts";
import { locate } from "../../../core/text/locate.ts";
import { phraseIndex } from "../../../core/text/words/phrases.ts";
import { comparable, quantities, sameValue } from "../../../core/text/statements/figures/quantities.ts";
import { statementOf } from "../../../core/text/statements/statement.ts";
import { sentences } from "../../../core/text/words/sentences.ts";
import { baseOf } from "../../../core/text/words/stem.ts";
import { words } from "../../../core/text/words/words.ts";

const quantitiesOf = (text: string) => quantities(text, words(text), dates(text));
const only = (text: string) => {
  const found = quantitiesOf(text);
  expect(found).toHaveLength(1);
  return found[0]!;
};

it("of a table without full stops the beginning is read", () => {
  const table = Array.from({ length: 5_000 }, (_none, at) => `${at + 1} people`).join(" ");
  expect(quantitiesOf(table)).toHaveLength(40);
  const stated = statementOf(table);
  expect([stated.words.length, stated.text.endsWith("people"), stated.end]).toEqual([200, true, stated.text.length]);
});

describe("sentences", () => {
  const labelled = JSON.parse(readFileSync("test/fixtures/text/sentences.json", "utf8")) as {
    text: string;
    sentences: string[];
    split: "tune" | "held-out";
  }[];
  it.each([
    ["tune", 1],
    ["held-out", 0.87],
  ] as const)("are found as labelled: of %s at least %d of the texts", (split, floor) => {
    const judged = labelled.filter((one) => one.split === split);
    const right = judged.filter(
      ({ text, sentences: expected }) =>
        JSON.stringify(sentences(text).map((sentence) => sentence.text)) === JSON.stringify(expected),
    );
    expect(right.length / judged.length).toBeGreaterThanOrEqual(floor);
  });

  it.each<[string, string[]]>([
    ["Dr. Smith of Acme Inc. denied it. He left.", ["Dr. Smith of Acme Inc. denied it.", "He left."]],
    ["The U.S. economy grew. It fell on Jan. 5 by No. 7.", ["The U.S. economy grew.", "It fell on Jan. 5 by No. 7."]],
    ["He lives in the U.K. But not for long.", ["He lives in the U.K.", "But not for long."]],
    ["Gen. J. R. Miller spoke. So did I. Yes!", ["Gen. J. R. Miller spoke.", "So did I.", "Yes!"]],
    ["We left\nthe city. A heading\n\nNext one.", ["We left\nthe city.", "A heading", "Next one."]],
    ["It rose 3.2 percent. Why? Nobody knows…", ["It rose 3.2 percent.", "Why?", "Nobody knows…"]],
  ])("%j", (text, expected) => expect(sentences(text).map((sentence) => sentence.text)).toEqual(expected));

  it("stand where they say, in order, and lose nothing but white space", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "B", ".", "!", " ", "\n", "Dr", "é", "“", "7", "😀"), maxLength: 80 }),
        (text) => {
          const split = sentences(text);
          let end = 0;
          for (const sentence of split) {
            expect(text.slice(sentence.start, sentence.end)).toBe(sentence.text);
            expect(text.slice(end, sentence.start).trim()).toBe("");
            end = sentence.end;
            for (const word of sentence.words)
              expect(word.start >= sentence.start && word.end <= sentence.end).toBe(true);
          }
          expect(text.slice(end).trim()).toBe("");
          expect(split.flatMap((sentence) => sentence.words)).toEqual(words(text));
        },
      ),
    );
  });
});

describe("words", () => {
  it("are folded and keep their place", () => {
    const text = "Zürich’s 4,500 U.S. café-goers";
    expect(words(text).map((word) => word.text)).toEqual(["zurich", "4500", "us", "cafe", "goers"]);
    expect(words(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      "Zürich",
      "4,500",
      "U.S",
      "café",
      "goers",
    ]);
  });

  it.each([
    ["prices", "price"],
    ["reduced", "reducing"],
    ["denied", "denies"],
    ["fell", "falls"],
    ["stopped", "stopping"],
    ["settlement", "settled"],
    ["agreed", "agrees"],
    ["children", "child"],
  ])("%s and %s have one stem", (one, other) => expect(baseOf(one)).toBe(baseOf(other)));
  it.each([
    ["organ", "organise"],
    ["news", "new"],
    ["pass", "pas"],
  ])("%s and %s have not", (one, other) => expect(baseOf(one)).not.toBe(baseOf(other)));
});

describe("quantities", () => {
  it.each<[string, number, string]>([
    ["12 %", 12, "percent"],
    ["12 per cent", 12, "percent"],
    ["$3bn", 3e9, "USD"],
    ["€1,200", 1200, "EUR"],
    ["1.2 million tonnes", 1.2e9, "kg"],
    ["US$80 million", 80e6, "USD"],
    ["9 centimetres", 0.09, "m"],
    ["three days", 259_200, "s"],
    ["9.7m dollars", 9.7e6, "USD"],
    ["6,000 megawatts", 6e9, "W"],
    ["one in five", 20, "percent"],
    ["a fifth of the children", 20, "percent"],
    ["two thirds of the votes", 200 / 3, "percent"],
    ["every tenth shop", 10, "percent"],
    ["half of the seats", 50, "percent"],
    ["half a million barrels", 500_000, "barrel"],
    ["a quarter of a million euros", 250_000, "EUR"],
    ["one and a half million voters", 1_500_000, "count"],
    ["a hundred homes", 100, "count"],
    ["20 miles", 32_186.88, "m"],
    ["minus 20 °C", -20, "degree"],
  ])("%s", (text, value, unit) => {
    const found = only(`It was ${text} then`);
    expect(found.value).toBeCloseTo(value, 6);
    expect(found.unit).toBe(unit);
  });

  it('are ranges only where nothing but "to" stands between', () => {
    expect(quantitiesOf("Shares rose $2.88 to $46.50.").map(({ value, to }) => [value, to])).toEqual([
      [2.88, undefined],
      [46.5, undefined],
    ]);
    expect(only("It fell by $5 to 7 million.")).toMatchObject({ value: 5e6, to: 7e6, unit: "USD" });
  });
  it.each<[string, number, number]>([
    ["Hundreds were detained.", 200, 1_999],
    ["Hundreds of thousands of people fled.", 200_000, 1_999_000],
  ])("%s", (text, value, to) => {
    expect(only(text)).toMatchObject({ value, to, unit: "count" });
  });
  it("have no basis point for a percentage point", () =>
    expect(only("It rose by 25 basis points.")).toMatchObject({ value: 0.25, unit: "point" }));

  it("say what they count, their bounds and ranges", () => {
    expect(only("At least 38 people were killed.")).toMatchObject({
      value: 38,
      unit: "count",
      of: expect.arrayContaining(["people"]),
      bound: "over",
    });
    expect(only("about twenty-five schools closed")).toMatchObject({
      value: 25,
      of: expect.arrayContaining(["school"]),
      bound: "about",
    });
    expect(only("It fell by 5 to 7 percent.")).toMatchObject({ value: 5, to: 7, unit: "percent" });
  });

  it.each([
    "COVID-19 spread",
    "the G7 met",
    "in the 1990s",
    "at 10:30",
    "on 12 March 2024",
    "two of them left",
    "the election of 1994",
    "F-35 jets",
    "the crew of Flight 370 left",
    "tank 7 was inspected in August",
    "documents on tank 7",
    "at 10 a.m. sharp",
    "the test scores fell",
  ])("%s holds none", (text) => expect(quantitiesOf(text)).toEqual([]));

  it.each<[string, string, string]>([
    ["4,500 jobs", "4,487 jobs", "agree"],
    ["12 percent", "12.4 percent", "agree"],
    ["71 percent", "22 percent", "differ"],
    ["about 900 homes", "890 homes", "agree"],
    ["at least 38 people", "12 people", "differ"],
    ["at least 38 people", "41 people", "agree"],
    ["at least 38 people", "400 people", "unclear"],
    ["fewer than 100 homes", "900 homes", "differ"],
    ["5 to 7 percent", "6 percent", "agree"],
    ["$3bn", "3 billion dollars", "agree"],
    ["20 km", "12.4 miles", "agree"],
  ])("%s and %s: %s", (one, other, verdict) => {
    const [a, b] = [only(`It was ${one} then`), only(`It was ${other} then`)];
    expect(comparable(a, b)).toBe(true);
    expect(sameValue(a, b)).toBe(verdict);
    expect(sameValue(b, a)).toBe(verdict);
  });

  it("are compared only with their like", () =>
    expect(comparable(only("It was 12 percent then"), only("It was 12 people then"))).toBe(false));

  it("lie where they say, whatever the text", () => {
    fc.assert(
      fc.property(
        fc
          .array(
            fc.constantFrom(
              "12",
              "3.5",
              "million",
              "%",
              " ",
              "$",
              "-",
              "two",
              "in",
              "five",
              "to",
              "people",
              ",",
              "é",
              "000",
              "km",
            ),
            { maxLength: 14 },
          )
          .map((parts) => parts.join("")),
        (text) => {
          let end = 0;
          for (const one of quantitiesOf(text)) {
            expect(text.slice(one.start, one.end)).toBe(one.text);
            expect(one.start).toBeGreaterThanOrEqual(end);
            expect(Number.isFinite(one.value)).toBe(true);
            end = one.end;
          }
        },
      ),
    );
  });
});

describe("dates", () => {
  it.each<[string, object]>([
    ["on 12 March 2024", { day: 12, month: 3, year: 2024 }],
    ["on March 12, 2024", { day: 12, month: 3, year: 2024 }],
    ["on 2024-03-12", { day: 12, month: 3, year: 2024 }],
    ["in May 2023", { month: 5, year: 2023 }],
    ["in the third quarter of 2022", { quarter: 3, year: 2022 }],
    ["since 1994", { year: 1994 }],
    ["in March", { month: 3 }],
    ["on Tuesday", { weekday: 2 }],
  ])("%s", (text, fields) => {
    const found = dates(`It began ${text}.`);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject(fields);
  });

  it.each(["It may rain.", "They march on.", "2,000 people came", "It cost 1999 dollars"])("%s names none", (text) =>
    expect(dates(text)).toEqual([]),
  );

  it.each<[string, string, string]>([
    ["in March", "in January", "differ"],
    ["in March 2024", "in March", "agree"],
    ["in the first quarter", "in February", "agree"],
    ["on Monday", "on Tuesday", "differ"],
    ["in 2022", "in 2023", "differ"],
    ["on Monday", "in 2023", "unclear"],
    ["on 1 July", "on July 1", "agree"],
    ["on 1 July", "on 2 July", "differ"],
  ])("%s and %s: %s", (one, other, verdict) => {
    expect(compareDates(dates(`It began ${one}.`), dates(`It began ${other}.`))).toBe(verdict);
  });
});

describe("names", () => {
  const keys = (text: string) => names(text, words(text)).map(({ key }) => key);
  it.each<[string, string[]]>([
    ["Kenyan police met Angela Merkel.", ["kenya", "angela merkel"]],
    [
      "Police said the World Health Organization (WHO) agreed.",
      ["world health organization", "world health organization"],
    ],
    ["On Monday President Macron left for the U.S.", ["macron", "united states"]],
    ["Exports of rice rose in March.", []],
    ["He told us who came.", []],
  ])("%s", (text, expected) => expect(keys(text)).toEqual(expected));

  it.each([
    ["angela merkel", "merkel"],
    ["european central bank", "ecb"],
    ["spain", "spain"],
  ])("%s is %s", (one, other) => expect(sameName(one, other)).toBe(true));
  it.each([
    ["angela merkel", "angela davis"],
    ["spain", "sweden"],
    ["bank of england", "bank of japan"],
  ])("%s is not %s", (one, other) => expect(sameName(one, other)).toBe(false));
});

describe("the index of phrases", () => {
  const index = phraseIndex({
    a: ["so-called", "wit* hunt", "correction:", "deny", "deny everything"],
    b: ["catastroph*"],
  });
  const found = (text: string) =>
    index.find(text, words(text)).map(({ label, term, start, end }) => [label, term, text.slice(start, end)]);

  it("finds words, open endings, hyphens, colons, and the longest of a list", () => {
    expect(found("The so called hero saw a witch hunt.")).toEqual([
      ["a", "so-called", "so called"],
      ["a", "wit* hunt", "witch hunt"],
    ]);
    expect(found("Catastrophic! Correction: none. A correction.")).toEqual([
      ["b", "catastroph*", "Catastrophic"],
      ["a", "correction:", "Correction"],
    ]);
    expect(found("They deny everything")).toEqual([["a", "deny everything", "deny everything"]]);
    expect(found("They deny. Everything is fine")).toEqual([["a", "deny", "deny"]]);
  });
  it("refuses terms it could not find", () => {
    expect(() => phraseIndex({ x: ["--"] })).toThrow(/x: "--"/);
    expect(() => phraseIndex({ x: ["a*"] })).toThrow(/too short/);
  });
});

describe("a quotation", () => {
  const text =
    "“Prices  rose”, she said –\nby 5 percent in March. The harbour of the old town was closed for repairs on Monday.";
  it.each([
    ["to the letter", "by 5 percent in March"],
    ["but for quotation marks and spaces", '"prices rose", she said - by 5 percent'],
    ["but for invisible characters", "The har\u200bbour of the old"],
  ])("is found %s", (_, quote) => expect(locate(text, quote)).toBeDefined());
  it("is found as nearly the same sentence", () => {
    const place = locate(text, "The harbour of the old town was closed for repairs Monday")!;
    expect(text.slice(place.start, place.end)).toBe("The harbour of the old town was closed for repairs on Monday.");
  });
  it.each([
    ["", "nothing"],
    ["   ", "white space"],
    ["The harbour was bombed on Monday", "another sentence"],
    ["x".repeat(3000), "a flood"],
  ])("is not found where the text has none: %#", (quote) => expect(locate(text, quote)).toBeUndefined());
  it("places every piece of a text within it", () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.nat(40), (start, length) => {
        const piece = text.slice(start, start + length + 1);
        const place = locate(text, piece);
        if (piece.trim() === "") expect(place).toBeUndefined();
        else expect(text.slice(place!.start, place!.end)).toBe(piece.trim());
      }),
    );
  });
});

describe("a text without full stops", () => {
  it("is cut into pieces of two hundred words, none lost", () => {
    const text = "word and ".repeat(1_000).trim();
    const split = sentences(text);
    expect(split).toHaveLength(10);
    expect(split.flatMap((sentence) => sentence.words)).toEqual(words(text));
    expect(split.map((sentence) => sentence.text).join(" ")).toBe(text);
  });
});

it("a metre and a tonne are read by their symbols, where no million is meant", () => {
  expect(only("The Danube stands at 4.92 m at Isaccea.")).toMatchObject({ value: 4.92, unit: "m", text: "4.92 m" });
  expect(only("The wave was 3 m high.")).toMatchObject({ value: 3, unit: "m" });
  expect(only("The bridge bears 20 t.")).toMatchObject({ value: 20_000, unit: "kg" });
  expect(only("Some 5 m people fled.").unit).not.toBe("m");
  expect(only("It cost €5 m in all.").unit).toBe("EUR");
  expect(quantitiesOf("It cost EUR 5 m.")).toEqual([]);
  expect(quantitiesOf("Channel 4 M.")).toEqual([]);
  expect(only("It drew 5m viewers.").value).toBe(5_000_000);
});

it("a name of several words that stands within sentences too is whole at the head of one", () => {
  const text = "Deltatrans SRL owns the ferry.";
  const keys = (known: string[]) => names(text, words(text), new Set(known)).map(({ key }) => key);
  expect(keys(["deltatrans srl"])).toEqual(["deltatrans srl"]);
  expect(keys([])).toEqual(["srl"]);
});
