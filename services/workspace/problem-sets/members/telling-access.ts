import type { Host } from "../../../../core/contract/endpoint.ts";
import { AccessChanged } from "../../../identity/auth/events.ts";
import type { MembershipsByPerson } from "./memberships.ts";

/** Makes every node forget somebody's access to a problem set; await it before the change is answered. */
export async function tellAccess(
  host: Host,
  { userId, problemSetId }: { userId: string; problemSetId: string },
): Promise<void> {
  await (host as Host & { memberships: MembershipsByPerson }).memberships.note(userId, problemSetId);
  await AccessChanged.emit(host, { userId, problemSetId });
}
