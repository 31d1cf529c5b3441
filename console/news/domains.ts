import type { ListRow } from "../api/client.ts";

/** What a source is mostly about, or a story is filed under (Document 1). */
export type NewsDomain = ListRow<"GET /sources">["domain"];
export const DOMAINS: readonly NewsDomain[] = [
  "geopolitics",
  "economics",
  "technology",
  "security",
  "energy",
  "health",
  "environment",
  "science",
];
