import type { Planted } from "./requests.ts";

/** Parameters that name no planted record. */
const WORDS: Record<string, string> = {
  tab: "orders",
  phase: "mission-analysis",
  userRole: "planner",
  activityId: "alert-the-staff",
  type: "news",
  domain: "science",
  "/api/mdmp/activities/:id": "alert-the-staff",
};

/**
 * Fills a path's parameters with planted records where there are any, then with words, then with `otherwise`. The
 * longest template that the path begins with wins.
 */
export function fill(path: string, planted: Planted, otherwise = "1"): string {
  const segments = path.split("/");
  return segments
    .map((segment, at) => {
      if (!segment.startsWith(":")) return segment;
      const template = segments.slice(0, at + 1).join("/");
      return encodeURIComponent(
        planted[template] ?? planted[segment] ?? WORDS[template] ?? WORDS[segment.slice(1)] ?? otherwise,
      );
    })
    .join("/");
}
