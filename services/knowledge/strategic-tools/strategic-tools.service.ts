import { z } from "zod";
import type { Ctx } from "../../../core/access/caller.ts";
import { data } from "../../../core/contract/answer.ts";
import { Citation } from "../../../core/contract/citation.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { isUnserved, nullIf } from "../../../core/problem.ts";
import { TextId } from "../../../core/records/entity.ts";
import { cite } from "../../../core/text/citations.ts";
import { resemblance, sketchOf } from "../../../core/text/resemblance.ts";
import { inTurns, type Steps } from "../../../core/work/turns.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { categorising, THRESHOLD, type Categorised } from "./categorising.ts";
import { sourcesOf, type DocumentText } from "./client.ts";
import { FRAMEWORK_IDS, frameworkNamed, lexiconIn, type FrameworkId } from "./frameworks.ts";
import { ranked, STAKES, WEIGHTS, type RankedDocument, type Stake } from "./priority.ts";

const within = { set: "problemSetId", may: "documents:read" } as const;
const MOST_DOCUMENTS = 50;
const MOST_STAKES = 100;

const Framework = z.object({
  id: z.enum(FRAMEWORK_IDS),
  version: z.string(),
  title: z.string(),
  categories: z.array(z.object({ id: z.string(), name: z.string(), definition: z.string() })),
});
const Sorted = z
  .object({
    framework: Framework,
    method: z.literal("heuristic"),
    documents: z.array(
      z.object({
        documentId: z.string(),
        title: z.string(),
        version: z.int(),
        categories: z
          .array(
            z.object({
              category: z.string(),
              score: z.int().describe(`0..100; only those over ${THRESHOLD}.`),
              evidence: z.array(Citation.extend({ term: z.string().describe("The framework's term that it is.") })),
            }),
          )
          .describe("The highest first."),
        uncategorised: z.boolean().describe("Nothing in it indicates a category."),
      }),
    ),
  })
  .meta({ id: "CategorisedDocuments" });

const Part = { value: z.number().describe("0..1") };
const Ranking = z
  .object({
    framework: Framework,
    method: z.literal("heuristic"),
    weights: z.object({ relevance: z.number(), gap: z.number(), change: z.number() }),
    documents: z.int().describe("Documents that were read: the newest that you see."),
    domains: z.array(
      z.object({
        domain: z.string(),
        name: z.string(),
        priority: z.int().describe("0..100"),
        parts: z.object({
          relevance: z.object({
            ...Part,
            touches: z.array(z.object({ kind: z.enum(STAKES), id: z.string(), score: z.int() })),
          }),
          gap: z.object({
            ...Part,
            ageDays: z.number().nullable().describe("Of the newest document of the domain; null without any."),
            sources: z.int().describe("Documents that speak for themselves: alike texts are one."),
            documents: z.array(z.string()),
          }),
          change: z.object({
            ...Part,
            recent: z.int().describe("Documents within the last window."),
            usual: z.number().describe("Mean of the four windows before."),
            documents: z.array(z.string()),
          }),
        }),
      }),
    ),
  })
  .meta({ id: "RankedDomains" });

function aboutOf(id: FrameworkId): z.input<typeof Framework> {
  const { version, title, categories } = frameworkNamed(id);
  return {
    ...{ id, version, title },
    categories: categories.map(({ id: category, name, definition }) => ({ id: category, name, definition })),
  };
}

function* sorting(text: string, framework: FrameworkId): Steps<Categorised> {
  return yield* categorising(text, yield* lexiconIn(framework));
}

const sorted = (host: Host, ctx: Ctx<unknown>, text: string, framework: FrameworkId): Promise<Categorised> =>
  inTurns(sorting(text, framework), { signal: host.signal(ctx) });

const shown = (source: DocumentText, { categories, uncategorised }: Categorised) => ({
  documentId: source.documentId,
  title: source.title,
  version: source.version,
  uncategorised,
  categories: categories.map(({ category, score, evidence }) => ({
    ...{ category, score },
    evidence: evidence.map(({ term, start, end }) => ({ ...cite(source, { start, end }), term })),
  })),
});

interface Row {
  id: string;
  statement?: string;
  name?: string;
  objective?: string;
  monitor?: string;
  title?: string;
  status?: string;
}

