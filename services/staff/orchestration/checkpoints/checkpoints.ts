import { z } from "zod";
import canonicalize from "canonicalize";
import { AUTHORITIES } from "../../../../config/safety.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { sha256 } from "../../../../core/ids.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

/** How long before expiry those who may decide are reminded, where the whole term was longer. */
export const WARNING_MS = 3_600_000;
const Arguments = z.record(z.string(), z.unknown());

export const Checkpoint = entity("orchestration.checkpoints", {
  title: "checkpoint",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    executionId: TextId,
    step: z.string().describe("Its place in the run."),
    name: z.string().describe("Of the workflow."),
    question: z.string(),
    /** As JSON: its keys are people's own words. */
    text: z.string(),
    approver: z.enum(AUTHORITIES).describe("The authority in the problem set that it takes, at least."),
    hash: z.string().describe("SHA-256 over the canonical JSON of what is decided; the decision must repeat it."),
    expiresAt: Instant,
    for: PersonId.describe("Who set the workflow going."),
    status: z.enum(["pending", "approved", "rejected", "expired", "cancelled"]),
    decidedBy: PersonId.optional(),
    decidedAt: Instant.optional(),
    reason: z.string().optional(),
    editedText: z.string().optional(),
    editedHash: z.string().optional(),
    warnedAt: Instant.optional(),
  },
  readonly: ["status"],
  immutable: ["problemSetId"],
  filter: ["problemSetId"],
  sort: ["expiresAt"],
  hidden: ["text", "editedText", "warnedAt"],
  barrier,
  lists: [{ by: ["problemSetId", "status"], filter: [] }],
  indexes: [
    { fields: ["status", "expiresAt"] },
    { fields: ["executionId", "status"] },
    { fields: ["for"] },
    { fields: ["decidedBy"], sparse: true },
  ],
});
export type Checkpoint = Item<typeof Checkpoint>;
type Values = z.output<typeof Arguments>;
export const argumentsOf = ({ text }: Pick<Checkpoint, "text">): Values => JSON.parse(text) as Values;
export const editedOf = ({ editedText }: Pick<Checkpoint, "editedText">): Values | undefined =>
  editedText === undefined ? undefined : (JSON.parse(editedText) as Values);

export const Shown = Checkpoint.view
  .extend({
    arguments: Arguments.describe("Exactly what is decided."),
    edited: Arguments.optional().describe("The arguments as they were approved, where they were edited."),
    mayDecide: z.boolean().describe("Whether you may decide it."),
  })
  .meta({ id: "WorkflowCheckpoint" });

/** The hash of what is decided: it covers the step, run, question and arguments. */
export const checkpointHash = ({
  executionId,
  step,
  question,
  arguments: final,
  problemSetId,
  approver,
  expiresAt,
}: Pick<Checkpoint, "executionId" | "step" | "question" | "problemSetId" | "approver" | "expiresAt"> & {
  arguments: Values;
}): string =>
  sha256(canonicalize({ executionId, step, question, arguments: final, problemSetId, approver, expiresAt }) ?? "");
