import { asSystem } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { inheritAnew } from "../inheritance/client.ts";
import { leaveMissions } from "../missions/client.ts";
import { Member } from "./members/members.ts";

// The domains that a problem set is made of know nothing of its events: it asks them for what must follow.
interface Left {
  problemSetId: string;
  userId: string;
}
interface Placed {
  problemSetId: string;
  parentId?: string;
  fields?: string[];
}

/** Whoever is removed from a set takes part in none of its missions. */
export async function leaveTheirMissions(this: Host, { problemSetId, userId }: Left): Promise<void> {
  // Asked of the store: what is remembered of them may be from before they left.
  const isBack = await this.store(Member).one(asSystem("problem-sets"), { problemSetId, userId, status: "active" });
  if (!isBack) await leaveMissions(this, { problemSetId, userId });
}

/** A set that was made, or put below another or taken from it, inherits anew. */
export async function inheritFromParent(this: Host, { problemSetId, parentId, fields }: Placed): Promise<void> {
  if (fields ? fields.includes("parentId") : parentId !== undefined) await inheritAnew(this, problemSetId);
}
