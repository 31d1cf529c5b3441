import type { Caller } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { Judgement, pairsOf } from "./resolution/judgements.ts";

/** What somebody judged of two entities; ids of any statements' subjects. */
export interface Judged {
  one: string;
  other: string;
  verdict: "positive" | "negative" | "unsure";
  at: string;
}

/** The judgements in a problem set that the caller sees, whole, the oldest first. */
export async function judgementsFor(host: Host, caller: Caller, problemSetId: string): Promise<Judgement[]> {
  const found: Judgement[] = [];
  for await (const slice of host.store(Judgement).slices(caller, { problemSetId }))
    found.push(...(slice as Judgement[]));
  return found.sort((one, other) =>
    one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id) ? -1 : 1,
  );
}

/** The same, pair by pair. */
export const judgedFor = async (host: Host, caller: Caller, problemSetId: string): Promise<readonly Judged[]> =>
  (await judgementsFor(host, caller, problemSetId)).flatMap(pairsOf);
