import fc from "fast-check";
import { beginnings, TokenScan } from "../../../core/text/words/token-scan.ts";
import { stem } from "../../../core/text/words/stem.ts";
import { hasWord, words } from "../../../core/text/words/words.ts";
import { tries } from "../../tries.ts";

const SUFFIXES = [
  "",
  "s",
  "es",
  "ies",
  "ied",
  "ed",
  "ing",
  "edly",
  "ingly",
  "y",
  "ly",
  "ational",
  "ation",
  "ator",
  "tional",
  "enci",
  "ency",
  "ancy",
  "ably",
  "ably",
  "ently",
  "izer",
  "ization",
  "alism",
  "ality",
  "ally",
  "fulness",
  "ously",
  "ousness",
  "iveness",
  "ivity",
  "ability",
  "abilities",
  "bly",
  "ogy",
  "ogies",
  "ful",
  "less",
  "ness",
  "ative",
  "alize",
  "icate",
  "ical",
  "icity",
  "ement",
  "ment",
  "sion",
  "ion",
  "e",
  "ee",
  "l",
  "ll",
  "'s",
];
const english = fc
  .tuple(
    fc.stringMatching(/^[a-z]{0,7}$/),
    fc.constantFrom(...SUFFIXES),
    fc.constantFrom("", "", "s", "ed", "ing", "ly", "y"),
  )
  .map((parts) => parts.join(""))
  .filter((word) => word !== "");

it("knows how the words of a stem begin", () => {
  const check = (word: string) => {
    expect([word, stem(word), beginnings(stem(word)).some((start) => word.startsWith(start))]).toEqual([
      word,
      stem(word),
      true,
    ]);
  };
  for (const word of "dying lying tying skis skies idly gently ugly early only singly news happiness relational sensibilities frequency flies ion using".split(
    " ",
  ))
    check(word);
  fc.assert(fc.property(english, check), { numRuns: tries(4_000) });
});

const WORDS = [
  "storm",
  "Storms",
  "HARBOUR",
  "YouTube",
  "dying",
  "die",
  "flies",
  "U.S.",
  "U.S.A.'s",
  "1,000",
  "3.5",
  "10.0.0.1",
  "b2b",
  "café",
  "cafe\u0301",
  "naïve",
  "“storm”",
  "storm’s",
  "東京",
  "soft\u00adstorm",
  "İstanbul",
  "\u212Aelvin",
  "ﬁre",
  "x",
  "_storm",
  "-",
  "—",
  "😀",
  "e.g.",
  "1,000,000.5",
];
const text = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(" ", " ", "\n", "", ".", ",", "/", " - ")), {
    maxLength: 30,
  })
  .map((parts) => parts.flat().join(""));
const asked = fc.array(
  fc.constantFrom(
    "storm",
    "harbour",
    "youtub",
    "die",
    "fli",
    "us",
    "usa",
    "1000",
    "3.5",
    "10.0.0.1",
    "b2b",
    "cafe",
    "naiv",
    "東",
    "istanbul",
    "kelvin",
    "fire",
    "x",
    "e",
    "eg",
    "1000000.5",
    "softstorm",
  ),
  { minLength: 1, maxLength: 3 },
);

it("passes over no word that has one of the tokens, and looks at each place once", () => {
  fc.assert(
    fc.property(text, asked, (given, tokens) => {
      const scan = new TokenScan(tokens),
        seen: [number, number][] = [];
      scan.eachStretch(given, (begin, end) => {
        seen.push([begin, end]);
      });
      for (const [at, [begin, end]] of seen.entries())
        expect(begin >= (seen[at - 1]?.[1] ?? 0) && end > begin).toBe(true);
      for (const { text: word, start, end } of words(given)) {
        if (!tokens.some((token) => stem(word) === token || word.startsWith(token))) continue;
        expect([word, seen.some(([from, to]) => from <= start && end <= to), scan.mayBegin(given, start)]).toEqual([
          word,
          true,
          true,
        ]);
      }
    }),
    { numRuns: tries(600) },
  );
});

it("tells whether a word stands between two blanks", () => {
  fc.assert(
    fc.property(text, text, (before, given) => {
      expect(hasWord(`${before} ${given} storm`, before.length, before.length + 1 + given.length)).toBe(
        words(given).length > 0,
      );
    }),
  );
});
