import fc from "fast-check";
import { filtersOf, periodOf, queryWords, trustOf, withFilters } from "../../console/news/articles/filters.ts";
import { paragraphs } from "../../console/news/articles/paragraphs.ts";
import { snippetPieces } from "../../console/news/articles/snippet-pieces.ts";
import { levelOf, signed } from "../../console/news/verification/scales.ts";
import { waterfall } from "../../console/news/verification/waterfall.ts";

const steps = (...points: number[]) => points.map((scoreContribution) => ({ scoreContribution }));

describe("the waterfall of a score", () => {
  it("lets each bar begin where the one before ended", () => {
    const { bars, total, at } = waterfall(steps(48.09, 0, 4.01, -12.5));
    expect(total).toBe(39.6);
    expect(bars.map(({ from, to, direction }) => [from, to, direction])).toEqual([
      [0, 48.09, "up"],
      [48.09, 48.09, "level"],
      [48.09, 52.1, "up"],
      [52.1, 39.6, "down"],
    ]);
    // A bar that falls is drawn from its lower end.
    expect(bars[3]!.left).toBeCloseTo(39.6, 10);
    expect(bars[3]!.width).toBeCloseTo(12.5, 10);
    expect([at(0), at(50), at(100)]).toEqual([0, 50, 100]);
  });

  it("makes room for sums that pass the scale before they are taken back", () => {
    const above = waterfall(steps(80, 45, -25));
    expect(above.total).toBe(100);
    expect(above.at(125)).toBe(100);
    expect(above.at(100)).toBe(80);
    const below = waterfall(steps(20, -45, 25));
    expect([below.at(-25), below.at(0), below.at(100)]).toEqual([0, 20, 100]);
  });

  it("adds up to the last digit and stays within the picture, whatever the steps", () => {
    const cents = fc.integer({ min: -6_000, max: 6_000 });
    fc.assert(
      fc.property(fc.array(cents, { maxLength: 12 }), (all) => {
        const { bars, total } = waterfall(all.map((cent) => ({ scoreContribution: cent / 100 })));
        expect(total).toBe(all.reduce((sum, cent) => sum + cent, 0) / 100);
        for (const [at, { from, left, width }] of bars.entries()) {
          expect(from).toBe(at ? bars[at - 1]!.to : 0);
          expect(left).toBeGreaterThanOrEqual(0);
          expect(width).toBeGreaterThanOrEqual(0);
          expect(left + width).toBeLessThanOrEqual(100.000_001);
        }
      }),
    );
  });
});

describe("words for figures", () => {
  it("carry a sign, and a level only where it is reached", () => {
    expect([4.01, -12.55, 0, -0.01].map(signed)).toEqual(["+4", "−12.6", "±0", "±0"]);
    expect([49.99, 50, 74.99, 75].map(levelOf)).toEqual(["low", "medium", "medium", "high"]);
  });
});

describe("a snippet", () => {
  it("is text and matches; nothing of it can act as HTML", () => {
    expect(snippetPieces("a &lt;img onerror=x&gt; <mark>R&amp;D</mark> &#39;x&#39; &amp;lt;")).toEqual([
      { text: "a <img onerror=x> ", isMatch: false },
      { text: "R&D", isMatch: true },
      { text: " 'x' &lt;", isMatch: false },
    ]);
    expect(snippetPieces("")).toEqual([]);
    expect(snippetPieces("<mark>whole</mark>")).toEqual([{ text: "whole", isMatch: true }]);
  });
});

describe("an article's text", () => {
  const text = "Ships wait. The strait is shut.\n\nA dredger sank.";
  const claim = (id: number, words: string) => {
    const start = text.indexOf(words);
    return { id, text: words, start, end: start + words.length };
  };

  it("is paragraphs, in which claims are found where they stand", () => {
    const pieces = paragraphs(text, [claim(2, "A dredger sank."), claim(1, "The strait is shut.")]);
    expect(pieces.map((one) => one.map(({ text: words, claim: of }) => [words, of?.id]))).toEqual([
      [
        ["Ships wait. ", undefined],
        ["The strait is shut.", 1],
      ],
      [["A dredger sank.", 2]],
    ]);
  });

  it("keeps every word, whatever is said to stand where", () => {
    const wrong = { id: 3, text: "elsewhere", start: 4, end: 13 };
    const [one, other] = [claim(4, "Ships wait. The"), claim(5, "wait. The strait")];
    const words = paragraphs(text, [wrong, one, other]).map((pieces) => pieces.map((piece) => piece.text).join(""));
    expect(words).toEqual(["Ships wait. The strait is shut.", "A dredger sank."]);
    expect(paragraphs("", [])).toEqual([]);
  });
});

describe("the address of the stream", () => {
  const read = (query: string) => filtersOf(new URLSearchParams(query));
  const NOW = Date.parse("2026-03-02T10:20:30Z");

  it("is read leniently: what it does not know is left out", () => {
    expect(read("domain=magic&sort=size&trust=blind&when=soon&source=x")).toMatchObject({
      domain: undefined,
      sourceId: undefined,
      sort: "-publishedAt",
      trust: "",
      when: "",
    });
  });

  it("asks for the same period all through an hour", () => {
    expect(periodOf(read("when=24h"), NOW)).toEqual({ from: "2026-03-01T10:00:00.000Z" });
    expect(periodOf(read("when=24h"), NOW + 600_000)).toEqual({ from: "2026-03-01T10:00:00.000Z" });
    expect(periodOf(read("when=between&from=2026-01-01"), NOW)).toEqual({ from: "2026-01-01" });
    expect(periodOf(read("from=2026-01-01"), NOW)).toEqual({});
    expect(trustOf(read("trust=unverified"))).toEqual({ verified: false });
    expect(trustOf(read("trust=high"))).toEqual({ minConfidence: 0.75 });
  });

  it("puts the chosen source into the words of a search, whatever its name", () => {
    expect(queryWords("copper | wheat", 'The "Wire"')).toBe('source:"The \\"Wire\\"" copper | wheat');
    expect(queryWords("copper", undefined)).toBe("copper");
  });

  it("begins at the first page when a filter changes", () => {
    expect(String(withFilters(new URLSearchParams("q=a&page=3&domain=energy"), { domain: "", q: "b" }))).toBe("q=b");
  });
});
