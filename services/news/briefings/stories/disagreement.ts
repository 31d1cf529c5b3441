import { assertionOf, denies, opposes, overlap, type Assertion } from "./assertion.ts";
import { plain } from "../../../../core/text/plain.ts";
import { byText, type Disagreement, type Position } from "../model.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import { comparable, compatible, type Figure as Stated } from "./figures.ts";
import type { Growth } from "./growth.ts";
import { sentencesOf, withoutDateline } from "../writing/sentences.ts";
import { headlineOf } from "./headlines.ts";
import type { Story } from "./stories.ts";

/** What an article of a story says, sentence by sentence, its headline first. */
export interface Reading {
  article: BriefingArticle;
  headline: Assertion;
  body: readonly Assertion[];
}

const READ_SENTENCES = 12;
/** Of what nobody else tells, the top alone: how much hangs on it stands there. */
const READ_ALONE = 5;
/** More voices than this add repetition, not positions; the latest are read. */
const READ_VOICES = 16;

export const bodyOf = (article: BriefingArticle): string =>
  article.text.trim() === "" ? article.summary : article.text;

/** Of one language: figures and denials of another are not taken apart well enough to be held against these. */
export const readingsOf = (story: Story): Reading[] =>
  story.native.slice(-READ_VOICES).map((article) => ({
    article,
    headline: assertionOf(headlineOf(article)),
    body: sentencesOf(bodyOf(article), story.native.length > 1 ? READ_SENTENCES : READ_ALONE).map((sentence) =>
      assertionOf(withoutDateline(sentence)),
    ),
  }));

const RETROSPECT = new RegExp(
  [
    "last (?:year|month|week|time)",
    "previous(?:ly)?",
    "a decade ago",
    "(?:years?|months?) ago",
    "compared with",
    "(?:down|up) from",
    "in the past",
    "record of",
  ]
    .map((words) => `\\b${words}\\b`)
    .join("|"),
  "i",
);

/** Looks back at something else: figures of another year or event are no contradiction. */
function recallsThePast(text: string, article: BriefingArticle): boolean {
  const year = article.publishedAt.slice(0, 4);
  const others = text.match(/\b(?:19|20)\d\d\b/g)?.some((named) => named !== year) ?? false;
  return others || RETROSPECT.test(text);
}

interface Figure {
  article: BriefingArticle;
  said: Assertion;
  quantity: Stated;
  /** Every number of its article: what both sides know is not in dispute between them. */
  known: ReadonlySet<number>;
}

/**
 * Subject → source → figures, of each source the newest article that has any: who corrects himself does not disagree
 * with himself.
 */
function figuresBySubject(readings: readonly Reading[], growth: Growth): Map<string, Figure[][]> {
  const bySubject = new Map<string, Map<number, Figure[]>>();
  for (const { article, headline, body } of readings) {
    const here = new Map<string, Figure[]>();
    const known = new Set([headline, ...body].flatMap(({ numbers }) => [...numbers]));
    for (const said of [...body, headline]) {
      if (recallsThePast(said.text, article)) continue;
      for (const quantity of said.quantities.filter((figure) => !growth.isReplaced(figure)))
        here.set(quantity.subject, [...(here.get(quantity.subject) ?? []), { article, said, quantity, known }]);
    }
    for (const [subject, figures] of here)
      bySubject.set(subject, (bySubject.get(subject) ?? new Map<number, Figure[]>()).set(article.sourceId, figures));
  }
  return new Map(Array.from(bySubject, ([subject, bySource]) => [subject, Array.from(bySource.values())]));
}

/** What a source commits itself to: its exact figures where it has any, else its bounds and guesses. */
const firmest = (figures: readonly Figure[]): readonly Figure[] => {
  const exact = figures.filter(({ quantity }) => quantity.exact);
  return exact.length > 0 ? exact : figures;
};

/**
 * The figures of two sources that exclude each other; none where any two of them fit, for then both tell the same and
 * more.
 */
function conflict(mine: readonly Figure[], theirs: readonly Figure[]): [Figure, Figure] | null {
  let found: [Figure, Figure] | null = null;
  for (const a of firmest(mine)) {
    for (const b of firmest(theirs)) {
      if (!comparable(a.quantity, b.quantity)) continue;
      if (!a.quantity.specific && (b.known.has(a.quantity.value) || a.known.has(b.quantity.value))) continue;
      if (compatible(a.quantity, b.quantity)) return null;
      found ??= [a, b];
    }
  }
  return found;
}

const latestFirst = (a: Figure, b: Figure): number =>
  byText(b.article.publishedAt, a.article.publishedAt) || a.article.id - b.article.id;
const POSITIONS_SHOWN = 4;

