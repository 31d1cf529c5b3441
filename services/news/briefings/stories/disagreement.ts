import { plain } from "../../../../core/text/plain.ts";
import { retractions } from "../../../../core/text/statements/speech/errata.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { byText, type Disagreement, type Position } from "../model.ts";
import { withoutDateline } from "../writing/sentences.ts";
import { comparable, compatible, figuresIn, type Figure } from "../figures/figures.ts";
import type { Growth } from "../figures/growth.ts";
import { GROWING } from "../figures/series.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import type { Contradiction } from "../../verification/client.ts";
import { quarrelsOfCopies } from "./copies.ts";
import { quarrelsFound, quarrelsOf, type Quarrel, type Saying } from "./quarrels.ts";
import type { Reading } from "./readings.ts";
import type { Story } from "./stories.ts";

/**
 * Whether two disagreements are about one matter: both quote one sentence, with the same figure in it, or with none.
 */
const isOneMatter = (one: Quarrel, other: Quarrel): boolean =>
  one.sides.some((mine, at) =>
    other.sides.some((theirs, place) => mine.text === theirs.text && one.figures?.[at] === other.figures?.[place]),
  );

/**
 * Three counts of one thing are one disagreement; who was hurt and how it began are two, though one sentence tells
 * both.
 */
function differencesIn(quarrels: readonly Quarrel[]): Quarrel[][] {
  const groups: Quarrel[][] = [];
  for (const quarrel of quarrels) {
    const joined = groups.filter((group) => group.some((each) => isOneMatter(each, quarrel)));
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push([...joined.flat(), quarrel]);
  }
  return groups;
}

interface Stated extends Pick<Saying, "article"> {
  figure: Figure;
}

/** The two figures that a quarrel is about, where they have a name. */
function statedIn({ sides, figures }: Quarrel): readonly Stated[] {
  if (!figures) return [];
  const [mine, theirs] = sides.map(({ article, text }, at) =>
    figuresIn(text).flatMap((figure) => (figure.phrase.includes(figures[at]!) ? { article, figure } : [])),
  ) as [Stated[], Stated[]];
  for (const one of mine)
    for (const other of theirs)
      if (comparable(one.figure, other.figure) && !compatible(one.figure, other.figure)) return [one, other];
  return [];
}

const latestFirst = (a: Pick<Saying, "article">, b: Pick<Saying, "article">): number =>
  byText(b.article.publishedAt, a.article.publishedAt) || a.article.id - b.article.id;
const POSITIONS_SHOWN = 4;

/** Each figure once, with all who state it: where deaths are counted differently, each count that stands. */
function figuresApart(
  stated: readonly Stated[],
  readings: readonly Reading[],
  isStanding: (one: Stated) => boolean,
): Disagreement {
  const all = readings.flatMap(({ article, headline, body }) =>
    [...body, headline].flatMap(({ quantities }) => quantities.map((figure): Stated => ({ article, figure }))),
  );
  const { subject, label, specific } = stated[0]!.figure;
  const named = [...stated, ...(specific ? all.filter(isStanding) : [])]
    .filter(({ figure }) => figure.subject === subject)
    .sort(latestFirst);
  const values = Map.groupBy(named, ({ figure }) => `${figure.low}..${figure.high}`);
  const positions = [...values.values()].slice(0, POSITIONS_SHOWN).map((said): Position => {
    const { figure } = said[0]!;
    const repeated = all.filter(
      (each) => each.figure.low === figure.low && each.figure.high === figure.high && comparable(each.figure, figure),
    );
    const articles = [...said, ...repeated.sort(latestFirst)].map(({ article }) => article);
    return {
      text: figure.phrase,
      articleIds: [...new Set(articles.map(({ id }) => id))],
      sourceIds: [...new Set(articles.map(({ sourceId }) => sourceId))],
    };
  });
  return { kind: "figures", about: label, positions };
}

/** Figures where they have a name, else the two sentences that are surest to exclude each other. */
function differenceOf(quarrels: readonly Quarrel[], readings: readonly Reading[], growth: Growth): Disagreement {
  const surest = quarrels.reduce((one, other) => (other.score > one.score ? other : one));
  const stated = statedIn(surest);
  if (stated.length > 0)
    return figuresApart(
      [...stated, ...quarrels.flatMap(statedIn)],
      readings,
      ({ figure }) => !growth.isReplaced(figure),
    );
  const positions = surest.sides.toSorted(latestFirst).map(({ article, text }) => ({
    text,
    articleIds: [article.id],
    sourceIds: [article.sourceId],
  }));
  return { kind: "contradiction", about: "whether it is so", positions };
}

/** Claims that verification found contradicted or disputed, where they stand word for word in the article. */
function claimsInDoubt(story: Story): Disagreement[] {
  const retracted = new Set([...retractions(story.articles).keys()].map(({ id }) => id));
  return story.voices.flatMap((article) =>
    // What its own outlet took back no other report need contradict.
    (retracted.has(article.id) ? [] : (article.claims ?? [])).flatMap((claim): Disagreement[] => {
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

const isGrowing = (later: Figure | undefined): boolean => later !== undefined && GROWING.has(later.subject);

const MOST = 3;

/**
 * What the sources of one story tell differently, at most three things, human losses first: what verification judges to
 * exclude each other, now and in what it `found` before, then claims in doubt. `all`: the articles that were read, since
 * the other side of what was found may have come into another story. A step is one sentence.
 */
export function* disagreementsOf(
  story: Story,
  readings: readonly Reading[],
  found: readonly Contradiction[] = [],
  all: ReadonlyMap<number, BriefingArticle> = new Map(story.articles.map((article) => [article.id, article])),
): Steps<Disagreement[]> {
  const told = readings.map(({ article, body }) => ({ article, sentences: body.map(({ text }) => text) }));
  const seen = story.independent < 2 ? [] : yield* quarrelsOf(told);
  const quarrels = [...seen, ...quarrelsFound(all, found), ...quarrelsOfCopies(story.articles)];
  // A toll that grew is no disagreement, whoever counted first. Where figures are compared, the judge has ruled that
  // out.
  const isPast = ({ article, text }: Saying): boolean =>
    story.growth.isOutdated(text) || isGrowing(story.series.instead(text, article.publishedAt)?.figure);
  const standing = quarrels.filter(({ sides, figures }) =>
    figures ? !figures.some((figure) => story.growth.isTakenBack(figure)) : !sides.some(isPast),
  );
  const between = differencesIn(standing).map((group) => differenceOf(group, readings, story.growth));
  const losses = ({ about }: Disagreement) => Number(about === "deaths");
  const quoted = standing.flatMap(({ sides }) => sides.map(({ text }) => text));
  const claims = claimsInDoubt(story).filter(({ positions: [claim] }) => !quoted.includes(claim!.text));
  return [...between.sort((a, b) => losses(b) - losses(a)), ...claims].slice(0, MOST);
}

/**
 * What disagreement takes from the confidence: a contradiction 0.08, a figure or a claim in doubt 0.04, in all no more
 * than 0.15.
 */
export const doubt = (disagreements: readonly Disagreement[]): number =>
  Math.min(
    0.15,
    disagreements.reduce((sum, { kind }) => sum + (kind === "contradiction" ? 0.08 : 0.04), 0),
  );
