import fc from "fast-check";
import { anchorAnew, cite, quoteHolds, pageAt } from "../../../core/text/citations.ts";

/** Texts of several pages, with characters of two units and marks of their own. */
const texts = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 6 });

function paged(parts: readonly string[]) {
  const pages: { page: number; start: number; end: number }[] = [];
  let text = "";
  for (const [at, part] of parts.entries()) {
    if (at) text += "\n";
    pages.push({ page: at + 1, start: text.length, end: text.length + part.length });
    text += part;
  }
  return { documentId: "d", version: 1, text, pages };
}

it("a citation's words are those between its offsets, on the page where they begin", () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(), (parts, one, other) => {
      const of = paged(parts);
      const [start, end] = [one % of.text.length, other % (of.text.length + 1)].sort((a, b) => a - b) as [
        number,
        number,
      ];
      const quote = of.text.slice(start, end);
      if (quote === "" || !quote.isWellFormed()) {
        expect(() => cite(of, { start, end })).toThrow(RangeError);
        return;
      }
      const citation = cite(of, { start, end });
      expect(of.text.slice(citation.start, citation.end)).toBe(citation.quote);
      expect(quoteHolds(citation, of.text)).toBe(true);
      expect(of.text.slice(0, start).endsWith(citation.prefix) && of.text.slice(end).startsWith(citation.suffix)).toBe(
        true,
      );
      const page = of.pages.findLast((one1) => one1.start <= start)!;
      expect(citation.page).toBe(page.page);
      expect(pageAt(of.pages, start)).toBe(page.page);
    }),
  );
});

it("is found again in another version by its words and what stands around them, or told to be gone", () => {
  fc.assert(
    fc.property(texts, fc.string({ unit: "grapheme", maxLength: 40 }), (parts, added) => {
      const of = paged(parts);
      const quote = "THE VERY WORDS";
      const cited = { ...of, text: `${of.text} ${quote} ${of.text}` };
      const start = of.text.length + 1;
      const citation = cite(cited, { start, end: start + quote.length });
      const later = { ...of, version: 2, text: `${added}${cited.text}` };
      const found = anchorAnew(citation, later)!;
      expect(found).toMatchObject({ version: 2, start: start + added.length, quote });
      expect(quoteHolds(found, later.text)).toBe(true);
      expect(anchorAnew(citation, { ...of, version: 3 })).toBeNull();
    }),
  );
});

it("goes with its context where its words stand twice, and nowhere where both places are alike", () => {
  const of = paged(["North: hold the bridge at dawn. South: hold the bridge at noon."]);
  const start = of.text.lastIndexOf("hold the bridge");
  const citation = cite(of, { start, end: start + "hold the bridge".length });
  const turned = paged(["South: hold the bridge at noon. North: hold the bridge at dawn."]);
  expect(anchorAnew(citation, { ...turned, version: 2 })!.start).toBe(7);
  expect(anchorAnew(citation, { ...paged(["hold the bridge", "hold the bridge"]), version: 2 })).toBeNull();
});
