import { preparing as readingOne } from "../../../../core/text/preparing.ts";
import { atOnce, each, type Steps } from "../../../../core/work/turns.ts";
import { compare } from "../stories/changes.ts";
import { consequenceOf } from "../stories/consequence.ts";
import { disagreementsOf, doubt } from "../stories/disagreement.ts";
import { readingsOf } from "../stories/readings.ts";
import { sectionOf, type PreparedBriefing, type PreparedStory } from "./prepared.ts";
import { publish } from "./publishing.ts";
import { extractSentences, statementsShown, type Extract } from "./extraction.ts";
import {
  byText,
  type BriefingInput,
  type Composed,
  type Position,
  type CitedSentence,
  type SummaryStatement,
} from "../model.ts";
import { numbersIn } from "../../../../core/text/statements/figures/numerals.ts";
import { headlineStanding, importanceOf } from "./importance.ts";
import { select } from "./ranking.ts";
import { isAsked } from "../topics/topics.ts";
import { reliabilityOf, round2, storiesOf } from "../stories/stories.ts";

/**
 * Reads the articles into ranked stories; deterministic, and independent of the order of the articles. A step is one
 * text or one story.
 */
export function* preparing(input: BriefingInput): Steps<PreparedBriefing> {
  yield* readingOne();
  const sorted = [...new Map(input.articles.map((article) => [article.id, article])).values()].sort(
    (a, b) => a.id - b.id,
  );
  const reliability = reliabilityOf(input.sources);
  const { stories: found, weights } = yield* storiesOf(sorted, reliability);
  const stories = found.filter(({ topic }) => isAsked(topic, input.domains));
  const asked = new Set(stories.flatMap((story) => story.articles));
  const articles = new Map(sorted.filter((article) => asked.has(article)).map((article) => [article.id, article]));
  const comparison = compare(stories, input.previous, input.now, input.domains);
  yield;
  const prepared: PreparedStory[] = [];
  const against = Map.groupBy(input.contradictions ?? [], ({ contentId }) => contentId);
  for (const story of stories) {
    const readings = readingsOf(story);
    const known = story.articles.flatMap(({ id }) => against.get(id) ?? []);
    const disagreement = yield* disagreementsOf(story, readings, known, articles);
    const confidence = round2(story.confidence - doubt(disagreement));
    const sourceIds = [...new Set(story.articles.map(({ sourceId }) => sourceId))].sort((a, b) => a - b);
    prepared.push({
      story,
      sourceIds,
      disagreement,
      confidence,
      headline: headlineStanding(story, confidence, readings),
      importance: importanceOf(story, consequenceOf(story, readings), confidence, comparison, input),
    });
    yield;
  }
  prepared.sort((a, b) => b.importance - a.importance || byText(a.story.storyId, b.story.storyId));
  return { input, articles, stories: prepared, comparison, weights, reliability };
}

const FULL_STORIES = 10;
/** What one source says with less confidence than this gets a line, not a story. */
const RUMOUR = 0.4;
const FULL_PER_DOMAIN = 3;
const ENOUGH_STORIES = 6;
const SUMMARY_SENTENCES = 6;

/**
 * The stories told in full: the most important, no domain crowding out the others; places that the others leave free go
 * to whatever is most important of what is left. What a single source reports is told by its headline once enough
 * stories of several sources fill the reader's two minutes; sport and soft news take no place.
 */
function toldInFull(stories: readonly PreparedStory[]): Set<PreparedStory> {
  const hard = stories.filter(({ story }) => story.topic.news === "hard");
  const several = hard.filter(({ story }) => story.independent > 1);
  const single = hard.filter(({ story, confidence }) => story.independent < 2 && confidence >= RUMOUR);
  const places = Math.max(Math.min(FULL_STORIES, several.length), ENOUGH_STORIES);
  const open = [...several, ...single];
  const full = new Set<PreparedStory>();
  const inSection = new Map<string, number>();
  for (const most of [FULL_PER_DOMAIN, Infinity])
    for (const prepared of open) {
      const count = inSection.get(sectionOf(prepared)) ?? 0;
      if (full.size === places || full.has(prepared) || count >= most) continue;
      full.add(prepared);
      inSection.set(sectionOf(prepared), count + 1);
    }
  return new Set(stories.filter((story) => full.has(story)));
}

/**
 * The summary: of the most important stories their best sentence, in the order of their importance, none that says again
 * what another does; three to six where there are as many stories, two sentences a story where there are fewer than
 * three.
 */
