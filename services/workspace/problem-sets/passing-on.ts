import type { Host } from "../../../core/contract/endpoint.ts";
import { inheritAnew } from "../inheritance/client.ts";
import { leaveMissions } from "../missions/client.ts";

/** What the domains that a problem set is made of must do after something happened in it: they know nothing of its events. */
export async function leaveTheirMissions(this: Host, { problemSetId, userId }: { problemSetId: string; userId: string }): Promise<void> {
  await leaveMissions(this, { problemSetId, userId });
}

/** A set that was made, or put below another or taken from it, inherits anew. */
export async function inheritFromParent(this: Host, { problemSetId, fields }: { problemSetId: string; fields?: string[] }): Promise<void> {
  if (!fields || fields.includes("parentId")) await inheritAnew(this, problemSetId);
}
