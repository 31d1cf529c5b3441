import { z } from "zod";
import type { PublishedEndpoint } from "../../../core/contract/catalogue.ts";
import { Instant, NumberId } from "../../../core/records/entity.ts";

/** The three things an agent can ask of this source (Document 1, What the service does). */
export const CAPABILITIES = ["briefings", "search", "domain_summaries"] as const;

export const LatestBriefing = z
  .object({
    briefing: z.string().describe("Markdown."),
    generatedAt: Instant,
    stats: z.object({ sources: z.int(), articles: z.int() }),
  })
  .meta({ id: "V1Briefing" });
export const Results = z
  .object({
    results: z.array(
      z.object({ title: z.string(), summary: z.string(), url: z.string(), confidence: z.number().min(0).max(1) }),
    ),
  })
  .meta({ id: "V1Search" });
export const TopStory = z.object({
  title: z.string().describe("The title of the article at `url`, told by `source` at `publishedAt`."),
  later: z.string().optional().describe("What later reports give for the figure of the title."),
  url: z.string(),
  source: z.string(),
  confidence: z.number().describe("Confidence in what the title says, 0 to 1."),
  sources: z.int().describe("Independent sources."),
  contested: z.boolean().describe("Whether its sources differ on something."),
  publishedAt: Instant,
});
const Cited = z.object({ articleId: NumberId, title: z.string(), url: z.string(), source: z.string() });
const Statement = z.object({ text: z.string(), cites: z.array(Cited) });
export const DomainSummary = z
  .object({
    domain: z.string(),
    summary: z
      .string()
      .describe("Plain text; each sentence is in an article, and contested statements are followed by the other side."),
    statements: z
      .array(
        Statement.extend({ contested: Statement.optional().describe("What other sources say instead.") }).meta({
          id: "V1Statement",
        }),
      )
      .describe("The sentences of the summary, with the articles they come from."),
    articleCount: z.int().describe("Articles of the stories that are about this domain, by their text."),
    topStories: z.array(TopStory),
  })
  .meta({ id: "V1DomainSummary" });
export const LatestArticles = z
  .object({
    articles: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        summary: z.string(),
        url: z.string(),
        source: z.string(),
        domain: z.string(),
        confidence: z.number(),
        publishedAt: Instant,
      }),
    ),
  })
  .meta({ id: "V1Articles" });

const Capability = z.object({
  name: z.enum(CAPABILITIES),
  method: z.literal("GET"),
  path: z.string(),
  parameters: z.record(z.string(), z.string()),
  description: z.string(),
});
export const Manifest = z
  .object({
    name: z.string(),
    version: z.string(),
    type: z.literal("rest"),
    baseUrl: z.string(),
    authentication: z.object({ header: z.literal("X-API-Key"), scope: z.literal("read") }),
    capabilities: z.array(Capability),
    description: z.string(),
    openapi: z.string(),
    mcp: z.string().describe("The same as tools over the Model Context Protocol (Streamable HTTP)."),
  })
  .meta({ id: "V1Manifest" });

const ABOUT: Record<(typeof CAPABILITIES)[number], { parameters: Record<string, string>; description: string }> = {
  briefings: { parameters: {}, description: "The newest briefing, in Markdown." },
  search: {
    parameters: { q: 'words, "phrases", a | b, -excluded, title: source: domain:' },
    description: "Articles that match, best first.",
  },
  domain_summaries: {
    parameters: { domain: "geopolitics, economics, technology, security, energy, health, environment or science" },
    description: "What matters in a domain now.",
  },
};

/**
 * What an agent reads to configure this platform as a REST source: of these endpoints, those that are tools of these
 * names.
 */
export const manifest = (
  baseUrl: string,
  version: string,
  endpoints: readonly PublishedEndpoint[],
): z.output<typeof Manifest> => ({
  name: "signalmesh",
  version,
  type: "rest",
  baseUrl,
  authentication: { header: "X-API-Key", scope: "read" },
  description:
    "News intelligence: briefings, full-text search and summaries by domain, each with the confidence it deserves.",
  openapi: `${baseUrl}/api/openapi.json`,
  mcp: `${baseUrl}/mcp`,
  capabilities: CAPABILITIES.map((name) => {
    const { path } = endpoints.find(({ contract }) => contract.tool === name)!;
    return { name, method: "GET", path: path.replace(/:(\w+)/g, "{$1}"), ...ABOUT[name] };
  }),
});

/** A summary's sentences as one plain text; what others say instead stands behind what is contested. */
export const summaryOf = (statements: z.output<typeof DomainSummary>["statements"]): string =>
  statements
    .map(({ text, contested }) => (contested ? `${text} (Sources differ: “${contested.text}”)` : text))
    .join(" ");
