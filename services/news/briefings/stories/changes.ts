import type { Domain } from "../../sources/events.ts";
import { byText, type BriefingInput, type BriefingSnapshot, type Change, type StoryMemory } from "../model.ts";
import { isAsked } from "../topics/topics.ts";
import type { Story } from "./stories.ts";
import { dot, heaviest, unit, type Vector } from "./vectors.ts";

/** How a story stands against the last briefing. */
export interface Progress {
  change: Change;
  /** The id it is followed under: the last briefing's where the story goes on, its own otherwise. */
  storyId: string;
  /** Articles and sources that the last briefing did not have. */
  newArticles: number;
  newSources: number;
  /** Its confidence in the last briefing. */
  before?: number;
  /** It had gone quiet, and is reported again. */
  returned: boolean;
}

export interface Comparison {
  progress: ReadonlyMap<Story, Progress>;
  /**
   * Stories of the last briefing, told by more than one source, of which nothing more was heard; what one source tells
   * once is not expected to go on.
   */
  quiet: StoryMemory[];
  /** Stories to be remembered though this briefing has nothing on them. */
  asleep: StoryMemory[];
}

// Without one article in common only the words remain; two stories of one field share some, two tellings of one story
// most.
const SAME_STORY = 0.4;
const REMEMBERED_TERMS = 16;
const REMEMBERED_STORIES = 200;
const REMEMBERED_ARTICLES = 200;
const QUIET_DAYS = 7;
/** Articles remembered as told, the latest: twice what a briefing may read. */
const MOST_TOLD = 4_000;

interface Match {
  story: Story;
  memory: StoryMemory;
  strength: number;
}

/** Stories that go on: with a text or an article in common (strength above 1), or told in the same terms. */
function matchesOf(stories: readonly Story[], memories: readonly StoryMemory[]): Match[] {
  const byTerm = new Map<string, StoryMemory[]>();
  const byKey = new Map<string, StoryMemory[]>();
  const vectors = new Map<StoryMemory, Vector>();
  const file = (index: Map<string, StoryMemory[]>, key: string, memory: StoryMemory) =>
    index.set(key, [...(index.get(key) ?? []), memory]);
  for (const memory of memories) {
    vectors.set(memory, unit(Object.entries(memory.terms)));
    for (const term of Object.keys(memory.terms)) file(byTerm, term, memory);
    for (const id of memory.storyIds) file(byKey, `text ${id}`, memory);
    for (const id of memory.articleIds) file(byKey, `article ${id}`, memory);
  }
  return stories
    .flatMap((story) => {
      const keys = story.articles.flatMap(({ id, storyId }) => [`text ${storyId}`, `article ${id}`]);
      const common = new Set(keys.flatMap((key) => byKey.get(key) ?? []));
      const profile = unit(heaviest(story.centroid, REMEMBERED_TERMS));
      const near = new Set([...common, ...Array.from(profile.keys()).flatMap((term) => byTerm.get(term) ?? [])]);
      return Array.from(near, (memory): Match => ({
        story,
        memory,
        strength: dot(profile, vectors.get(memory)!) + (common.has(memory) ? 1 : 0),
      })).filter(({ strength }) => strength >= SAME_STORY);
    })
    .sort(
      (a, b) =>
        b.strength - a.strength ||
        byText(a.story.storyId, b.story.storyId) ||
        byText(a.memory.storyId, b.memory.storyId),
    );
}

/**
 * Tells what is new, what develops and what has gone quiet since the last briefing; all is new where there was none.
 */
