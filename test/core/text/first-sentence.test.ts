import fc from "fast-check";
import { firstSentence, sentences } from "../../../core/text/words/sentences.ts";

const PIECES = (
  "Dr Mr No 5 The bank said it U.S Inc Corp a.m Friday Oct J Smith so did I e.g said, \" ' ) ( “ ” é Éa ... ! ? : ; No. " +
  "vs St und 新聞 。 \u0085 \u2028 \r\n \n \n\n \t \v \f \0 \xad e\u0301 \u200d 😀 www.example.com 3.5 x"
).split(" ");
const BETWEEN = [" ", " ", " ", ". ", ". ", ". ", ".", "  ", ".  ", ".\n", "\n"];

test("the first sentence is the first of all of them, however it is found", () => {
  const text = fc
    .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(...BETWEEN)), { maxLength: 30 })
    .map((parts) => parts.flat().join(""));
  fc.assert(
    fc.property(text, (given) => {
      expect(firstSentence(given)).toBe(sentences(given)[0]?.text ?? "");
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ["The bank cut rates on Monday. Markets rose.", "The bank cut rates on Monday."],
  ["Dr. Smith of Acme Inc. Nobody came.", "Dr. Smith of Acme Inc."],
  ["It stands in Oct. 5 issues. So be it.", "It stands in Oct. 5 issues."],
])("%s", (text, first) => {
  expect(firstSentence(text)).toBe(first);
});
