import type { Host } from "../../../core/contract/endpoint.ts";
import type { Reliability } from "../sources/events.ts";
import type { Contradiction } from "./references/reference.ts";

/** Whether one sentence supports or contradicts another, and why: pure, for other domains that compare statements. */
export { stance } from "./references/stance.ts";
/** What the first comparison of a process builds, in steps: for whoever calls `stance` by itself. */
export { preparing } from "./references/pairs/preparing.ts";
export type { Stance } from "./references/outcome/verdicts.ts";
/** What texts say about a claim, by rules, and what their independent voices add up to: also pure. */
export { conclude } from "./references/outcome/conclusion.ts";
export { referring, type Candidate, type Origin, type Reference } from "./references/cross-reference.ts";
export { Readings } from "./references/readings.ts";
export { otherFigureIn } from "./references/pairs/copied.ts";
export { independentPairs, isIndependent } from "./references/independence.ts";
export { RELIABILITY_WEIGHT, type Credibility } from "./reliability/reliability.ts";

/** The ratings of those sources that have a record. */
export const ratingsOf = (host: Host, ids: readonly number[]): Promise<{ id: number; rating: Reliability }[]> =>
  host.ask("verification.standings", { ids });

export type { Contradiction };
/** Contradictions by independent articles of claims of these articles. */
export const contradictionsOf = (host: Host, ids: readonly number[]): Promise<Contradiction[]> =>
  host.ask("verification.contradictions", { ids });
