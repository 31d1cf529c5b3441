import type { Actor } from "../../../core/access/access.ts";
import type { Host } from "../../../core/contract/endpoint.ts";

/** What is done for somebody later: searching the news and what OSINT sources brought, reading documents. */
const POWERS = ["search:read", "documents:read", "admin:read"];

/**
 * A person as they stand now, narrowed as a key of theirs would be: what the mesh does for them later it does not do as
 * them in person. Null where the account may nothing.
 */
export async function actingFor(host: Host, userId: string): Promise<Actor | null> {
  const account = await host.ask<Omit<Actor, "via"> | null>("auth.actor", { userId });
  return account && { ...account, via: "key", limits: POWERS };
}
