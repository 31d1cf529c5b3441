import type { BulkWrite, Doc, Key, Query, Update } from "../../../core/records/documents.ts";
import { checkedQuery } from "../queries.ts";
import { checkedUpdate } from "../updates.ts";
import { plainDocument } from "../values.ts";

/** The target of a bulk's updates and removals. */
export interface BulkTarget {
  claim(query: Query, update: Update, options: { upsert: boolean }): Promise<Doc | null>;
  updateMany(query: Query, update: Update): Promise<number>;
  removeMany(query: Query): Promise<number>;
}

interface Step {
  at: number;
  run: (target: BulkTarget) => Promise<number>;
}
/** Either a run of inserts, or chains of other writes: chains may run concurrently, the steps of one in order. */
export type Lane =
  | { inserts: { at: number; doc: Doc }[]; chains?: undefined }
  | { chains: Step[][]; inserts?: undefined };

/**
 * Orders the writes of a bulk so that those which may touch one document keep their order. Lanes run one after the
 * other. A write by id joins the chain of its id; one by any other query is a lane by itself. @throws TypeError for an
 * invalid write, before any has run
 */
export function lanes(writes: readonly BulkWrite[]): Lane[] {
  const all: Lane[] = [];
  let chains: Map<Key, Step[]> | undefined;
  for (const [at, write] of writes.entries()) {
    if ("insert" in write) {
      chains = undefined;
      const doc = plainDocument(write.insert);
      const last = all.at(-1);
      if (last?.inserts) last.inserts.push({ at, doc });
      else all.push({ inserts: [{ at, doc }] });
      continue;
    }
    const { id, run } = step(write);
    if (id === undefined) {
      chains = undefined;
      all.push({ chains: [[{ at, run }]] });
      continue;
    }
    if (!chains) {
      chains = new Map();
      all.push({ chains: [] });
    }
    const chain = chains.get(id);
    if (chain) chain.push({ at, run });
    else {
      const begun = [{ at, run }];
      chains.set(id, begun);
      all.at(-1)!.chains!.push(begun);
    }
  }
  return all;
}

function step(write: Exclude<BulkWrite, { insert: Doc }>): { id: Key | undefined; run: Step["run"] } {
  const query = checkedQuery("remove" in write ? write.remove : write.update);
  const id = typeof query["_id"] === "string" || typeof query["_id"] === "number" ? query["_id"] : undefined;
  if ("remove" in write) return { id, run: (target) => target.removeMany(query) };
  const update = checkedUpdate(write.with);
  return { id, run: (target) => (write.upsert ? upserted(target, query, update) : target.updateMany(query, update)) };
}

/** Updates all that match, or else inserts: `updateMany` first, since a claim changes only one document. */
async function upserted(target: BulkTarget, query: Query, update: Update): Promise<number> {
  return (await target.updateMany(query, update)) || ((await target.claim(query, update, { upsert: true })) ? 1 : 0);
}
