import type { BriefingArticle } from "../articles/client.ts";
import type { Domain } from "../sources/events.ts";
import type { Contradiction } from "../verification/client.ts";

/** What a briefing is made of and what comes out: plain data, shared by every step of the composition. */

export const METHODS = ["heuristic", "llm"] as const;
export type Method = (typeof METHODS)[number];

/** The domains' names, in the order in which a briefing shows them. */
export const DOMAIN_NAMES = {
  geopolitics: "Geopolitics",
  security: "Security",
  economics: "Economics",
  energy: "Energy",
  technology: "Technology",
  health: "Health",
  environment: "Environment",
  science: "Science",
} as const satisfies Record<Domain, string>;
/** The domains in the order of a briefing's sections. */
export const SECTIONS = Object.keys(DOMAIN_NAMES) as Domain[];
/** Where stories stand that belong to no domain, such as an accident or a wedding: behind all sections. */
export const SECTION_NAMES = { ...DOMAIN_NAMES, elsewhere: "Other news" } as const;
export type BriefingSection = keyof typeof SECTION_NAMES;

export interface BriefingSource {
  name: string;
  /** The source's track record, 0..1; absent where it cannot be judged yet. */
  reliability?: number;
}

export interface Period {
  from: string;
  to: string;
}

export type Change = "new" | "developing" | "unchanged";

/** What one briefing remembers of a story, so that the next can tell what changed. */
export interface StoryMemory {
  storyId: string;
  headline: string;
  domain: Domain;
  /** The story belonged to no domain: it is left out of a briefing that asks for some. */
  elsewhere?: true;
  storyIds: string[];
  articleIds: number[];
  sourceIds: number[];
  /** 0..1 */
  confidence: number;
  /** The heaviest terms of the story, as a unit vector: finds it again when every article is another one. */
  terms: Record<string, number>;
  /** Since which briefing nothing was reported; absent while the story is alive. */
  quietSince?: string;
}

export interface BriefingSnapshot {
  generatedAt: string;
  period: Period;
  stories: StoryMemory[];
  /** Articles told of in it and before, ascending, of stories that had no room here too; older snapshots lack it. */
  told?: number[];
}

export interface BriefingInput {
  articles: readonly BriefingArticle[];
  /** Not all articles that were published were read. */
  isCut?: boolean;
  period: Period;
  previous?: BriefingSnapshot;
  /** The caller's clock, ISO 8601. */
  now: string;
  sources: ReadonlyMap<number, BriefingSource> | Readonly<Record<number, BriefingSource>>;
  /** What verification found before; texts that nobody has verified are compared by the composition itself. */
  contradictions?: readonly Contradiction[];
  /**
   * The domains that were looked at; a story of another domain has not gone quiet, it was not asked for. All where
   * absent.
   */
  domains?: readonly Domain[];
}

/** A sentence and the articles that say it. */
export interface CitedSentence {
  text: string;
  cites: number[];
  /** The outlet whose words these are, where they take a side: they are shown as its quotation. */
  spokenBy?: string;
  /** The later figure, where later reports count more; the last of `cites` is one of these. */
  later?: string;
}

/** A statement of the summary, and where the reader finds more. */
export interface SummaryStatement extends CitedSentence {
  section: BriefingSection;
  /** The latest position of others, where the statement takes one side of a disagreement. */
  contested?: Position;
}

/** One side of a disagreement: the words as they stand in the articles cited. */
export interface Position {
  text: string;
  articleIds: number[];
  sourceIds: number[];
}

export interface Disagreement {
  kind: "figures" | "contradiction" | "claim";
  /** What it is about: "deaths", "share in percent", ... */
  about: string;
  positions: Position[];
}

export interface ComposedStory {
  storyId: string;
  headline: string;
  /** The article whose title the headline is; absent where a model wrote it. */
  headlineOf?: number;
  /** What later reports give for the figure of that title. */
  later?: string;
  domain: Domain;
  /** It belongs to none of the domains, and is told behind them. */
  elsewhere?: true;
  articleIds: number[];
  sourceIds: number[];
  /** How many of them speak for themselves: outlets that carry one wire text are one voice. */
  independentSources: number;
  /** 0..1, two decimals. */
  confidence: number;
  /** Of what the headline says: less where not all voices say it. */
  headlineConfidence: number;
  disagreement?: Disagreement[];
  change: Change;
}

export interface Composed {
  title: string;
  /** Markdown. */
  content: string;
  /** What was read: distinct sources, articles, and how many of these are verified. */
  stats: { sources: number; articles: number; verified: number };
  /** Ids cited, in the order of their first citation. */
  articles: number[];
  stories: ComposedStory[];
  method: Method;
  snapshot: BriefingSnapshot;
}

export type ConfidenceLevel = "high" | "medium" | "low";
/** The level of a confidence 0..1: high from 0.75, medium from 0.5, low below. */
export const levelOf = (confidence: number): ConfidenceLevel =>
  confidence >= 0.75 ? "high" : confidence >= 0.5 ? "medium" : "low";

/** Orders strings by code unit, so that the order does not depend on the machine's locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
