import fc from "fast-check";
import { selectForBriefing, type SelectableArticle } from "../../../services/news/articles/reading/selection.ts";

const AT = Date.parse("2026-03-02T00:00:00Z");

/** An article of a source that tells of an event, so many minutes into the day. */
const article = (
  id: number,
  {
    of: storyId,
    by = id,
    copies = id,
    confidence = 0.5,
    minute = 0,
  }: Partial<Record<"by" | "copies" | "confidence" | "minute", number>> & {
    of: string;
  },
): SelectableArticle => ({
  id,
  storyId,
  sourceId: by,
  reportId: `report ${copies}`,
  confidence,
  publishedAt: new Date(AT + minute * 60_000).toISOString(),
});

const ids = (chosen: readonly SelectableArticle[]): number[] => chosen.map(({ id }) => id);

describe("what a briefing reads where it cannot read everything", () => {
  const flood = [
    article(1, { of: "flood", confidence: 0.6, minute: 10 }),
    article(2, { of: "flood", confidence: 0.6, minute: 20 }),
    article(3, { of: "flood", confidence: 0.6, minute: 30 }),
    article(4, { of: "flood", confidence: 0.2, minute: 40 }),
    article(5, { of: "flood", by: 1, confidence: 0.6, minute: 300 }),
  ];
  const others = [6, 7, 8].flatMap((id) => [
    article(id, { of: `other ${id}`, confidence: 0.65 }),
    article(id + 10, { of: `other ${id}`, confidence: 0.3, minute: 400 }),
  ]);

  it("is an event of weight whole: who denies it is little trusted, and the last count comes late", () => {
    expect(
      ids(selectForBriefing([...others, ...flood], 8))
        .slice(0, 5)
        .sort(),
    ).toEqual([1, 2, 3, 4, 5]);
  });

  it("is of each other event its newest report, so that no count stands that another has replaced", () => {
    expect(
      ids(selectForBriefing([...others, ...flood], 8))
        .slice(5)
        .sort(),
    ).toEqual([16, 17, 18]);
  });

  it("takes copies of a report only when all reports are read, and the oldest for the report", () => {
    const wire = [1, 2, 3].map((id) => article(id, { of: "wire", copies: 1, minute: id }));
    const lone = article(9, { of: "lone" });
    expect(ids(selectForBriefing([...wire, lone], 2)).sort()).toEqual([1, 9]);
    expect(ids(selectForBriefing([...wire, lone], 3))).toEqual(expect.arrayContaining([1, 9, 3]));
  });

  it("reads twelve reports of one event before those of others, whatever many there are", () => {
    const cup = Array.from({ length: 60 }, (_, at) => article(100 + at, { of: "cup", confidence: 0.7, minute: at }));
    const chosen = selectForBriefing([...cup, ...others], 18);
    expect(chosen.filter(({ storyId }) => storyId === "cup")).toHaveLength(12);
    expect(chosen.filter(({ storyId }) => storyId !== "cup")).toHaveLength(6);
  });

  it("fills the room, reads nothing twice, and does not depend on the order of what it is given", () => {
    const some = fc.array(
      fc.record({
        story: fc.nat(6),
        by: fc.nat(4),
        copies: fc.nat(8),
        confidence: fc.integer({ min: 0, max: 10 }),
        minute: fc.nat(1_440),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 45 }), (rows, limit) => {
        const all = rows.map(({ story, confidence, ...row }, at) =>
          article(at, { ...row, of: `${story}`, copies: story * 10 + row.copies, confidence: confidence / 10 }),
        );
        const chosen = ids(selectForBriefing(all, limit));
        expect(chosen).toHaveLength(Math.min(limit, all.length));
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(ids(selectForBriefing(all.toReversed(), limit))).toEqual(chosen);
      }),
    );
  });
});
