import { setImmediate as nextTurn } from "node:timers/promises";
import { atOnce, inTurns } from "../../../core/work/turns.ts";
import { compose, composing } from "../../../services/news/briefings/writing/compose.ts";
import type { BriefingInput } from "../../../services/news/briefings/model.ts";
import { reportOf, type BriefingArticle } from "../../../services/news/articles/client.ts";
import { BUSY_DAY_PERIOD, busyDay } from "../../fixtures/briefings/busy-day.ts";
import { SOURCES } from "../../fixtures/briefings/articles.ts";

/** A day ten times as busy: every event once more elsewhere, so that stories and articles are many. */
const PLACES = [
  "",
  "Avalonia",
  "Borduria",
  "Cascara",
  "Drusselstein",
  "Eriador",
  "Florin",
  "Genovia",
  "Hav",
  "Illyria",
];
/** Words of a place's own, so that its events are told in no other's. */
const said = (place: string, text: string): string =>
  text.replace(/\b[A-Za-z]{4,}/g, (word) => `${word}${place.toLowerCase()}`);
const many: BriefingArticle[] = PLACES.flatMap((place, n) =>
  busyDay.map((article) =>
    n === 0
      ? article
      : {
          ...article,
          id: article.id + n * 1_000,
          storyId: `${article.storyId} ${place}`,
          reportId: `${reportOf(article)} ${place}`,
          title: said(place, article.title),
          text: said(place, article.text),
          summary: said(place, article.summary),
        },
  ),
);
const input = (articles: readonly BriefingArticle[]): BriefingInput => ({
  articles: [...articles],
  period: BUSY_DAY_PERIOD,
  now: BUSY_DAY_PERIOD.to,
  sources: SOURCES,
});

/** The articles with a note of whose text was read since the notes were last taken. */
function watched(articles: readonly BriefingArticle[]): { articles: BriefingArticle[]; taken: () => Set<number> } {
  let read = new Set<number>();
  const spied = articles.map((article) => ({
    ...article,
    get text() {
      read.add(article.id);
      return article.text;
    },
  }));
  return {
    articles: spied,
    taken: () => {
      const notes = read;
      read = new Set();
      return notes;
    },
  };
}

it("yields between stories: no step reads the texts of two", () => {
  const { stories } = compose(input(many));
  expect(stories.length).toBeGreaterThan(50);
  const storyOf = new Map(stories.flatMap(({ articleIds }, at) => articleIds.map((id) => [id, at] as const)));
  const { articles, taken } = watched(many);
  const work = composing(input(articles));
  let steps = 0,
    telling = 0;
  for (let step = work.next(); ; step = work.next()) {
    steps++;
    const told = new Set([...taken()].map((id) => storyOf.get(id)!));
    expect(told.size).toBeLessThanOrEqual(1);
    telling += told.size;
    if (step.done) break;
  }
  // One for each text read for its topic, and one for each story read for what it says.
  expect(telling).toBeGreaterThan(stories.length);
  expect(steps).toBeGreaterThan(many.length);
});

it("comes to the same bytes in turns as at once", async () => {
  expect(JSON.stringify(await inTurns(composing(input(many)), { sliceMs: 0 }))).toBe(
    JSON.stringify(compose(input(many))),
  );
});

describe("work in turns", () => {
  function* counting(steps: number, seen: number[]): Generator<void, string, void> {
    for (let at = 0; at < steps; at++) {
      seen.push(at);
      yield;
    }
    return "done";
  }

  it("gives the event loop to others between its slices", async () => {
    const seen: number[] = [],
      between: number[] = [];
    const work = inTurns(counting(5, seen), { sliceMs: 0 });
    const other = async (): Promise<void> => {
      while (seen.length < 5) {
        between.push(seen.length);
        await nextTurn();
      }
    };
    await other();
    expect(await work).toBe("done");
    expect(new Set(between).size).toBeGreaterThanOrEqual(3);
  });

  it("goes on within a slice, and stops once nobody waits", async () => {
    const seen: number[] = [];
    const work = inTurns(counting(1_000, seen), { sliceMs: 60_000 });
    // All of it ran before anything else could.
    expect(seen).toHaveLength(1_000);
    expect(await work).toBe("done");
    const leaving = new AbortController();
    const left = inTurns(counting(1_000, seen), { sliceMs: 0, signal: leaving.signal });
    leaving.abort(new Error("nobody waits"));
    await expect(left).rejects.toThrow("nobody waits");
    expect(seen.length).toBeLessThan(1_010);
    expect(atOnce(counting(3, []))).toBe("done");
  });
});
