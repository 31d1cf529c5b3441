import { asSystem } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { inheritAnew } from "../inheritance/client.ts";
import { leaveMissions } from "../missions/client.ts";
import { Member } from "./members/members.ts";

// The domains that a problem set uses do not hear its events: it calls what must follow in them.
interface Left {
  problemSetId: string;
  userId: string;
}
interface Placed {
  problemSetId: string;
  parentId?: string;
  fields?: string[];
}

/** Ends the missions of somebody who was removed from a set. */
export async function leaveTheirMissions(this: Host, { problemSetId, userId }: Left): Promise<void> {
  // Read from the store: what is remembered of them may be from before they left.
  const isBack = await this.store(Member).one(asSystem("problem-sets"), { problemSetId, userId, status: "active" });
  if (!isBack) await leaveMissions(this, { problemSetId, userId });
}

/** A set that is new, or has a new parent or none any more, inherits anew. */
export async function inheritFromParent(this: Host, { problemSetId, parentId, fields }: Placed): Promise<void> {
  if (fields ? fields.includes("parentId") : parentId !== undefined) await inheritAnew(this, problemSetId);
}
