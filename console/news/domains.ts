import type { ListRow } from "../api/client.ts";

/** What a source is mostly about, or a story is filed under (Document 1). */
export type NewsDomain = ListRow<"GET /sources">["domain"];
/** All of them, in the order of the document: the compiler finds one that is missing. */
export const DOMAINS = Object.keys({
  geopolitics: true,
  economics: true,
  technology: true,
  security: true,
  energy: true,
  health: true,
  environment: true,
  science: true,
} satisfies Record<NewsDomain, true>) as readonly NewsDomain[];
