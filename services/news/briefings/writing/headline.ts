import { shortened } from "../../../../core/text/plain.ts";
import { escapeMarkdown } from "../render/markdown.ts";
import { asLabelled, commentOf } from "../stories/headlines.ts";
import type { BriefedStory } from "./outline.ts";
import { isLoadedHeadline } from "./wording.ts";

/** A longer headline is a text, and is cut. */
export const LONGEST_HEADLINE = 200;

const isQuoted = ({ headline, partial }: Pick<BriefedStory, "headline" | "partial">): boolean =>
  partial || isLoadedHeadline(headline);

/**
 * The headline that the briefing goes by: the first that several sources stand behind and no side is taken in; of fewer
 * sources where there is none, and none at all where all take sides or comment.
 */
export function leadingHeadline(stories: readonly BriefedStory[]): string | undefined {
  const plain = stories.filter((story) => !isQuoted(story) && !(story.lead && commentOf(story.lead)));
  return (plain.find(({ independent }) => independent > 1) ?? plain[0])?.headline;
}

/** A headline as it is shown: one that takes a side, or shouts, as the quotation of its outlet; a comment as one. */
function shownHeadline({ headline, lead, partial }: Pick<BriefedStory, "headline" | "lead" | "partial">): string {
  const short = shortened(headline, LONGEST_HEADLINE);
  if (!lead) return short;
  return asLabelled(lead, isQuoted({ headline, partial }) ? `“${short}” (${lead.sourceName})` : short);
}

export const titled = (story: BriefedStory): string => escapeMarkdown(shownHeadline(story));

/** The article of a story that a headline is cited with: the one it is taken from, else the newest. */
export function headlineCite({ lead, articles }: BriefedStory): number[] {
  const source = lead ?? articles.at(-1);
  return source ? [source.id] : [];
}
