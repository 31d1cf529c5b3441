import type { BriefingArticle } from "../../../services/news/articles/client.ts";
import { NOW, OUTLETS, type LabelledArticle } from "./corpus.ts";

/** A labelled article as a briefing reads it, brought together with others as its author has it. */
export function briefed(
  { key, event, outlet, ago, title, text, root, post }: LabelledArticle,
  id: number,
): BriefingArticle {
  const { name, domain } = OUTLETS[outlet]!;
  return {
    id,
    title,
    text,
    summary: text.split("\n\n")[0]!.slice(0, 300),
    url: `https://${outlet}.example/${key}`,
    sourceId: Object.keys(OUTLETS).indexOf(outlet) + 1,
    sourceName: name,
    domain,
    confidence: post ? 0.35 : 0.55,
    verified: false,
    publishedAt: new Date(NOW - ago).toISOString(),
    storyId: event,
    reportId: root,
  };
}