function positionsOf(figures: readonly Figure[]): Position[] {
  const groups = Map.groupBy([...figures].sort(latestFirst), ({ quantity }) => `${quantity.low}..${quantity.high}`);
  return Array.from(groups.values(), (group): Position => ({
    text: group[0]!.quantity.phrase,
    articleIds: [...new Set(group.map(({ article }) => article.id))],
    sourceIds: [...new Set(group.map(({ article }) => article.sourceId))],
  })).slice(0, POSITIONS_SHOWN);
}

/** Figures that exclude each other, one dispute for those that hang together: turnout and a share of votes are two. */
function disputesOf(pairs: readonly [Figure, Figure][]): Figure[][] {
  const groups: Set<Figure>[] = [];
  for (const pair of pairs) {
    const joined = groups.filter((group) => pair.some((figure) => group.has(figure)));
    const whole = new Set([...joined.flatMap((group) => [...group]), ...pair]);
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push(whole);
  }
  return groups.map((group) => [...group]);
}

function figureConflicts(readings: readonly Reading[], growth: Growth): Disagreement[] {
  const found: Disagreement[] = [];
  for (const bySource of figuresBySubject(readings, growth).values()) {
    const pairs: [Figure, Figure][] = [];
    for (const [index, mine] of bySource.entries()) {
      for (const theirs of bySource.slice(index + 1)) {
        const pair = conflict(mine, theirs);
        if (pair) pairs.push(pair);
      }
    }
    for (const figures of disputesOf(pairs))
      found.push({ kind: "figures", about: figures[0]!.quantity.label, positions: positionsOf(figures) });
  }
  // Human losses first, then what the story itself counts.
  return found.sort((a, b) => Number(b.about === "deaths") - Number(a.about === "deaths") || byText(a.about, b.about));
}

/** The sentences that deny something or name a direction: in a pair that contradicts, at least one of them is such. */
const turning = (reading: Reading, kind: "negation" | "direction"): readonly Assertion[] =>
  reading.body.filter(({ denials, directions }) => (kind === "negation" ? denials.length > 0 : directions.size > 0));

/** Two sentences of different sources that turn each other round; the closest such pair, the later one first. */
function reversal(readings: readonly Reading[], kind: "negation" | "direction"): Disagreement[] {
  const reversed = kind === "negation" ? denies : opposes;
  let best: { closeness: number; positions: Position[] } | null = null;
  for (const [mine, here] of readings.entries()) {
    for (const a of turning(here, kind)) {
      for (const [theirs, there] of readings.entries()) {
        if (here.article.sourceId === there.article.sourceId) continue;
        for (const b of there.body) {
          if (!reversed(a, b)) continue;
          const closeness = overlap(a, b);
          if (best && closeness <= best.closeness) continue;
          const sides = [side(here.article, a), side(there.article, b)];
          best = { closeness, positions: mine > theirs ? sides : sides.reverse() };
        }
      }
    }
  }
  return best
    ? [{ kind, about: kind === "negation" ? "whether it is so" : "which way it went", positions: best.positions }]
    : [];
}
const side = (article: BriefingArticle, said: Assertion): Position => ({
  text: said.text,
  articleIds: [article.id],
  sourceIds: [article.sourceId],
});

/** Claims that verification found contradicted or disputed, where they stand word for word in the article. */
function claimsInDoubt(story: Story): Disagreement[] {
  return story.voices.flatMap((article) =>
    (article.claims ?? []).flatMap((claim): Disagreement[] => {
      const text = withoutDateline(plain(claim.text));
      if ((claim.status !== "contradicted" && claim.status !== "disputed") || text === "") return [];
      if (story.growth.isOutdated(text)) return [];
      if (![article.title, article.text, article.summary].some((whole) => plain(whole).includes(text))) return [];
      return [
        {
          kind: "claim",
          about: `claim ${claim.status}`,
          positions: [{ text, articleIds: [article.id], sourceIds: [article.sourceId] }],
        },
      ];
    }),
  );
}

const MOST = 3;

/**
 * What the sources of one story tell differently, at most three things: figures that exclude each other, denials,
 * opposite directions, claims in doubt.
 */
export function disagreementsOf(story: Story, readings: readonly Reading[]): Disagreement[] {
  const between =
    story.independent < 2
      ? []
      : [
          ...figureConflicts(readings, story.growth),
          ...reversal(readings, "negation"),
          ...reversal(readings, "direction"),
        ];
  const quoted = new Set(between.flatMap(({ positions }) => positions.map(({ text }) => text)));
  const claims = claimsInDoubt(story).filter(({ positions }) => !quoted.has(positions[0]!.text));
  return [...between, ...claims].slice(0, MOST);
}

/**
 * What disagreement takes from the confidence: a contradiction 0.08, a figure or a claim in doubt 0.04, in all no more
 * than 0.15.
 */
export const doubt = (disagreements: readonly Disagreement[]): number =>
  Math.min(
    0.15,
    disagreements.reduce((sum, { kind }) => sum + (kind === "negation" || kind === "direction" ? 0.08 : 0.04), 0),
  );
