import fc from "fast-check";
import {
  analyseQuery,
  analyseText,
  searchedBody,
  SEARCHED_CHARACTERS,
  tokens,
} from "../../../core/text/words/analysis.ts";
import { stem } from "../../../core/text/words/stem.ts";
import { parseQuery } from "../../../core/text/searching/query-language.ts";
import { snippet, SNIPPET_LENGTH } from "../../../core/text/searching/snippet.ts";
import { fold, LONGEST_WORD, scanWords, words } from "../../../core/text/words/words.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 120 }),
  fc
    .array(
      fc.constantFrom(
        "U.S.",
        "1,000",
        "3.5",
        "O’Brien",
        "Höfn",
        "北京",
        "カ",
        "ภา",
        "ﬁ",
        "½",
        "\ufdfa",
        "a\u0301",
        "\ud800",
        "𝐛",
        "\u{e0100}",
        "-",
        ".",
        "'s",
        "_",
        "covid-19",
        " ",
        "\n",
        "<b>",
        "&",
        "é",
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join("")),
);

describe("words", () => {
  it.each<[string, string[]]>([
    ["The U.S. and the U.K.'s e.g.", ["the", "us", "and", "the", "uk", "eg"]],
    [
      "1,000,000.50 euros, 3,5 or 3.5m in 2024.Then",
      ["1000000.50", "euros", "3", "5", "or", "3.5m", "in", "2024", "then"],
    ],
    ["covid-19, O'Brien's don’t, Ukraine’s", ["covid", "19", "o", "brien", "don", "t", "ukraine"]],
    [
      "Höfn Łódź naïve ﬁne Straße ÆON İstanbul ΟΔΟΣ ёлка",
      ["hofn", "lodz", "naive", "fine", "strasse", "aeon", "istanbul", "οδοσ", "елка"],
    ],
    ["北京 iPhone手机 ｶﾞス 한국 ไทย", ["北", "京", "iphone", "手", "机", "ガ", "ス", "한", "국", "ไ", "ท", "ย"]],
    ["demo\u00adcracy Ｆｕｌｌ １２ m² 𝐛𝐨𝐥𝐝", ["democracy", "full", "12", "m2", "bold"]],
    [
      "https://example.com/x?y=1 10.0.0.1 A.B.test",
      ["https", "example", "com", "x", "y", "1", "10.0.0.1", "ab", "test"],
    ],
    ["— … !? 🌊", []],
  ])("of %j", (text, expected) => expect(words(text).map((word) => word.text)).toEqual(expected));

  it("stand in order, inside the text, on whole characters, and hold what both engines keep whole", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let last = 0;
        for (const { text: word, start, end } of words(text)) {
          expect(start >= last || start === last).toBe(true);
          expect(end > start && end <= text.length).toBe(true);
          expect(word.length > 0 && word.length <= LONGEST_WORD && word.isWellFormed()).toBe(true);
          expect(word).toMatch(/^[\p{L}\p{M}\p{N}.]+$/u);
          expect(word).not.toMatch(/\p{White_Space}/u);
          last = start;
        }
        scanWords(text, (start, end) => {
          if (text.isWellFormed()) expect(text.slice(start, end).isWellFormed()).toBe(true);
        });
      }),
      { numRuns: 2_000 },
    );
  });

  it("are the same however the text is normalised or cased", () => {
    const latin = fc.string({ unit: fc.constantFrom(..."aeiouzéüñçØł 12.-".split("")), maxLength: 40 });
    fc.assert(
      fc.property(latin, (text) => {
        const plain = words(text).map((word) => word.text);
        expect(words(text.normalize("NFD")).map((word) => word.text)).toEqual(plain);
        expect(words(text.toUpperCase()).map((word) => word.text)).toEqual(plain);
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("stems", () => {
  it.each([
    ["elections", "elect"],
    ["elected", "elect"],
    ["policies", "polici"],
    ["héros", "héros"],
    ["covid19", "covid19"],
  ])("of %s is %s", (word, expected) => expect(stem(word)).toBe(expected));

  it("keep the first two letters, but for y that becomes i: what snippets rely on", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz".split("")), minLength: 1, maxLength: 12 }),
        (word) => {
          const root = stem(word);
          expect(root[0]).toBe(word[0]);
          if (root.length > 1) expect([word[1], word[1] === "y" ? "i" : word[1]]).toContain(root[1]);
        },
      ),
      { numRuns: 5_000 },
    );
    for (const word of [
      "dying",
      "lying",
      "tying",
      "skies",
      "skis",
      "idly",
      "early",
      "only",
      "singly",
      "ties",
      "news",
      "generically",
      "us",
      "is",
    ]) {
      expect(`${word[0]}${word[1]!.replace("y", "i")}`.startsWith(stem(word).slice(0, 2).replace("y", "i"))).toBe(true);
    }
  });

  it("are the same whether their words were met before or not, in texts of every script and however many words", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 5 }),
      fc.string({ unit: fc.constantFrom(..."abceinorstyz".split("")), maxLength: 30 }),
      fc.constantFrom(
        "U.S.",
        "Élections",
        "1,000",
        "dying",
        "RUNNING",
        "it's",
        "x".repeat(24),
        "x".repeat(25),
        "x".repeat(99),
      ),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(" ")),
        (text) => {
          for (let time = 0; time < 2; time++) {
            const { tokens: found, forms } = analyseText(text);
            const given = words(text).map((word) => word.text);
            expect(found).toEqual(given.map(stem));
            expect(new Set(forms)).toEqual(new Set(given.filter((word) => stem(word) !== word)));
            expect(forms).toHaveLength(new Set(forms).size);
          }
        },
      ),
      { numRuns: 200 },
    );
    // More words than are remembered: those met first are worked out anew.
    const many = Array.from({ length: 70_000 }, (_, n) => `word${n}s`);
    for (let at = 0; at < many.length; at += 10_000)
      expect(analyseText(many.slice(at, at + 10_000).join(" ")).tokens.join(" ")).toBe(
        many.slice(at, at + 10_000).join(" "),
      );
    expect(analyseText("running harbours").tokens).toEqual(["run", "harbour"]);
  });

  it("leave the forms they hide to prefix searches", () => {
    expect(analyseText("Elections elected news")).toEqual({
      tokens: ["elect", "elect", "news"],
      forms: ["elections", "elected"],
    });
  });
});

