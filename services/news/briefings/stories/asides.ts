import type { Story } from "./stories.ts";
import { dot } from "./vectors.ts";

/** Stories nearer to each other than this speak of one event. */
const BESIDE = 0.25;

/**
 * Stories as they stand beside others: what seems soft, or sport, and speaks of what a graver story speaks of, is a part
 * of that (who filmed the fire, how the parish prays), and belongs where that does. Grouping keeps it apart.
 */
export function besideGraver(stories: readonly Story[]): Story[] {
  const hard = stories.filter(({ topic }) => topic.news === "hard");
  return stories.map((story) => {
    if (story.topic.news === "hard") return story;
    const near = hard
      .map((graver) => ({ graver, nearness: dot(story.centroid, graver.centroid) }))
      .filter(({ nearness }) => nearness >= BESIDE)
      .sort((a, b) => b.nearness - a.nearness)[0]?.graver;
    if (!near) return story;
    const { domain, elsewhere } = near.topic;
    return { ...story, domain, topic: { ...story.topic, domain, elsewhere, news: "hard", softness: 0 } };
  });
}
