import type { Host } from "../../../core/contract/endpoint.ts";
import { isUnserved } from "../../../core/problem.ts";

/** Where a DID was cut off by an emergency disconnect. */
export interface CutOff {
  everywhere: boolean;
  problemSetIds: string[];
}

/** Asks the store anew; an installation without discovery cuts nobody off. */
export const cutOffOf = (host: Host, did: string): Promise<CutOff> =>
  host.ask<CutOff>("discovery.cutOffOf", { did }).catch((error: unknown) => {
    if (isUnserved(error)) return { everywhere: false, problemSetIds: [] };
    throw error;
  });