it("searches the summary where the text does not hold it, and no more than so many characters", () => {
  expect(searchedBody({ text: "All of it is here.", summary: "All of it…" })).toBe("All of it is here.");
  expect(searchedBody({ text: "The text.", summary: "Another gist." })).toBe("Another gist.\n\nThe text.");
  expect(searchedBody({ text: "", summary: "Only this." })).toBe("Only this.");
  expect(searchedBody({ text: "x".repeat(SEARCHED_CHARACTERS + 5), summary: "" })).toHaveLength(SEARCHED_CHARACTERS);
});

describe("snippets", () => {
  const of = (q: string, body: string, more: { title?: string; source?: string; domain?: string } = {}) =>
    snippet({ title: "", source: "The Wire", domain: "energy", ...more, body }, analyseQuery(parseQuery(q).tree!));
  const filler = "Nothing of interest happened on the quay that day and nobody said a thing about it. ".repeat(8);

  it.each<[string, string, string]>([
    ['"wind farm"', "A wind farm is a farm.", "A <mark>wind farm</mark> is a farm."],
    ["storm -flood", "Storms, no drought.", "<mark>Storms</mark>, no drought."],
    ["<b> & storm", 'A <b>"storm" & more', "A &lt;<mark>b</mark>&gt;&quot;<mark>storm</mark>&quot; &amp; more"],
    ["the storm", "The storm and the sea", "The <mark>storm</mark> and the sea"],
    ["the", "The sea", "<mark>The</mark> sea"],
    ["elect*", "Elections were held by electors", "<mark>Elections</mark> were held by <mark>electors</mark>"],
    ["covid-19", "COVID-19, not covid 20", "<mark>COVID-19</mark>, not covid 20"],
    ["东京", "在东京都", "在<mark>东京</mark>都"],
    ['"a storm" | "storm surge"', "a storm surge", "<mark>a storm surge</mark>"],
    ["dying", "They die or died.", "They <mark>die</mark> or <mark>died</mark>."],
    ["us", "The U.S. said so to us", "The <mark>U.S</mark>. said so to <mark>us</mark>"],
    ["source:wire", "The wire was cut.", "The wire was cut."],
  ])("for %s of %j", (q, body, expected) => expect(of(q, body)).toBe(expected));

  it("does not mark in the text what was asked of the title", () => {
    expect(of("title:storm wind", "The storm and the wind", { title: "Storm" })).toBe(
      "The storm and the <mark>wind</mark>",
    );
  });

  it("marks only the alternatives that made the article match", () => {
    expect(of("(storm flood) | drought", "storm and drought")).toBe("storm and <mark>drought</mark>");
    expect(of("(storm flood) | drought", "storm and drought", { title: "Flood" })).toBe(
      "<mark>storm</mark> and <mark>drought</mark>",
    );
  });

  it("shows the window that holds the most of the query, cut at words", () => {
    const shown = of("storm harbour", `${filler}A storm came. ${filler}The storm hit the harbour. ${filler}`);
    expect(shown).toContain("The <mark>storm</mark> hit the <mark>harbour</mark>.");
    expect(shown).toMatch(/^…\S.*\S…$/);
    const plain = shown.replace(/<\/?mark>/g, "").slice(1, -1);
    expect(plain.length).toBeGreaterThan(SNIPPET_LENGTH * 0.6);
    expect(plain.length).toBeLessThanOrEqual(SNIPPET_LENGTH);
    expect(` ${filler} The storm hit the harbour. ${filler} `).toContain(` ${plain.split(" ")[0]} `);
  });

  it("begins with the title where that alone matched, its matches marked", () => {
    const led = of("storm", filler, { title: "Storms & floods in the north" });
    expect(led).toMatch(/^<mark>Storms<\/mark> &amp; floods in the north — Nothing of interest .*…$/);
    expect(led.replace(/<[^>]+>/g, "").length).toBeLessThan(300);
    expect(of('"floods in the north" title:storm -rain', filler, { title: "Storms & floods in the north" })).toMatch(
      /^<mark>Storms<\/mark> &amp; <mark>floods in the north<\/mark> — Nothing/,
    );
    expect(of("storm", "", { title: "Storm" })).toBe("<mark>Storm</mark>");
    expect(of("storm", filler, { title: `${"Long title ".repeat(60)}storm` })).toMatch(/^…Long .*<mark>storm<\/mark>$/);
  });

  it("begins at the beginning where neither text nor title matched", () => {
    expect(of("source:wire", filler, { title: "Storm" })).toMatch(/^Nothing of interest .*…$/);
  });

  it("leaves the title alone where the text has matches", () => {
    expect(of("storm", "A storm came.", { title: "Storm" })).toBe("A <mark>storm</mark> came.");
  });

  it("is always escaped text of the article with whole marks, of bounded length", () => {
    const query = fc.constantFrom(
      "storm",
      '"北京"',
      "us",
      '"a b" | é',
      "fi* -covid",
      "title:x 3.5",
      "covid-19 1000",
      "o'brien | höfn",
    );
    fc.assert(
      fc.property(
        query,
        fc.array(anyText, { maxLength: 8 }).map((parts) => parts.join(" storm ")),
        (q, body) => {
          const shown = of(q, body);
          const plain = shown.replace(/<mark>|<\/mark>/g, "");
          expect(plain).not.toMatch(/[<>"']/);
          expect(shown.split(/<mark>[^<]*<\/mark>/).join("")).not.toContain("mark>");
          const text = plain
            .replace(/&lt;/g, "<")
            .replace(/&gt;/g, ">")
            .replace(/&quot;/g, '"')
            .replace(/&#39;/g, "'")
            .replace(/&amp;/g, "&");
          expect(body.replace(/\s+/g, "")).toContain(text.replace(/^…|…$/g, "").replace(/\s+/g, ""));
          expect(text.length).toBeLessThanOrEqual(SNIPPET_LENGTH + 2);
          for (const [, marked] of shown.matchAll(/<mark>([^<]*)<\/mark>/g))
            expect(tokens(marked!).length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
