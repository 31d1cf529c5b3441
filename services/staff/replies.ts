import { z } from "zod";
import { PersonId } from "../../core/access/person-reference.ts";
import type { LiveType } from "../../core/contract/live.ts";
import { tooMany } from "../../core/problem.ts";
import { Instant, TextId } from "../../core/records/entity.ts";
import type { Seating } from "./seats.ts";
import { ReplyCitation } from "./sources.ts";

const REPLY_STATES = ["queued", "answering", "completed", "stopped", "failed"] as const;
export const ENDED: readonly string[] = ["completed", "stopped", "failed"];
export const REPLY_METHODS = ["llm", "heuristic"] as const;

export const UNSUPPORTED =
  "Figures, dates and, in English, names of a model's answer that do not stand in what it cites for them or, where it " +
  "cites nothing, in what was read.";

export const Usage = z.object({ promptTokens: z.int(), completionTokens: z.int(), cost: z.number().optional() });

/** A message, and the reply to it, in one record: neither exists without the other. */
export const replyFields = {
  by: PersonId.describe("Who asked."),
  said: z.string().max(8_000),
  status: z.enum(REPLY_STATES),
  text: z.string().describe("The part of the reply stored so far."),
  attempt: z.int().describe("Rises whenever the reply is rewritten from the start: after a crash, or a model failure."),
  citations: z.array(ReplyCitation),
  method: z.enum(REPLY_METHODS).optional().describe("`heuristic`: quoted sentences, without a model."),
  unread: z.array(z.string()).optional().describe("Kinds of records that could not be asked."),
  unsupported: z.array(z.string()).optional().describe(UNSUPPORTED),
  usage: Usage.optional().describe("Of all that was asked of the model for it, broken-off attempts included."),
  reason: z.string().optional().describe("Why it was stopped, failed or cut off, or why no model wrote it."),
  endedAt: Instant.optional(),
  /** While a reply is owed: when it is checked whether it is being written. */
  dueAt: Instant.optional(),
  /** While it is owed: which of its asker's few places it takes. */
  seat: z.string().optional(),
};
export const replyIndexes = [
  { fields: ["dueAt"], sparse: true },
  { fields: ["by", "status"] },
  { fields: ["seat"], unique: true, sparse: true },
];

/** Messages of one person that are not answered yet, at the most. */
const MOST_OPEN = 5;
/** A place among them, of which nobody takes more by asking at once. */
export const askedBy = (by: string): Seating => ({
  by,
  most: MOST_OPEN,
  active: { by, status: { $nin: ENDED } },
  refusal: () => tooMany(`You have asked ${MOST_OPEN} things that are not answered yet.`, 5),
});

/** A record with a reply, of any domain. */
export interface Replied {
  id: string;
  rev: number;
  createdAt: string;
  problemSetId?: string | undefined;
  compartments: string[];
  by: string;
  said: string;
  status: (typeof REPLY_STATES)[number];
  text: string;
  attempt: number;
  citations: ReplyCitation[];
  method?: (typeof REPLY_METHODS)[number] | undefined;
  usage?: z.output<typeof Usage> | undefined;
  reason?: string | undefined;
  unsupported?: string[] | undefined;
}

export const Offset = z.int().describe("Length of `text` in UTF-16 units; the live parts continue from here.");

export const DeltaData = z
  .object({
    messageId: TextId,
    attempt: z.int(),
    seq: z.int().describe("From 0 in each attempt."),
    offset: z.int().describe("Where `text` begins in the reply, in UTF-16 units."),
    text: z.string(),
  })
  .meta({ id: "StaffReplyDelta" });

/** Without an act: for chats that carry nothing out. */
export const DoneData = z
  .object({
    messageId: TextId,
    attempt: z.int(),
    status: z.enum(REPLY_STATES),
    text: z.string(),
    citations: z.array(ReplyCitation),
    method: z.enum(REPLY_METHODS).nullable(),
    usage: Usage.nullable(),
    reason: z.string().nullable(),
    unsupported: z.array(z.string()).describe(UNSUPPORTED),
  })
  .meta({ id: "StaffReplyDone" });

export type DeltaEvent = LiveType<typeof DeltaData>;

export const doneOf = ({ id, attempt, status, text, citations, method, usage, reason, unsupported = [] }: Replied) => ({
  messageId: id,
  attempt,
  status,
  text,
  citations,
  method: method ?? null,
  usage: usage ?? null,
  reason: reason ?? null,
  unsupported,
});
