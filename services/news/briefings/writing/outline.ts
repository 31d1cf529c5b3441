import type {
  BriefingSection,
  CitedSentence,
  Disagreement,
  Method,
  Period,
  StoryMemory,
  SummaryStatement,
} from "../model.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import type { News } from "../topics/topics.ts";
import type { Progress } from "../stories/changes.ts";
import type { Reliability } from "../stories/stories.ts";

/** A story as it is to be told. */
export interface BriefedStory {
  headline: string;
  /** The article whose title the headline is; absent where a model wrote it. */
  lead?: BriefingArticle;
  section: BriefingSection;
  news: News;
  /** The language of its headline, or its script, where it is not the briefing's. */
  foreign?: string;
  /** See `StoryTopic`. */
  softness: number;
  /** Its headline is of an outlet that takes sides. */
  partial: boolean;
  /** Oldest first. */
  articles: readonly BriefingArticle[];
  sourceIds: readonly number[];
  independent: number;
  confidence: number;
  /** Of what the headline says. */
  ofHeadline: { confidence: number; independent: number };
  disagreement: readonly Disagreement[];
  progress: Progress;
  statements: readonly CitedSentence[];
  /** Told in full, or as one line. */
  full: boolean;
}

export interface Outline {
  title: string;
  period: Period;
  method: Method;
  stats: { sources: number; articles: number; verified: number };
  /** More was published than was read. */
  isCut: boolean;
  /** When the briefing this one is compared with was made; absent for the first. */
  comparedWith?: string;
  summary: readonly SummaryStatement[];
  /** Most important first. */
  stories: readonly BriefedStory[];
  quiet: readonly StoryMemory[];
  articles: ReadonlyMap<number, BriefingArticle>;
  reliability: Reliability;
}
