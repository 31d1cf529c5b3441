import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { Citation } from "../../../../core/contract/citation.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { Failure, RunStep, type RunTelling } from "../run-progress.ts";
import { OBJECTIVE_KINDS, Objective } from "../objectives/objectives.ts";
import type { NamedCandidate } from "./candidates.ts";

export const EXTRACTION_OUTCOMES = ["created", "updated", "kept", "proposed", "removed"] as const;
/** From a text with more, the most certain are kept. */
export const MOST_FOUND = 300;

/** An objective that was found, and what was done with it. */
export const ExtractionResult = z
  .object({
    objectiveId: TextId,
    outcome: z
      .enum(EXTRACTION_OUTCOMES)
      .describe(
        "`created`, `updated` (a draft that nobody touched), `kept` as it was, `proposed` beside what a " +
          "person made of it, or `removed`: a person took it away, and so it stays.",
      ),
    statement: z.string(),
    kind: z.enum(OBJECTIVE_KINDS),
    method: z.enum(["heuristic", "llm"]),
    confidence: z.object({ value: z.number(), parts: z.array(z.object({ part: z.string(), value: z.number() })) }),
    citation: Citation,
  })
  .meta({ id: "ExtractedObjective" });
export type ExtractionResult = z.output<typeof ExtractionResult>;

export const Extraction = entity("strategic.extractions", {
  title: "extraction",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    documentId: TextId,
    version: z.int(),
    run: z.int(),
    by: PersonId,
    status: z.enum(["running", "completed", "failed"]),
    steps: z.array(RunStep),
    found: z.array(ExtractionResult),
    end: RunStep.optional(),
    failure: Failure.optional(),
    /** Objectives that any run announced: those that no longer exist were removed by a person. */
    told: z.array(TextId),
  },
  readonly: ["run", "by", "status", "steps", "found", "end", "failure", "told"],
  immutable: ["problemSetId", "compartments", "documentId", "version"],
  barrier,
  indexes: [{ fields: ["documentId"] }, { fields: ["by"] }],
});
export type Extraction = Item<typeof Extraction>;

export const extractionId = (documentId: string, version: number): string =>
  derivedId(`strategic.extractions/${documentId}/${version}`);

/** An extraction as followers see it. */
export function extractionTelling({ run, steps, found, status, end, failure }: Extraction): RunTelling {
  const events = [
    ...steps.map((data) => ({ event: "progress", data })),
    ...found.map((data) => ({ event: "objective", data })),
    ...(end ? [{ event: "progress", data: end }] : []),
  ];
  return { run, events, ...(status !== "running" && { end: failure ? { failed: failure } : {} }) };
}

type Saying = Pick<Objective, "statement" | "kind" | "measure" | "dueAt" | "owner">;
const said = ({ statement, kind, measure, dueAt, owner }: Saying): string =>
  JSON.stringify([
    statement,
    kind,
    measure && [
      measure.indicator,
      measure.unit,
      measure.baseline,
      measure.target,
      ...(measure.keep ? [measure.keep] : []),
    ],
    dueAt,
    owner,
  ]);
const placesOf = ({ citations }: Pick<Objective, "citations">): string =>
  JSON.stringify(citations.map(({ version, start, end }) => [version, start, end]));

/** The content of a found objective. */
export const objectiveContent = (
  { statement, kind, measure, dueAt, owner, citations, confidence, method }: NamedCandidate,
  version: number,
) => ({
  documentVersion: version,
  statement,
  kind,
  citations,
  confidence,
  method,
  ...(measure && { measure }),
  ...(dueAt && { dueAt }),
  ...(owner && { owner }),
});

export const isUntouched = ({ status, edited, method }: Objective): boolean =>
  status === "draft" && !edited && method !== "manual";

/** A rerun's change to an existing objective: an untouched draft is rewritten, any other stays; by no older version. */
export function changeBy(
  known: Objective,
  found: NamedCandidate,
  version: number,
  at: string,
): Record<string, unknown> | null {
  // An older version says nothing new.
  if (version < (known.documentVersion ?? 0)) return null;
  const isSame = said(known) === said(found);
  if (isUntouched(known)) {
    if (isSame && placesOf(known) === placesOf(found) && known.confidence.value === found.confidence.value) return null;
    const cleared = { measure: null, dueAt: null, owner: null };
    return { ...cleared, ...objectiveContent(found, version) };
  }
  const { proposal } = known;
  if (isSame || (proposal && said(proposal) === said(found) && placesOf(proposal) === placesOf(found))) return null;
  return { proposal: { ...objectiveContent(found, version), at } };
}

/** The outcome for one objective in this run: the same at once or after a kill. */
export function outcomeOf(objective: Objective | null, since: string): ExtractionResult["outcome"] {
  if (!objective) return "removed";
  if (objective.createdAt >= since) return "created";
  if (!isUntouched(objective)) return objective.proposal && objective.proposal.at >= since ? "proposed" : "kept";
  return objective.updatedAt >= since ? "updated" : "kept";
}