function summarise(extracts: ReadonlyMap<PreparedStory, Extract[]>): SummaryStatement[] {
  const leading = Array.from(extracts)
    .filter(([, found]) => found.length > 0)
    .slice(0, SUMMARY_SENTENCES + 2);
  const each = leading.length < 3 ? 2 : 1;
  const candidates = leading.flatMap(([prepared, found]) =>
    found.slice(0, each).map((sentence, place) => ({ prepared, sentence, weight: prepared.importance / (1 + place) })),
  );
  const chosen = select(
    candidates.map(({ sentence }) => sentence.vector),
    candidates.map(({ weight }) => weight),
    { most: SUMMARY_SENTENCES, lambda: 0.9, floor: 0 },
  );
  // In the order of importance, not of choice: the reader stops when he has enough.
  return chosen
    .sort((a, b) => a - b)
    .map((index) => {
      const { sentence, prepared } = candidates[index]!;
      return {
        ...statementOf(sentence),
        section: sectionOf(prepared),
        contested: otherSide(sentence.text, prepared),
      };
    });
}

const statementOf = ({ text, cites, spokenBy, later }: CitedSentence): CitedSentence => ({
  text,
  cites,
  ...(spokenBy !== undefined && { spokenBy }),
  ...(later !== undefined && { later }),
});

/** A number so particular that a sentence of the same story with it speaks of the same thing, though in other words. */
const PARTICULAR = 1_000;

/** Whether a sentence says what a position says: its words, or its figure where that is particular. */
function says(text: string, position: Position): boolean {
  if (text.includes(position.text)) return true;
  const numbers = new Set(numbersIn(text));
  return numbersIn(position.text).some((number) => number >= PARTICULAR && numbers.has(number));
}

/** What others of the story say instead, where a sentence takes a side: the reader must not take it for settled. */
export function otherSide(text: string, { disagreement }: PreparedStory): Position | undefined {
  const contested = disagreement.find(({ positions }) => positions.some((position) => says(text, position)));
  return contested && (contested.positions.find((position) => !says(text, position)) ?? contested.positions[0]);
}

/**
 * What is told in the summary or quoted as one side of a disagreement is not read twice: the story tells what else
 * there is, if anything.
 */
function besides(
  { story, disagreement }: PreparedStory,
  found: readonly Extract[],
  summary: readonly CitedSentence[],
): CitedSentence[] {
  const told = new Set(summary.map(({ text }) => text));
  const quoted = new Set(disagreement.flatMap(({ positions }) => positions.map(({ text }) => text)));
  const fresh = found.filter(({ text }) => !told.has(text));
  const rest = fresh.filter(({ text }) => !quoted.has(text));
  const room = Math.max(1, statementsShown(story) - (found.length - fresh.length));
  return (rest.length > 0 || disagreement.length > 0 ? rest : found).slice(0, room).map(statementOf);
}

/** Whether a story has anything to tell beside its headline and what the summary says; one that has not gets a line. */
const hasMore = (
  { story, disagreement }: PreparedStory,
  found: readonly Extract[],
  summary: readonly CitedSentence[],
): boolean =>
  story.independent > 1 ||
  disagreement.length > 0 ||
  found.some(({ text }) => summary.every((told) => told.text !== text));

/** A briefing, and its summary as plain sentences with what they cite, for whoever wants no document. */
export type BriefingDigest = Composed & { summary: SummaryStatement[] };

/** Composes a briefing by extraction alone; the same input gives the same bytes. A step is one text or one story. */
export function* composing(input: BriefingInput): Steps<BriefingDigest> {
  const prepared = yield* preparing(input);
  const full = toldInFull(prepared.stories);
  const extracts = new Map(
    yield* each(
      full,
      (story) => [story, extractSentences(story.story, prepared.weights, prepared.reliability)] as const,
    ),
  );
  const summary = summarise(extracts);
  yield;
  const composed = publish(prepared, {
    method: "heuristic",
    summary,
    tell(story) {
      const found = extracts.get(story);
      return found && hasMore(story, found, summary) ? { statements: besides(story, found, summary) } : null;
    },
  });
  return { ...composed, summary };
}

export const compose = (input: BriefingInput): Composed => atOnce(composing(input));
export const prepare = (input: BriefingInput): PreparedBriefing => atOnce(preparing(input));
