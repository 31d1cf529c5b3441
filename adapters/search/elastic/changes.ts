import type { estypes } from "@elastic/elasticsearch";
import { Problem } from "../../../core/problem.ts";
import type { SearchDocument } from "../../../core/records/reading/search.ts";
import { entry } from "./articles.ts";

/** Changes, and characters of text, in one bulk request. */
const BULK = 500;
const BULK_CHARACTERS = 4_000_000;
/**
 * A removal during a rebuild has a higher version than any article: a stream that read the article before cannot
 * restore it.
 */
const REMOVED_VERSION = Number.MAX_SAFE_INTEGER;

export type IndexChange = { put: SearchDocument } | { remove: number };
type Operation = estypes.BulkOperationContainer | ReturnType<typeof entry>;

/** Whether a bulk request has enough changes, or characters of text. */
export const isFull = (count: number, characters: number): boolean => count >= BULK || characters >= BULK_CHARACTERS;

/** The operations of a change in the index behind an alias. */
export function operations(change: IndexChange, alias: string, isDraft: boolean): Operation[] {
  const target = { _index: alias, require_alias: true };
  if ("put" in change)
    return [
      { index: { ...target, _id: String(change.put.id), version: change.put.rev, version_type: "external_gte" } },
      entry(change.put),
    ];
  const versioned = isDraft && { version: REMOVED_VERSION, version_type: "external_gte" as const };
  return [{ delete: { ...target, _id: String(change.remove), ...versioned } }];
}

/**
 * Bulk requests in the order of changes. A put after the removal of the same article goes into the next: until a
 * refresh it would conflict with the removal's version.
 */
export function* batches(changes: readonly IndexChange[]): Generator<IndexChange[]> {
  let batch: IndexChange[] = [],
    length = 0,
    removed = new Set<number>();
  for (const change of changes) {
    if (isFull(batch.length, length) || ("put" in change && removed.has(change.put.id))) {
      yield batch;
      batch = [];
      length = 0;
      removed = new Set();
    }
    batch.push(change);
    if ("remove" in change) removed.add(change.remove);
    else length += change.put.text.length;
  }
  yield batch;
}

/**
 * Throws Problem 503 where a change failed. A conflict of versions means that the index has this revision or a newer
 * one; a draft may be gone by now.
 */
export function refuseFailures({ items, errors }: estypes.BulkResponse, live: string): void {
  if (!errors) return;
  const results = items.map((item) => item.index ?? item.delete);
  const failed = results.find(
    (result) => result?.error && result.status !== 409 && (result.status !== 404 || result._index === live),
  );
  if (failed)
    throw new Problem(503, "UPSTREAM_SEARCH", `Elasticsearch did not take an article (${failed.error!.type}).`, {
      headers: { "Retry-After": "5" },
    });
}
