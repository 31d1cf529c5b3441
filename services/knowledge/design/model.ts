import { z } from "zod";
import { cite } from "../../../core/text/citations.ts";
import { locator } from "../../../core/text/locate.ts";
import type { ModelQuestion } from "../model-questions.ts";
import type { DocumentText } from "../strategic-tools/client.ts";
import { DESIGN_FINDING_KINDS, type DesignFinding, type InDesign, type Spot } from "./analysis.ts";

/** What a model may say of a design: each finding by words that stand in it or in its documents. */
export const ModelProposal = z.object({
  findings: z
    .array(
      z.object({
        kind: z.enum(DESIGN_FINDING_KINDS),
        message: z.string().min(1).max(400),
        quotes: z.array(z.string().min(8).max(600)).min(1).max(4),
      }),
    )
    .max(20),
});
export type ModelProposal = z.output<typeof ModelProposal>;

const MOST_OF_A_SOURCE = 6_000;
const MOST_SOURCES = 5;

/** Asks what is missing in a design, and what cannot hold together. */
export const questionOf = (spots: readonly Spot[], sources: readonly DocumentText[]): ModelQuestion<ModelProposal> => ({
  name: "design_analysis",
  schema: ModelProposal,
  maxTokens: 2_000,
  task: [
    "You examine an operational design for gaps (a problem that the approach does not answer, an end state " +
      "that nothing leads to) and contradictions (two statements that cannot both hold).",
    "Each finding quotes, word for word, the sentences that it rests on. A contradiction quotes both sides. " +
      "What you cannot quote you leave out.",
  ].join("\n"),
  material: ({ quote }) => [
    quote(spots.map((spot) => `[${spot.section}] ${spot.quote}`).join("\n"), "design"),
    ...sources
      .slice(0, MOST_SOURCES)
      .map(({ title, text }) => quote(text.slice(0, MOST_OF_A_SOURCE), `document ${title}`)),
  ],
});

/** The findings whose quotes stand where the model says; `dropped` counts the others. */
export function acceptFindings(
  { findings }: ModelProposal,
  spots: readonly Spot[],
  sources: readonly DocumentText[],
): { findings: DesignFinding[]; dropped: number } {
  const inSources = sources.map((source) => ({ source, find: locator(source.text) }));
  const accepted = findings.flatMap(({ kind, message, quotes }): DesignFinding[] => {
    const design = new Set<Spot>();
    const documents: DesignFinding["documents"] = [];
    for (const quote of quotes) {
      const spot = spots.find((one) => one.quote.includes(quote.trim()));
      if (spot) {
        design.add(spot);
        continue;
      }
      const found = inSources.map(({ source, find }) => [source, find(quote)] as const).find(([, span]) => span);
      if (!found) return [];
      documents.push(cite(found[0], found[1]!));
    }
    // What rests on documents alone says nothing of the design; a contradiction has two sides.
    if (!design.size || (kind === "contradiction" && design.size + documents.length < 2)) return [];
    const places = [...design].map(({ section, field, item, start, end, quote }): InDesign => ({
      ...{ section, field, start, end, quote },
      ...(item !== undefined && { item }),
    }));
    return [{ kind, message, method: "llm", design: places, documents }];
  });
  return { findings: accepted, dropped: findings.length - accepted.length };
}
