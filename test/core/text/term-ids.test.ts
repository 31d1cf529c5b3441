import fc from "fast-check";
import { languageBy, languageOf } from "../../../core/text/language.ts";
import { firstSentence, sentences } from "../../../core/text/words/sentences.ts";
import { TermIds } from "../../../core/text/words/term-ids.ts";
import { terms } from "../../../core/text/words/terms.ts";
import { hashOf } from "../../../core/text/words/token-hashes.ts";
import { Vocabulary } from "../../../core/text/words/vocabulary.ts";

const PIECES =
  "the storm Storms U.S. said 1,000 3.5 der Sturm und les tempêtes de Москва в Петрове سوريا في 東京 地震 が 한국 ﬁre Dr. Smith . , ! 's ’ \n - 12 a".split(
    " ",
  );
const text = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(" ", " ", "", "\n\n")), { maxLength: 60 })
  .map((parts) => parts.flat().join(""));

describe("Terms by their ids", () => {
  const reader = new TermIds(new Vocabulary());

  it("are the terms that are cut out as text, and end where those do", () => {
    fc.assert(
      fc.property(text, (given) => {
        const found: string[] = [];
        let last = 0;
        reader.read(given, (term, end) => {
          found.push(reader.vocabulary.terms[term]!);
          expect(end).toBeGreaterThanOrEqual(last);
          last = end;
        });
        expect(found).toEqual(terms(given));
        expect(last).toBeLessThanOrEqual(given.length);
      }),
    );
  });

  it("have the hash of their text, asked for the first time or again", () => {
    const { terms: known } = reader.vocabulary;
    reader.read(PIECES.join(" "), () => {});
    for (const again of [1, 2])
      for (const [id, term] of known.entries()) expect(again && reader.hashes.of(id)).toBe(hashOf(term));
  });

  it("tell the language as the words do", () => {
    fc.assert(
      fc.property(text, (given) => {
        const listed = reader.read(given, () => {});
        if (listed) expect(languageBy(given, listed)).toBe(languageOf(given));
      }),
    );
  });

  it("know a word of two characters from two signs side by side", () => {
    const found: string[] = [];
    reader.read("東京 地震", (term) => found.push(reader.vocabulary.terms[term]!));
    expect(found).toEqual(["東京", "地震"]);
  });
});

describe("The first sentence of a text", () => {
  it("is the first of all of them, whatever the script and however long it is", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 12 }), (given, times) => {
        const long = given.repeat(times);
        expect(firstSentence(long)).toBe(sentences(long)[0]?.text ?? "");
      }),
    );
  });

  it("is cut after two hundred words, as all are", () => {
    const endless = "東".repeat(300);
    expect(firstSentence(endless)).toBe("東".repeat(200));
    expect(firstSentence("a ".repeat(300))).toBe("a ".repeat(200).trim());
  });
});
