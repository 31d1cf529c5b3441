import { headlinesOf, readBriefing } from "../../console/news/briefings/document.ts";
import { wordsIn, type ToldLine } from "../../console/news/briefings/lines.ts";
import type { BriefingInput } from "../../services/news/briefings/model.ts";
import { compose } from "../../services/news/briefings/writing/compose.ts";
import { SOURCES } from "../fixtures/briefings/articles.ts";
import { busyDay, BUSY_DAY_PERIOD } from "../fixtures/briefings/busy-day.ts";
import { hostile } from "../fixtures/briefings/hostile.ts";
import { nextDay, NEXT_DAY_PERIOD } from "../fixtures/briefings/next-day.ts";
import { quietDay } from "../fixtures/briefings/quiet-day.ts";

// The console reads the Markdown that the platform writes: what the one has measured, the other must show.

const input = (articles: BriefingInput["articles"], more: Partial<BriefingInput> = {}): BriefingInput => ({
  articles,
  period: BUSY_DAY_PERIOD,
  now: BUSY_DAY_PERIOD.to,
  sources: SOURCES,
  ...more,
});
const first = compose(input(busyDay));
const second = compose(input(nextDay, { period: NEXT_DAY_PERIOD, now: NEXT_DAY_PERIOD.to, previous: first.snapshot }));

const all = (lines: readonly ToldLine[]): ToldLine[] => lines.flatMap((line) => [line, ...all(line.below)]);
const citesOf = (lines: readonly ToldLine[]): number[] =>
  all(lines).flatMap(({ pieces }) => pieces.flatMap((piece) => ("cites" in piece ? [piece.cites] : [])));

describe.each([
  ["a busy day", first],
  ["the day after it", second],
  ["texts that attack Markdown", compose(input(hostile))],
])("a briefing of %s", (_name, composed) => {
  const told = readBriefing(composed.content);
  const parts = [told.brief, told.changes, ...told.domains].filter((part) => part !== undefined);
  const stories = told.domains.flatMap(({ stories }) => stories);

  it("shows each story with the confidence and the number of independent sources that were measured", () => {
    const measured = composed.stories.map(
      ({ confidence, independentSources }) => `${confidence} ${independentSources}`,
    );
    for (const { trust, independent } of stories) expect(measured).toContain(`${trust!.share} ${independent}`);
    for (const { also } of told.domains)
      for (const { trust, pieces } of also)
        expect(Boolean(trust) || /^and \d+ further/.test(wordsIn(pieces))).toBe(true);
  });

  it("names the outlet and the title of every article that it cites", () => {
    const cited = citesOf(
      parts.flatMap(({ lines, also, stories }) => [...lines, ...also, ...stories.flatMap((s) => s.lines)]),
    );
    expect([...new Set(cited)].sort()).toEqual([...composed.articles].sort());
    for (const id of composed.articles) {
      const { outlet, title } = told.cited.get(id)!;
      expect(title).not.toBe("");
      expect(outlet).not.toMatch(/UTC|reliability/);
    }
  });

  it("marks what the sources disagree on", () => {
    const disputed = composed.stories.filter(({ disagreement }) => disagreement?.length).length;
    const marked = headlinesOf(told, 1_000).filter(({ isDisputed }) => isDisputed).length;
    expect(marked).toBeLessThanOrEqual(disputed);
    expect(marked > 0).toBe(disputed > 0);
  });

  it("gives every part of the page an address of its own", () => {
    const keys = parts.flatMap(({ place, stories }) => [place, ...stories.map((story) => story.place)]);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

it("tells what changed since the day before", () => {
  const { changes, domains } = readBriefing(second.content);
  expect(wordsIn(changes!.lines[0]!.pieces)).toMatch(/^Developing \(\d+\):/);
  const changed = domains.flatMap(({ stories }) => stories.map(({ change }) => change));
  expect(changed).toContain("Developing");
});

it("says of a day without news that there was none", () => {
  const told = readBriefing(compose(input(quietDay.slice(0, 0))).content);
  expect(told.notes.join(" ")).toContain("No article was published");
  expect(told.domains).toEqual([]);
});
