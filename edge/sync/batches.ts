import canonicalize from "canonicalize";
import type { Change } from "../../core/sync/merge.ts";

/** What the hub takes at once is 500 changes and 2 MiB: half of it is left to the envelope and to growth. */
export const BOUNDS = { changes: 250, bytes: 1024 * 1024 };

/** One batch that was put together and is not answered yet. Sent again, it is the same to the byte. */
export interface PendingBatch {
  batchId: string;
  first: number;
  last: number;
}

/** The unsent changes that go together, in order from the first; at least one, however large. */
export function nextBatch(waiting: readonly Change[], batchId: string, most = BOUNDS): PendingBatch | undefined {
  if (!waiting.length) return undefined;
  let bytes = 0;
  let count = 0;
  for (const change of waiting) {
    bytes += Buffer.byteLength(canonicalize(change)!) + 1;
    if (count && (count >= most.changes || bytes > most.bytes)) break;
    count++;
  }
  return { batchId, first: waiting[0]!.seq, last: waiting[count - 1]!.seq };
}

/** What the hub says of one change. */
export interface ChangeAnswer {
  seq: number;
  status: "applied" | "duplicate" | "conflict" | "rejected";
  code?: string;
  message?: string;
}

/** A change that the hub did not take, and why: for its person to read, and to put again in another way. */
export interface Rejection {
  seq: number;
  entity: string;
  id: string;
  op: Change["op"];
  field?: string;
  code: string;
  message: string;
  /** When the node was told, by its own clock. */
  at: string;
  /** What was wanted; absent where the record may no longer be seen here. */
  value?: unknown;
}

/** Puts a refused change down as its person reads it. */
export function rejectionOf(
  { seq, entity, id, op, field, value }: Change,
  { code = "REJECTED", message = "The hub did not take it." }: { code?: string; message?: string },
  at: string,
  withdrawn = false,
): Rejection {
  return {
    ...{ seq, entity, id, op, code, message, at },
    ...(field !== undefined && { field }),
    ...(value !== undefined && !withdrawn && { value }),
  };
}

/**
 * Takes the number of a change that no hub can read, so that those behind it are not held up: the hub knows no such
 * entity, and says so.
 */
export const placeholderOf = ({ seq, id, hlc }: Change): Change => ({
  ...{ seq, id, hlc },
  entity: "nothing",
  op: "set",
  field: "nothing",
  value: null,
});
