import { setImmediate as nextTurn } from "node:timers/promises";
import type { SearchDocument } from "../../core/records/reading/search.ts";
import type { TermBlock } from "./postings/blocks.ts";
import type { Columns } from "./postings/columns.ts";
import { Gathering } from "./postings/gathering.ts";

/**
 * Analysing and merging give the event loop back after this long; what they began they finish first (one document, one
 * term).
 */
const SLICE_MS = 6;
/** Looks at the clock every so many terms: a look costs as much as a term. */
const BETWEEN_LOOKS = 64;

/** Documents ready to be written. */
export interface PreparedDocuments {
  gathering: Gathering;
  columns: Columns;
  blocks: readonly TermBlock[];
}

/** Whether the time of a slice that begins now is up. */
export function slice(): () => boolean {
  const end = performance.now() + SLICE_MS;
  return () => performance.now() >= end;
}

/** Documents analysed and their lists written, a slice in each turn of the event loop. */
export async function prepared(documents: readonly SearchDocument[]): Promise<PreparedDocuments> {
  const gathering = new Gathering();
  let isTime = slice(),
    looks = 0;
  for (const document of documents) {
    gathering.add(document);
    if (!isTime()) continue;
    await nextTurn();
    isTime = slice();
  }
  const writing = gathering.blocks(() => ++looks % BETWEEN_LOOKS === 0 && isTime());
  for (let step = writing.next(); ; step = writing.next()) {
    if (step.done) return { gathering, columns: gathering.columns(), blocks: step.value };
    await nextTurn();
    isTime = slice();
  }
}
