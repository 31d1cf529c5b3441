import { z } from "zod";
import { HLC_PATTERN } from "./hlc.ts";
import { KINDS } from "./kinds.ts";
import type { Json } from "./merge.ts";

/** A batch: bytes as sent and as inflated, changes, and what one of these may name. */
export const MOST_BYTES = 2 * 1_024 * 1_024;
export const MOST_CHANGES = 500;
const MOST_BASES = 500;

/**
 * Any JSON, in what was JSON on the line: there is nothing to check. The schema of `z.json()` leads back into itself,
 * which generators of types do not compile.
 */
export const JsonValue = z.custom<Json>((value) => value !== undefined, "Must be a value.");

const DotText = z
  .string()
  .max(100)
  .regex(/^[\w-]{1,64}:\d{1,15}$/, "a dot: `<node>:<seq>`");
const HlcText = z
  .string()
  .regex(HLC_PATTERN, "15 digits of milliseconds, a point, 5 digits of a count")
  .describe("Hybrid logical clock: it only chooses which of several values is shown.");
const Sequence = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

export const ChangeText = z
  .strictObject({
    seq: Sequence.describe("Counts the changes of the node, from 1, without a gap."),
    entity: z
      .string()
      .min(1)
      .max(40)
      .describe(`One of ${Object.keys(KINDS).join(", ")}.`),
    id: z.string().min(1).max(64).describe("Of a record that the node makes: a UUID of its own."),
    op: z
      .enum(["set", "delete", "add", "remove", "delta"])
      .describe("A `set` without a field makes the record; `delta` changes a counter, `add` and `remove` a set."),
    field: z.string().min(1).max(40).optional(),
    value: JsonValue.optional().describe("Null clears a field."),
    bases: z
      .array(DotText)
      .max(MOST_BASES)
      .optional()
      .describe("The values that whoever made the change saw, by their dots `<node>:<seq>`."),
    hlc: HlcText,
  })
  .meta({ id: "EdgeChange" });

const Heads = z.array(z.object({ dot: z.string(), value: JsonValue, hlc: z.string() }));
export const StateText = z
  .object({
    vector: z.record(z.string(), z.int()).describe("By node, its last change to this record that is in here."),
    fields: z.record(z.string(), Heads).describe("Of a field, the values that no later change has seen."),
    counters: z.record(z.string(), z.object({ value: z.number(), dots: z.record(z.string(), z.int()) })),
    sets: z.record(z.string(), z.array(z.object({ value: z.string(), dots: z.array(z.string()) }))),
    fixed: z.record(z.string(), JsonValue),
    deletes: z.array(z.object({ dot: z.string(), hlc: z.string() })).describe("Not empty: deleted."),
  })
  .meta({ id: "EdgeRecordState" });

export const AnswerText = z
  .object({
    seq: z.int(),
    status: z.enum(["applied", "duplicate", "conflict", "rejected"]),
    code: z.string().optional().describe("Why it was rejected: for good."),
    message: z.string().optional(),
  })
  .meta({ id: "EdgeAnswer" });
export type AnswerText = z.output<typeof AnswerText>;