export function compare(
  stories: readonly Story[],
  previous: BriefingSnapshot | undefined,
  now: string,
  domains?: readonly Domain[],
): Comparison {
  const memories = previous?.stories ?? [];
  const progress = new Map<Story, Progress>();
  const continued = new Set<StoryMemory>();
  const told = new Set(previous?.told);
  for (const { story, memory } of matchesOf(stories, memories)) {
    if (!progress.has(story))
      progress.set(story, against(story, memory, continued.has(memory) ? story.storyId : memory.storyId, told));
    continued.add(memory);
  }
  for (const story of stories) if (!progress.has(story)) progress.set(story, unremembered(story, told));

  const gone = memories.filter((memory) => !continued.has(memory));
  const asked = ({ domain, elsewhere }: StoryMemory) => isAsked({ domain, elsewhere: elsewhere === true }, domains);
  const oldest = Date.parse(now) - QUIET_DAYS * 86_400_000;
  return {
    progress,
    quiet: gone.filter((memory) => asked(memory) && memory.quietSince === undefined && memory.sourceIds.length > 1),
    asleep: gone
      .filter(({ quietSince }) => quietSince === undefined || !(Date.parse(quietSince) < oldest))
      .map((memory) => (asked(memory) ? { ...memory, quietSince: memory.quietSince ?? now } : memory)),
  };
}

/** What a story has beyond the articles and sources that are known. */
function progressOf(
  { articles }: Story,
  isKnown: (id: number) => boolean,
  sources: ReadonlySet<number>,
): Pick<Progress, "change" | "newArticles" | "newSources"> {
  const fresh = articles.filter(({ id }) => !isKnown(id));
  return {
    change: fresh.length > 0 ? "developing" : "unchanged",
    newArticles: fresh.length,
    newSources: new Set(fresh.map(({ sourceId }) => sourceId).filter((id) => !sources.has(id))).size,
  };
}

/** A story without a memory is new, unless it was among those that the last briefing had no room to remember. */
function unremembered(story: Story, told: ReadonlySet<number>): Progress {
  const { storyId } = story;
  const known = story.articles.filter(({ id }) => told.has(id));
  if (!known.length) return { change: "new", storyId, newArticles: 0, newSources: 0, returned: false };
  const sources = new Set(known.map(({ sourceId }) => sourceId));
  return { ...progressOf(story, (id) => told.has(id), sources), storyId, returned: false };
}

function against(story: Story, memory: StoryMemory, storyId: string, told: ReadonlySet<number>): Progress {
  const articles = new Set(memory.articleIds);
  return {
    ...progressOf(story, (id) => articles.has(id) || told.has(id), new Set(memory.sourceIds)),
    storyId,
    before: memory.confidence,
    returned: memory.quietSince !== undefined,
  };
}

export interface Remembered {
  story: Story;
  storyId: string;
  confidence: number;
}

/**
 * What the next briefing compares with: the most important stories of this one, then those asleep; bounded in every
 * direction.
 */
export function snapshotOf(
  remembered: readonly Remembered[],
  asleep: readonly StoryMemory[],
  { period, now, previous }: Pick<BriefingInput, "period" | "now" | "previous">,
): BriefingSnapshot {
  const alive = remembered.map(({ story, storyId, confidence }): StoryMemory => ({
    storyId,
    headline: story.headline,
    domain: story.domain,
    ...(story.topic.elsewhere && { elsewhere: true as const }),
    storyIds: [...new Set(story.articles.map((article) => article.storyId))].slice(-REMEMBERED_ARTICLES),
    articleIds: story.articles.map(({ id }) => id).slice(-REMEMBERED_ARTICLES),
    sourceIds: [...new Set(story.articles.map(({ sourceId }) => sourceId))].sort((a, b) => a - b),
    confidence,
    terms: Object.fromEntries(
      heaviest(story.centroid, REMEMBERED_TERMS).map(([term, weight]) => [term, Math.round(weight * 1e4) / 1e4]),
    ),
  }));
  const told = new Set(previous?.told);
  for (const { story } of remembered) for (const { id } of story.articles) told.add(id);
  return {
    generatedAt: now,
    period,
    stories: [...alive, ...asleep].slice(0, REMEMBERED_STORIES),
    told: [...told].sort((a, b) => a - b).slice(-MOST_TOLD),
  };
}
