import fc from "fast-check";
import { compose } from "../../../services/news/briefings/writing/compose.ts";
import { linkTarget } from "../../../services/news/briefings/render/markdown.ts";
import { SECTIONS, type BriefingInput } from "../../../services/news/briefings/model.ts";
import type { BriefingArticle } from "../../../services/news/articles/client.ts";
import { borrowed, readBriefing, sourceTexts, type Line } from "../../fixtures/briefings/reading.ts";
import { BUSY_DAY_PERIOD } from "../../fixtures/briefings/busy-day.ts";
import { tries } from "../../tries.ts";

/** Pieces of prose and of mark-up; a feed under somebody else's control can put them in any order. */
const prose = fc.constantFrom(
  "The ministry of health",
  "said on Monday that",
  "12 people were killed",
  "at least 20 people were killed",
  "in the port of Harwick",
  "had not been switched off",
  "rose 4.1 percent",
  "fell 2 percent",
  "the grain terminal",
  "explosion",
  "rescuers searched the silos",
  "Dr. Smith",
  "in the U.S.",
  "two dozen ships",
  "denied reports that",
  "“quoted words”",
  "(in brackets)",
);
const hostile = fc.constantFrom(
  "[x](https://evil.example/)",
  "![x](https://evil.example/x.png)",
  "<script>alert(1)</script>",
  "<!-- ",
  "-->",
  "# ",
  "\n# ",
  "\n- ",
  "\n> ",
  "\n1. ",
  "\n```\n",
  "***",
  "__",
  "`",
  "``",
  "\\",
  "\\[",
  "~~",
  "|",
  "\n|a|b|\n|-|-|\n",
  "\n---\n",
  "\n===\n",
  "http://evil.example/a",
  "www.evil.example",
  "evil.example",
  "//evil.example",
  "a@evil.example",
  "mailto:a@evil.example",
  "&lt;b&gt;",
  "&#60;",
  "&amp;",
  "[1]: https://evil.example",
  "\n[1]: <https://evil.example>\n",
  "[#3]",
  "[^1]",
  "\u202e",
  "\u200b",
  "\u0000",
  "\u2028",
  "\ud800",
  "\t\t",
  "    code",
  "$x$",
  ":smile:",
  "#12",
  "\u00a0",
  "://",
  "]",
  ")",
  "](",
  "<",
  ">",
  "<https://evil.example>",
  "“",
  "”",
  "; ",
  ", latest first: ",
  "*Sources differ:*",
);
const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: prose },
      { weight: 2, arbitrary: hostile },
      { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 8 }) },
      { weight: 2, arbitrary: fc.constantFrom(". ", "! ", ".\n", "? ") },
    ),
    { maxLength: 24 },
  )
  .chain((parts) => fc.constantFrom(" ", "").map((glue) => parts.join(glue)));
const url = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.constantFrom(
    "javascript:alert(1)",
    "https://a.example/(x)?q=<y>&z=[w]\"'`|\\",
    "https://u:p@evil.example/",
    "",
    "HTTPS://A.example/ x",
    "data:text/html,x",
    "https://a.example/a b\nc",
  ),
  text,
);

const article = fc.record({
  id: fc.integer({ min: 1, max: 10_000 }),
  title: text,
  text,
  summary: text,
  url,
  sourceId: fc.integer({ min: 1, max: 4 }),
  sourceName: text,
  domain: fc.constantFrom(...SECTIONS.slice(0, 3)),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  verified: fc.boolean(),
  publishedAt: fc
    .integer({ min: 0, max: 1_439 })
    .map((minute) => new Date(Date.parse(BUSY_DAY_PERIOD.from) + minute * 60_000).toISOString()),
  storyId: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
  claims: fc.option(
    fc.array(
      fc.record({
        text,
        status: fc.constantFrom("contradicted" as const, "disputed" as const, "corroborated" as const),
      }),
      { maxLength: 2 },
    ),
    { nil: undefined },
  ),
}) satisfies fc.Arbitrary<BriefingArticle>;
const articles = fc.uniqueArray(article, { selector: ({ id }) => id, maxLength: 9 });

const input = (found: BriefingArticle[], previous?: BriefingInput["previous"]): BriefingInput => ({
  articles: found,
  period: BUSY_DAY_PERIOD,
  now: BUSY_DAY_PERIOD.to,
  previous,
  sources: { 1: { name: "One", reliability: 0.9 }, 2: { name: "Two" } },
});