/** Objectives and missions under way, and alerts that stand, that the caller sees, in their words. */
async function wantedBy(
  ctx: Ctx<unknown>,
  problemSetId: string,
): Promise<{ kind: Stake["kind"]; id: string; text: string }[]> {
  const ask = async (action: string, where = {}): Promise<Row[]> => {
    const page = await ctx
      .call<{ data: Row[] }, object>(action, { problemSetId, limit: MOST_STAKES, ...where })
      .catch(nullIf(isUnserved));
    return page?.data ?? [];
  };
  const standing = async (action: string): Promise<Row[]> =>
    (await Promise.all(["open", "acknowledged"].map((status) => ask(action, { status })))).flat();
  const [objectives, missions, threats, failing] = await Promise.all([
    ask("strategic.objectives.list"),
    ask("missions.list"),
    standing("strategic-agents.alerts.list"),
    standing("graph.validities.listAlerts"),
  ]);
  const isLive = ({ status = "" }: Row): boolean => !/^(rejected|superseded|completed|archived)$/.test(status);
  return [
    ...objectives.filter(isLive).map(({ id, statement = "" }) => ({ kind: "objective" as const, id, text: statement })),
    ...missions
      .filter(isLive)
      .map(({ id, name = "", objective = "" }) => ({ kind: "mission" as const, id, text: `${name}. ${objective}` })),
    ...threats.map(({ id, monitor = "", title = "" }) => ({
      kind: "threat-alert" as const,
      id,
      text: `${monitor}. ${title}`,
    })),
    ...failing.map(({ id, statement = "" }) => ({ kind: "validity-alert" as const, id, text: statement })),
  ];
}

export default {
  name: "strategic-tools",
  metadata: {
    description: "Documents sorted by the instruments of power (MIDLIFE), domains of analysis ranked (PMESII-PT).",
  },
  settings: { rest: "/strategic-tools" },
  mixins: [domain({})],

  actions: {
    categorizeMidlife: endpoint({
      rest: "POST /categorize-midlife",
      summary: "Sort documents by the instruments of power (MIDLIFE)",
      permit: "signed-in",
      within,
      reads: true,
      body: {
        problemSetId: TextId,
        documentIds: z
          .array(TextId)
          .min(1)
          .max(MOST_DOCUMENTS)
          .optional()
          .describe("Without it the newest of the set that you see."),
        framework: z.enum(FRAMEWORK_IDS).default("midlife"),
      },
      returns: data(Sorted),
      tool: "categorize_documents",
      description:
        `Military, informational, diplomatic, law enforcement, intelligence, financial, economic; scored ` +
        `by the framework's own words (\`data/frameworks\`, English), repeated words counting less each ` +
        `time. A document may be in several; one with nothing over ${THRESHOLD} is \`uncategorised\`. ` +
        `Each category cites the words behind it. Only the first 200,000 characters of a document are ` +
        `read.`,
      example: { problemSetId: "the problem set's id", framework: "pmesii-pt" },
      async handler(ctx) {
        const { problemSetId, documentIds, framework } = ctx.params;
        const documents = [];
        for (const source of await sourcesOf(ctx, { problemSetId, documentIds, documents: MOST_DOCUMENTS }))
          documents.push(shown(source, await sorted(this, ctx, source.text, framework)));
        return { framework: aboutOf(framework), method: "heuristic" as const, documents };
      },
    }),

    prioritizeDomain: endpoint({
      rest: "POST /prioritize-domain",
      summary: "Rank the domains of analysis (PMESII-PT)",
      permit: "signed-in",
      within,
      reads: true,
      body: {
        problemSetId: TextId,
        windowDays: z.int().min(1).max(90).default(7).describe("Days of a window, by which change is told."),
      },
      returns: data(Ranking),
      tool: "prioritize_domains",
      description:
        "What to examine first: .4 relevance (objectives, missions and standing alerts that touch the domain), .3 " +
        "gap (age of the information, number of independent sources), .3 change against the four previous windows. " +
        "Based on what you can see; each part lists the ids it comes from.",
      example: { problemSetId: "the problem set's id", windowDays: 14 },
      async handler(ctx) {
        const { problemSetId, windowDays } = ctx.params;
        const framework = "pmesii-pt" as const;
        const wanted = await wantedBy(ctx, problemSetId);
        const sources = await sourcesOf(ctx, { problemSetId, documents: 100, characters: 50_000 });
        const stakes: Stake[] = [];
        for (const { text, ...stake } of wanted)
          stakes.push({ ...stake, found: await sorted(this, ctx, text, framework) });
        const documents: RankedDocument[] = [];
        for (const { documentId, at, text } of sources)
          documents.push({
            documentId,
            at: Date.parse(at),
            sketch: sketchOf(text),
            found: await sorted(this, ctx, text, framework),
          });
        const about = aboutOf(framework);
        const rows = ranked(
          about.categories.map(({ id }) => id),
          { documents, stakes, now: this.world.clock.now(), windowDays, resemblance },
        );
        const nameOf = (id: string): string => about.categories.find((one) => one.id === id)!.name;
        return {
          framework: about,
          method: "heuristic" as const,
          weights: WEIGHTS,
          documents: documents.length,
          domains: rows.map((row) => ({ ...row, name: nameOf(row.domain) })),
        };
      },
    }),
  },
} satisfies MeshService;
