import { z } from "zod";
import { Citation } from "../../../core/contract/citation.ts";
import { PersonId } from "../../../core/access/person-reference.ts";
import { Instant } from "../../../core/records/entity.ts";
import { DESIGN_FINDING_KINDS } from "./analysis.ts";
import { Difference, Handoff } from "./design.ts";
import { FIELDS, SECTION_NAMES } from "./sections.ts";

export const SectionName = z.enum(SECTION_NAMES);
export const SectionView = z
  .object({
    section: SectionName,
    rev: z.int().describe('Goes into `If-Match` as `"r<rev>"`; 0 before anybody wrote it.'),
    ...FIELDS,
    updatedAt: Instant.nullable(),
    updatedBy: PersonId.nullable(),
  })
  .meta({ id: "DesignSection" });
const MissingField = z.object({ section: SectionName, field: z.string(), message: z.string() });
export const Status = z
  .object({
    problemSetId: z.string(),
    complete: z.boolean(),
    sections: z.array(z.object({ section: SectionName, complete: z.boolean(), missing: z.array(MissingField) })),
    missing: z.array(MissingField).describe("What is missing in all of them."),
  })
  .meta({ id: "DesignStatus" });
export const HandoffView = Handoff.view.meta({ id: "DesignHandoff" });
export const Package = z
  .object({
    problemSetId: z.string(),
    hash: z.string().describe("SHA-256 of what the sections say."),
    sections: Handoff.view.shape.sections,
    ready: z.boolean().describe("Whether it could be handed over now."),
    missing: z.array(MissingField),
    gates: z
      .array(z.object({ id: z.string(), name: z.string(), status: z.string() }))
      .describe("Hard gates that block it: they guard it and are not approved."),
    last: z.object({ id: z.string(), number: z.int(), hash: z.string(), at: Instant, by: PersonId }).nullable(),
    differences: z.array(Difference).describe("Against the last handoff; all of it before the first."),
  })
  .meta({ id: "DesignPackage" });
export const Analysis = z
  .object({
    problemSetId: z.string(),
    method: z
      .enum(["heuristic", "llm"])
      .describe("`llm` if some findings are the model's; each finding has its own method."),
    findings: z.array(
      z.object({
        kind: z.enum(DESIGN_FINDING_KINDS),
        message: z.string(),
        method: z.enum(["heuristic", "llm"]),
        design: z
          .array(
            z.object({
              section: SectionName,
              field: z.string(),
              item: z.string().optional(),
              start: z.int(),
              end: z.int(),
              quote: z.string(),
            }),
          )
          .describe("The words of the design: offsets in that field, or in that point's statement."),
        documents: z.array(Citation),
      }),
    ),
    documents: z.int().describe("How many documents were read for it: the newest that you see."),
    dropped: z.int().describe("Findings of the model without words that hold."),
    fault: z.string().optional().describe("Why the model had no part in it."),
  })
  .meta({ id: "DesignAnalysis" });
