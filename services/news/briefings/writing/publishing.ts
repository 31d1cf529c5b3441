import { shortened } from "../../../../core/text/plain.ts";
import type { CitedSentence, Composed, Method, SummaryStatement } from "../model.ts";
import { day } from "../render/markdown.ts";
import { snapshotOf, type Progress } from "../stories/changes.ts";
import { sectionOf, type PreparedBriefing, type PreparedStory } from "./prepared.ts";
import { writeDocument } from "./document.ts";
import { leadingHeadline } from "./headline.ts";
import type { BriefedStory } from "./outline.ts";

const TITLE_LENGTH = 140;

export interface BriefingAccount {
  method: Method;
  summary: readonly SummaryStatement[];
  /** What is said about a story and under which headline; null where it gets one line. */
  tell(story: PreparedStory): { headline?: string; statements: readonly CitedSentence[] } | null;
}

/** A prepared story with what the account says about it; null where it gets one line. */
function briefedStory(
  prepared: PreparedStory,
  account: ReturnType<BriefingAccount["tell"]>,
  progress: Progress,
): BriefedStory {
  return {
    headline: account?.headline ?? prepared.story.headline,
    ...(account?.headline === undefined && { lead: prepared.story.lead }),
    section: sectionOf(prepared),
    ...(account?.headline === undefined && prepared.story.foreign && { foreign: prepared.story.foreign }),
    news: prepared.story.topic.news,
    softness: prepared.story.topic.softness,
    partial: account?.headline === undefined && prepared.story.isPartial(prepared.story.lead),
    articles: prepared.story.articles,
    sourceIds: prepared.sourceIds,
    independent: prepared.story.independent,
    confidence: prepared.confidence,
    ofHeadline:
      account?.headline === undefined
        ? prepared.headline
        : { confidence: prepared.confidence, independent: prepared.story.independent },
    disagreement: prepared.disagreement,
    progress,
    statements: account?.statements ?? [],
    full: account !== null,
  };
}

/** A story of a briefing as it is stored. */
const storyRecord = (story: BriefedStory, prepared: PreparedStory): Composed["stories"][number] => ({
  storyId: story.progress.storyId,
  headline: story.headline,
  ...(story.lead && { headlineOf: story.lead.id }),
  ...(story.lead && prepared.story.later !== undefined && { later: prepared.story.later }),
  domain: prepared.story.domain,
  ...(story.section === "elsewhere" && { elsewhere: true as const }),
  articleIds: story.articles.map(({ id }) => id),
  sourceIds: [...story.sourceIds],
  independentSources: story.independent,
  confidence: story.confidence,
  headlineConfidence: story.ofHeadline.confidence,
  change: story.progress.change,
  ...(story.disagreement.length > 0 ? { disagreement: [...story.disagreement] } : {}),
});

/** Puts an account of the prepared stories into the briefing's form. */
export function publish(prepared: PreparedBriefing, { method, summary, tell }: BriefingAccount): Composed {
  const { input, articles, stories, comparison, reliability } = prepared;
  const told = stories.map((each) => briefedStory(each, tell(each), comparison.progress.get(each.story)!));
  const stats = {
    sources: new Set([...articles.values()].map(({ sourceId }) => sourceId)).size,
    articles: articles.size,
    verified: [...articles.values()].filter(({ verified }) => verified).length,
  };
  const title = titleOf(input.period.to, leadingHeadline(told));
  const { content, cited } = writeDocument({
    title,
    period: input.period,
    method,
    stats,
    isCut: input.isCut === true,
    comparedWith: input.previous?.generatedAt,
    summary,
    stories: told,
    quiet: comparison.quiet,
    articles,
    reliability,
  });
  const remembered = stories.map(({ story, confidence }) => ({
    story,
    confidence,
    storyId: comparison.progress.get(story)!.storyId,
  }));
  return {
    title,
    content,
    stats,
    articles: cited,
    method,
    stories: told.map((story, at) => storyRecord(story, stories[at]!)),
    snapshot: snapshotOf(remembered, comparison.asleep, input),
  };
}

function titleOf(to: string, headline: string | undefined): string {
  const title = `Briefing, ${day(to)}${headline ? `: ${headline}` : ""}`;
  return shortened(title, TITLE_LENGTH);
}
