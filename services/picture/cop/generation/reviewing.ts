import type { Host } from "../../../../core/contract/endpoint.ts";
import { findConflicts } from "../conflicts/reconciling.ts";
import { findLinkages } from "../linkages/reconciling.ts";

/** Compares what a problem set's layers show, with one another and with the platform's records. */
export async function review(host: Host, problemSetId: string): Promise<void> {
  await findConflicts(host, problemSetId);
  await findLinkages(host, problemSetId);
}
