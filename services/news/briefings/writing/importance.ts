import { assertionOf, denies } from "../stories/assertion.ts";
import { headlineOf } from "../stories/headlines.ts";
import type { Comparison } from "../stories/changes.ts";
import type { News } from "../topics/topics.ts";
import type { Reading } from "../stories/readings.ts";
import { independentSources, storyConfidence, type Story } from "../stories/stories.ts";
import type { BriefingInput } from "../model.ts";

/** How far something is carried: 0..1, and by how many sources that speak for themselves. */
export interface StorySupport {
  confidence: number;
  independent: number;
}

/**
 * How far what the headline says is carried: by the voices that state its figures too, and do not deny it. One without a
 * figure that nobody denies stands as its story does.
 */
export function headlineStanding(story: Story, confidence: number, readings: readonly Reading[]): StorySupport {
  const told = assertionOf(headlineOf(story.lead));
  const agreeing = readings.filter(({ headline, body }) => {
    const said = [headline, ...body];
    const numbers = new Set(said.flatMap((each) => [...each.numbers]));
    return (
      [...told.numbers].every((figure) => numbers.has(figure)) &&
      !said.some((each) => denies(told, each) || denies(each, told))
    );
  });
  if (agreeing.length === 0 || agreeing.length === readings.length)
    return { confidence, independent: story.independent };
  const voices = agreeing.map(({ article }) => article);
  const independent = independentSources(voices);
  return { confidence: Math.min(confidence, storyConfidence(voices, independent)), independent };
}

/** How far the reader's interest in what does not weigh falls behind. */
const BEHIND: Record<News, number> = { hard: 1, sport: 0.2, soft: 0.1 };

/**
 * What deserves the reader's first minute: of consequence, reported independently, credibly, lately, and not read
 * before. The factors multiply, so that a rumour carried by many, or an old story told again, falls behind; how many
 * outlets carry it counts by its logarithm, or a cup final would lead.
 */
export function importanceOf(
  story: Story,
  consequence: number,
  confidence: number,
  { progress }: Comparison,
  { period, now }: BriefingInput,
): number {
  const newest = Date.parse(story.articles.at(-1)!.publishedAt);
  const span = Math.max(3_600_000, Date.parse(period.to) - Date.parse(period.from));
  const age = Math.max(0, Math.min(1, (Date.parse(now) - newest) / span));
  const recency = Number.isNaN(age) ? 0.75 : 1 - age / 2;
  const novelty = progress.get(story)!.change === "unchanged" ? 0.5 : 1;
  return (
    (1 + 0.6 * Math.log(story.independent)) *
    (1 + 0.15 * Math.log(story.articles.length)) *
    (0.3 + confidence) *
    (1 + 0.6 * consequence) *
    BEHIND[story.topic.news] *
    recency *
    novelty
  );
}
