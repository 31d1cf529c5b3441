import { z } from "zod";
import { NumberId } from "../../../core/records/entity.ts";
import { event } from "../../../core/events/event.ts";

/** The closed list of Document 1; every source has exactly one. */
export const DOMAINS = [
  "geopolitics",
  "economics",
  "technology",
  "security",
  "energy",
  "health",
  "environment",
  "science",
] as const;
export const Domain = z.enum(DOMAINS).meta({ id: "Domain" });
export type Domain = z.output<typeof Domain>;

/** Admiralty code (NATO AJP-2.1): how reliable a source is, apart from how credible one piece of its information is. */
export type Reliability = "A" | "B" | "C" | "D" | "E" | "F";

/** A source was removed: its articles stay, unless `articles` says that they go too; lists drop it. */
export const SourceRemoved = event(
  "news.source.removed",
  z.object({ id: NumberId, articles: z.enum(["keep", "remove"]).optional() }),
);
/** What its articles carry of a source changed. */
export const SourceChanged = event("news.source.changed", z.object({ id: NumberId, name: z.string(), domain: Domain }));

export const FETCH_OUTCOMES = ["fetched", "unchanged", "failed"] as const;
const Count = z.int().min(0);
/** A hint: a fetch ended. */
export const SourceFetched = event(
  "news.source.fetched",
  z.object({ sourceId: NumberId, outcome: z.enum(FETCH_OUTCOMES), created: Count, updated: Count }),
);
