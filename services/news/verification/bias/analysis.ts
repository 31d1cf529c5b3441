export type PoliticalBias = "left" | "center-left" | "center" | "center-right" | "right" | "unknown";
export type Level = "low" | "medium" | "high";

/**
 * A place in the article: `article[field].slice(start, end)` is `text`; `lexicon` is the list or rule that found it.
 */
export interface Span {
  text: string;
  start: number;
  end: number;
  lexicon: string;
  field: "title" | "text";
  /** In direct speech, or passed on as what somebody else calls it: not the writer's word; it counts a quarter. */
  quoted?: boolean;
}

export interface BiasArticle {
  contentId: number;
  title: string;
  text: string;
  /** ISO 8601 */
  publishedAt?: string;
  /** Addresses the article links to. */
  links?: readonly string[];
}

export interface BiasAnalysis {
  contentId: number;
  politicalBias: PoliticalBias;
  /** 0..100 */
  politicalConfidence: number;
  emotionalLevel: Level;
  sensationalismLevel: Level;
  indicators: {
    loadedLanguage: Span[];
    unsupportedClaims: Span[];
    cherryPicking: boolean;
    adHominem: boolean;
    falseBalance: boolean;
    /** What a reader needs and the article lacks, in words. */
    omission: string[];
  };
  /** 0..100; the sum of `contributions`. */
  overallBiasScore: number;
  contributions: { label: string; points: number }[];
  /** Where the structural indicators and the framing were found. */
  evidence: {
    cherryPicking: Span[];
    adHominem: Span[];
    falseBalance: Span[];
    framing: Span[];
    sensationalism: Span[];
    voice: Span[];
  };
  summary: string;
  recommendations: string[];
  method: "heuristic" | "llm";
  lexiconVersion: string;
}
