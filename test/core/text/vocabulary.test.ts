import fc from "fast-check";
import { stem } from "../../../core/text/words/stem.ts";
import { FORM, Vocabulary } from "../../../core/text/words/vocabulary.ts";
import { words } from "../../../core/text/words/words.ts";
import { tries } from "../../tries.ts";

const WORDS = [
  "storm",
  "Storms",
  "HARBOURS",
  "a",
  "U.S",
  "U.S.A.'s",
  "1,000",
  "3.5",
  "2024",
  "10.0.0.1",
  "b2b",
  "2nd",
  "café",
  "cafe\u0301",
  "e\u0301",
  "“storms”",
  "storms’s",
  "storm’s",
  "東京",
  "soft\u00adstorm",
  "İstanbul",
  "ﬁre",
  "x",
  "_storm",
  "-",
  "😀",
  "1,000,000.5",
  "abcdefghijklmnopqrstuvwx",
  "abcdefghijklmnopqrstuvwxy",
  "abcdefghijklmnopqrstuvwxyzabcd",
  "abcd",
  "abcde",
  "abcdefgh",
  "running",
];
const text = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...WORDS) }, fc.stringMatching(/^[a-dA-D0-9]{1,9}$/)),
      fc.constantFrom(" ", " ", "\n", "", ".", ",", "'s ", "’", "/", " - "),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.flat().join(""));

/** What analysing a text gives, worked out word by word. */
const naive = (given: string) =>
  words(given).map(({ text: word }) => [stem(word), stem(word) === word ? undefined : word + FORM]);
function analysed(vocabulary: Vocabulary, given: string) {
  const count = vocabulary.analyse(given);
  return Array.from({ length: count }, (_, at) => [
    vocabulary.terms[vocabulary.found[2 * at]!],
    vocabulary.terms[vocabulary.found[2 * at + 1]!],
  ]);
}

it("gives the words of any text with their roots, met before or not", () => {
  const vocabulary = new Vocabulary();
  fc.assert(
    fc.property(text, (given) => {
      const right = naive(given);
      expect([given, analysed(vocabulary, given)]).toEqual([given, right]);
      expect(analysed(vocabulary, given)).toEqual(right);
    }),
    { numRuns: tries(500) },
  );
  expect(new Set(vocabulary.terms).size).toBe(vocabulary.terms.length);
});

it("goes on rightly when it is full, and says so", () => {
  const vocabulary = new Vocabulary(),
    count = 70_000;
  const word = (at: number) => `w${at.toString(36)}`;
  for (let from = 0; from < count; from += 1_000)
    vocabulary.analyse(Array.from({ length: 1_000 }, (_, at) => word(from + at)).join(" "));
  expect(vocabulary.isFull).toBe(true);
  for (const given of [`${word(5)} ${word(count - 1)} storms`, "new words and old ones", `${word(count - 1)}`])
    expect(analysed(vocabulary, given)).toEqual(naive(given));
});

it("ranks its terms in the order JavaScript compares strings, whenever it is asked", () => {
  const term = fc.string({ unit: fc.constantFrom("a", "b", "é", "~", "風", "😀", "\uffff"), maxLength: 10 });
  fc.assert(
    fc.property(fc.array(fc.array(term, { maxLength: 12 }), { maxLength: 6 }), (rounds) => {
      const vocabulary = new Vocabulary();
      for (const terms of rounds) {
        for (const one of terms) vocabulary.idOf(one);
        const ranks = vocabulary.ranks(),
          sorted = [...vocabulary.terms].sort();
        expect(
          vocabulary.terms.map((one, id) => [sorted[ranks[id]!], vocabulary.terms[vocabulary.ranked(ranks[id]!)!]]),
        ).toEqual(vocabulary.terms.map((one) => [one, one]));
        const { spelled, begins } = vocabulary;
        const spelling = (id: number) => Buffer.from(spelled.subarray(begins[id], begins[id + 1])).toString();
        expect(vocabulary.terms.map((_, id) => spelling(id))).toEqual(vocabulary.terms);
      }
    }),
    { numRuns: tries(60) },
  );
});
