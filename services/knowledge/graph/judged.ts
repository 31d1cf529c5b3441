import type { Caller } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";

/** What somebody judged of two entities; ids of any statements' subjects. */
export interface Judged {
  one: string;
  other: string;
  verdict: "positive" | "negative" | "unsure";
  at: string;
}

/** The judgements in a problem set that the caller sees, the oldest first. */
export const judgedFor = (_host: Host, _caller: Caller, _problemSetId: string): Promise<readonly Judged[]> =>
  Promise.resolve([]);
