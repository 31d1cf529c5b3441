import { isDeepStrictEqual } from "node:util";
import { holds, type Actor } from "../../../core/access/access.ts";

/** More sets than this at once, as at a change of mode, are told of in one word: read everything anew. */
const MOST_TOLD = 20;
const SETS_READ = "problem-sets:read";

type Memberships = NonNullable<Actor["memberships"]>;

const changedSets = (before: Memberships, after: Memberships): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (id) =>
      !isDeepStrictEqual(
        Object.hasOwn(before, id) ? before[id] : undefined,
        Object.hasOwn(after, id) ? after[id] : undefined,
      ),
  );

/**
 * What somebody's socket is told of a change of their access: each problem set in which it changed, whether they hear of
 * it or not, and once without a set where their account may something else. A credential narrowed to other domains is
 * told of the sets alone that it subscribed to.
 */
export function accessChanges(
  before: Actor,
  after: Actor,
  subscribed: ReadonlySet<string>,
): { problemSetId?: string }[] {
  const isNarrowed = after.limits !== undefined && !holds(after.limits, SETS_READ);
  const sets = changedSets(before.memberships ?? {}, after.memberships ?? {}).filter(
    (id) => !isNarrowed || subscribed.has(id),
  );
  const isElse = !isDeepStrictEqual([before.roles, before.mode], [after.roles, after.mode]);
  const told = sets.map((problemSetId) => ({ problemSetId }));
  return isElse || told.length > MOST_TOLD
    ? [...told.filter(({ problemSetId }) => subscribed.has(problemSetId)), {}]
    : told;
}
