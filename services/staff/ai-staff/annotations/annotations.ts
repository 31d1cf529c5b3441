import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { invalidTransition } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

const TARGETS = ["document", "objective", "mission", "gate"] as const;
export type TargetType = (typeof TARGETS)[number];
export const ANNOTATION_STATES = ["proposed", "accepted", "dismissed", "resolved"] as const;
type State = (typeof ANNOTATION_STATES)[number];

/** The states that a note can move to from each state. */
const MOVES: Readonly<Record<State, readonly State[]>> = {
  proposed: ["accepted", "dismissed"],
  accepted: ["resolved"],
  dismissed: ["proposed"],
  resolved: [],
};
/** Throws 409 for an impossible move, naming the states in which it would be possible. */
export function demandMove(from: State, to: State): void {
  if (MOVES[from].includes(to)) return;
  const allowed = ANNOTATION_STATES.filter((state) => MOVES[state].includes(to));
  throw invalidTransition(`go to ${to}`, from, allowed);
}

const LONGEST_SPAN = 2_000;
export const Span = z
  .strictObject({
    start: z.int().min(0).describe("Offset in the document's text, in UTF-16 units."),
    end: z.int().min(1).describe("Exclusive."),
    quote: z.string().max(LONGEST_SPAN).optional().describe("The exact words at that position."),
  })
  .refine(({ start, end }) => end > start && end - start <= LONGEST_SPAN, {
    path: ["end"],
    message: `It ends behind its start, at most ${LONGEST_SPAN} units on.`,
  });

/** A note on one version of a record, and on a passage of it. */
export const Annotation = entity("ai-staff.annotations", {
  title: "annotation",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    targetType: z.enum(TARGETS),
    targetId: TextId,
    version: z
      .int()
      .min(1)
      .describe("Version of the document, or revision of another record. Without it, the current one."),
    span: Span.optional().describe("Of a document's text."),
    text: z.string().trim().min(1).max(4_000),
    agentId: TextId.optional().describe("The agent that made it, where one did."),
    status: z.enum(ANNOTATION_STATES),
    decidedBy: PersonId.optional(),
    decidedAt: Instant.optional(),
    reason: z.string().optional(),
  },
  readonly: ["agentId", "status", "decidedBy", "decidedAt", "reason"],
  immutable: ["problemSetId", "compartments"],
  filter: ["status", "targetType", "targetId"],
  barrier,
  lists: [{ by: ["problemSetId"] }],
  indexes: [{ fields: ["createdBy"] }, { fields: ["decidedBy"], sparse: true }],
});
export type Annotation = Item<typeof Annotation>;

export const AnnotationView = Annotation.view
  .extend({ stale: z.boolean().describe("Whether the target has moved on since, or is gone.") })
  .meta({ id: "StaffAnnotation" });
