import type { Caller } from "../../../../core/access/caller.ts";
import type { Store } from "../../../../core/records/store.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { ProblemSet } from "./sets.ts";

/** Most sets that may stand above one. */
export const MOST_LEVELS = 32;

/**
 * Throws 422 `HIERARCHY_CYCLE` where the set stands at or above its new parent. Each set on the way up is read and
 * marked in one atomic step (`links` rises), and the move itself holds only while its own set's `links` is what it was
 * before the walk. Of moves that would close a cycle together, the one that writes last has been looked at by another
 * since it began, and fails.
 */
export async function refuseCycle(sets: Store<typeof ProblemSet>, id: string, parentId: string): Promise<void> {
  let at: string | undefined = parentId;
  for (let level = 1; at !== undefined; level++) {
    if (at === id)
      throw unprocessable("HIERARCHY_CYCLE", "A problem set cannot stand below itself.", [
        { path: "parentId", message: "This set stands at or below the one it would be put above." },
      ]);
    if (level > MOST_LEVELS)
      throw unprocessable("HIERARCHY_TOO_DEEP", `At most ${MOST_LEVELS} problem sets stand above one.`);
    at = (await sets.collection.claim({ _id: at }, { $inc: { links: 1 } }))?.["parentId"];
  }
}

/** The sets above one, nearest first, as far as the caller sees an unbroken line of them. */
export async function above(
  sets: Store<typeof ProblemSet>,
  caller: Caller,
  parentId: string | undefined,
): Promise<ProblemSet[]> {
  const line: ProblemSet[] = [];
  for (let at = parentId; at !== undefined && line.length <= MOST_LEVELS; at = line.at(-1)!.parentId) {
    const set = await sets.one(caller, { _id: at });
    if (!set) break;
    line.push(set);
  }
  return line;
}

/** The sets below one, level by level, each reached over sets that the caller sees. */
export async function below(sets: Store<typeof ProblemSet>, caller: Caller, id: string): Promise<ProblemSet[]> {
  const found: ProblemSet[] = [];
  let level = [id];
  while (level.length) {
    const children = await sets.find(caller, { parentId: { $in: level } }, { sort: ["name"] });
    found.push(...children);
    level = children.map((child) => child.id);
  }
  return found;
}