/** Two sets of articles, the first of which the last briefing was made from. */
const runs = fc
  .tuple(articles, articles)
  .map(([before, after]) => input(after, before.length % 2 === 0 ? undefined : compose(input(before)).snapshot));

const citationsIn = (lines: readonly Line[]) => lines.flatMap(({ citations }) => citations);

test("no text of a feed becomes a link, an image, a heading, a list, HTML or emphasis in any viewer", () => {
  fc.assert(
    fc.property(runs, (made) => {
      const lines = readBriefing(compose(made).content);
      expect(lines.filter(({ kind }) => kind === "h1")).toHaveLength(1);
      expect(lines.flatMap(({ em }) => em).filter((words) => /evil/.test(words) && !/ UTC/.test(words))).toEqual([]);
    }),
    { numRuns: tries(75) },
  );
});

test("every link is a citation of an article in the input, with that article's own address", () => {
  fc.assert(
    fc.property(runs, (made) => {
      const byId = new Map(made.articles.map((each) => [each.id, each]));
      const composed = compose(made);
      for (const { label, href } of citationsIn(readBriefing(composed.content))) {
        const cited = byId.get(Number(/^#(\d+)$/.exec(label)![1]));
        expect(cited).toBeDefined();
        expect(href).toBe(URL.parse(linkTarget(cited!.url)!.replaceAll("\\&", "&"))!.href);
        expect(href).toMatch(/^https?:\/\//);
      }
      for (const id of [...composed.articles, ...composed.stories.flatMap((story) => story.articleIds)])
        expect(byId.has(id)).toBe(true);
      expect(new Set(composed.articles).size).toBe(composed.articles.length);
    }),
    { numRuns: tries(50) },
  );
});

test("no sentence stands in a briefing that does not stand in an article", () => {
  // With web addresses throughout every citation is a link, and outlets have plain names: all other text is either ours
  // or borrowed.
  const linked = runs.map((made) => ({
    ...made,
    articles: made.articles.map((each) => ({ ...each, url: `https://news.example/${each.id}`, sourceName: "Outlet" })),
  }));
  fc.assert(
    fc.property(linked, (made) => {
      const sources = sourceTexts(made.articles, made.previous);
      for (const words of borrowed(readBriefing(compose(made).content)))
        expect(sources).toContainEqual(expect.stringContaining(words));
    }),
    { numRuns: tries(75) },
  );
});

test("the same articles in any order give the same bytes", () => {
  fc.assert(
    fc.property(
      runs.chain((made) =>
        fc.tuple(fc.constant(made), fc.shuffledSubarray([...made.articles], { minLength: made.articles.length })),
      ),
      ([made, shuffled]) => {
        expect(JSON.stringify(compose({ ...made, articles: shuffled }))).toBe(JSON.stringify(compose(made)));
      },
    ),
    { numRuns: tries(25) },
  );
});

test("every article belongs to exactly one story, and no story has more voices than sources or texts", () => {
  fc.assert(
    fc.property(runs, (made) => {
      const { stories, stats } = compose(made);
      expect(stories.flatMap(({ articleIds }) => articleIds).sort((a, b) => a - b)).toEqual(
        made.articles.map(({ id }) => id).sort((a, b) => a - b),
      );
      expect(stats.articles).toBe(made.articles.length);
      for (const story of stories) {
        const texts = new Set(
          made.articles.filter(({ id }) => story.articleIds.includes(id)).map(({ storyId }) => storyId),
        );
        expect(story.independentSources).toBeGreaterThanOrEqual(1);
        expect(story.independentSources).toBeLessThanOrEqual(Math.min(texts.size, story.sourceIds.length));
        expect(story.confidence).toBeGreaterThanOrEqual(0);
        expect(story.confidence).toBeLessThanOrEqual(0.97);
      }
    }),
    { numRuns: tries(25) },
  );
});

test("what is in the snapshot is JSON, and a briefing made again from it finds every story unchanged", () => {
  fc.assert(
    fc.property(articles, (found) => {
      const first = compose(input(found));
      const again = compose(input(found, JSON.parse(JSON.stringify(first.snapshot))));
      expect(again.stories.every(({ change }) => change === "unchanged")).toBe(true);
      expect(again.stories.map(({ storyId }) => storyId).sort()).toEqual(
        first.stories.map(({ storyId }) => storyId).sort(),
      );
    }),
    { numRuns: tries(25) },
  );
});
