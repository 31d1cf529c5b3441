import fc from "fast-check";
import { quickScore } from "../../../services/news/articles/confidence/quick-score.ts";

/** What is counted, each pattern by itself over the whole text: how many points, and how many at most. */
const COUNTED: readonly [RegExp, number, number][] = [
  [
    /(?<!\b(?:sources?|insiders?|people familiar|friends?|somebody|they) )\b(?:said|told|according to|announced|reported|confirmed)\b(?! (?:anonymous|unnamed|sources?|insiders?)\b)/gi,
    3,
    12,
  ],
  [/["“”]/g, 1, 6],
  [/\d[.,]?\s?(?:%|percent|per cent|million|billion|thousand|km|people|euros|dollars)|[$€£]\d/g, 2, 8],
  [/\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b20\d\d\b/g, 2, 4],
  [/\b(?:documents?|report|study|data|survey|audit|census)\b/g, 1, 5],
  [/!/g, -2, -8],
  [/\b(?:some say|critics say|experts say|many believe|sources say|allegedly|reportedly)\b/gi, -3, -9],
];

function byPatterns(text: string): number {
  let score = 40 + (text.length >= 1_200 ? 4 : text.length < 350 ? -8 : 0);
  for (const [pattern, each, most] of COUNTED) {
    const points = each * (text.match(pattern) ?? []).length;
    score += each > 0 ? Math.min(most, points) : Math.max(most, points);
  }
  return Math.min(100, Math.max(0, score));
}

const PIECES = (
  "said told Told according to announced REPORTED confirmed sources source they people familiar anonymous unnamed " +
  "Monday MONDAY monday Tuesday 2024 20245 2o24 _2024 $5 €7 £ 5% 5.% 5 million 12,5 per cent 3 km $5 documents report " +
  'reportedly REPORTEDLY study data survey audit census some say critics many believe allegedly ! !! " “ ” é ſaid ' +
  "Kelvin \u212a re-said said_ 新聞 😀 a, the"
).split(" ");
const BETWEEN = [" ", " ", " ", "", "\n", ", ", "-", "\u00a0", "_"];

const text = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(...BETWEEN)), { maxLength: 200 })
  .map((parts) => parts.flat().join(""));

test("the first impression counts in one pass what each pattern finds by itself", () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(quickScore("A title", given)).toBe(byPatterns(given));
    }),
    { numRuns: 2_000 },
  );
});

test("a pattern goes on behind what it found last", () => {
  const plain = "The harbour was quiet. ";
  const score = (found: string): number => quickScore("A title", plain + found);
  expect(score("It cost $5 million.")).toBe(score("It cost $5."));
  expect(score("It cost $5, and 5 million more.")).toBe(score("It cost $5.") + 2);
});
