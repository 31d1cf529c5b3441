import type { Host } from "../../../core/contract/endpoint.ts";
import type { Reliability } from "../sources/events.ts";
import type { Contradiction } from "./references/reference.ts";

/** Whether one sentence supports another or contradicts it, and by what: pure, for whoever compares statements. */
export { stance, type Stance } from "./references/stance.ts";
/** What texts say of a claim, by rules, and what their independent voices amount to: pure as well. */
export { conclude } from "./references/outcome/conclusion.ts";
export {
  isIndependent,
  references,
  type Candidate,
  type Origin,
  type Reference,
} from "./references/cross-reference.ts";
export { Readings } from "./references/readings.ts";
export { independentPairs } from "./references/independence.ts";
export { RELIABILITY_WEIGHT, type Credibility } from "./reliability/reliability.ts";

/** The ratings of those sources that have a record. */
export const ratingsOf = (host: Host, ids: readonly number[]): Promise<{ id: number; rating: Reliability }[]> =>
  host.ask("verification.standings", { ids });

export type { Contradiction };
/** What verification found independent articles to say against claims of these. */
export const contradictionsOf = (host: Host, ids: readonly number[]): Promise<Contradiction[]> =>
  host.ask("verification.contradictions", { ids });
