/**
 * What agents may use as tools over MCP: name → action. Everything else about a tool (description, parameters, answer, who may
 * call it) is that action's contract. The first three are the capabilities that `/api/v1/manifest` names.
 */
export const TOOLS = {
  briefings: "v1.briefings.getLatest",
  search: "v1.search",
  domain_summaries: "v1.domains.getSummary",

  list_articles: "articles.list",
  read_article: "articles.get",
  article_statistics: "articles.getStats",
  judge_article: "articles.verify",
  search_articles: "search.search",
  search_syntax: "search.getSyntax",
  list_briefings: "briefings.list",
  read_briefing: "briefings.get",
  generate_briefing: "briefings.generate",
  list_sources: "sources.list",
  add_source: "sources.create",

  extract_claims: "verification.claims.extract",
  read_claims: "verification.claims.list",
  cross_reference_claim: "verification.crossReferences.findForClaim",
  cross_reference_article: "verification.crossReferences.findForContent",
  analyse_bias: "verification.biases.analyse",
  verify_article: "verification.contents.verifyDeeply",
  verification_progress: "verification.jobs.get",
  confidence_trail: "verification.trails.get",
  verification_summary: "verification.getSummary",
  verification_overview: "verification.getOverview",
  claim_review: "verification.claimReviews.get",
  source_reliability: "verification.reliabilities.get",
  source_bias: "verification.biases.getBySource",
} as const satisfies Record<string, `${string}.${string}`>;
