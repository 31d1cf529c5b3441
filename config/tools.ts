/**
 * What agents may use as tools over MCP: name → action. Everything else about a tool (description, parameters, answer, who may
 * call it) is that action's contract. The first three are the capabilities that `/api/v1/manifest` names.
 */
export const TOOLS = {
  briefings: "v1.latestBriefing",
  search: "v1.search",
  domain_summaries: "v1.domainSummary",

  list_articles: "articles.list",
  read_article: "articles.get",
  article_statistics: "articles.stats",
  judge_article: "articles.verify",
  search_articles: "search.search",
  search_syntax: "search.syntax",
  list_briefings: "briefings.list",
  read_briefing: "briefings.get",
  generate_briefing: "briefings.generate",
  list_sources: "sources.list",
  add_source: "sources.create",

  extract_claims: "verification.verifyClaims",
  read_claims: "verification.claims",
  cross_reference_claim: "verification.crossReferenceClaim",
  cross_reference_article: "verification.crossReferenceContent",
  analyse_bias: "verification.bias",
  verify_article: "verification.deep",
  verification_progress: "verification.work",
  confidence_trail: "verification.trail",
  verification_summary: "verification.summary",
  verification_overview: "verification.overview",
  claim_review: "verification.claimReview",
  source_reliability: "verification.sourceReliability",
  source_bias: "verification.biasSource",
} as const satisfies Record<string, `${string}.${string}`>;
