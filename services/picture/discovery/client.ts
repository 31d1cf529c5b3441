import type { ServiceBroker } from "moleculer";
import { systemActor } from "../../../core/access/access.ts";
import { isUnserved, nullIf } from "../../../core/problem.ts";

/**
 * Whether a DID was cut off by an emergency disconnect: everywhere, or in this problem set. Asked of the store each
 * time, so that it holds on all nodes at once; a mesh without discovery cuts nobody off.
 */
export async function isCutOff(
  { broker }: { broker: ServiceBroker },
  did: string,
  problemSetId?: string,
): Promise<boolean> {
  const asked = { did, ...(problemSetId !== undefined && { problemSetId }) };
  const answer = broker.call<boolean, object>("discovery.isCutOff", asked, {
    meta: { actor: systemActor("discovery") },
  });
  return (await answer.catch(nullIf(isUnserved))) ?? false;
}
