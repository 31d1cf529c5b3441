import { systemActor } from "../../../core/access/access.ts";
import type { Caller } from "../../../core/access/caller.ts";

/** Somebody as far as it takes to see one graph as those do who are read into these compartments, and no others. */
export function readerOf(given: { problemSetId: string; compartments: readonly string[]; userId: string }): Caller {
  const { omniscient: _all, ...actor } = systemActor("graph");
  const membership = { role: "observer", permits: ["*:read"], compartments: given.compartments };
  const memberships = { [given.problemSetId]: membership };
  return { meta: { actor: { ...actor, userId: given.userId, memberships } }, locals: {} };
}
