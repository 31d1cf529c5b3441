import type { ListRow } from "../../../api/client.ts";

export type RiskShown = ListRow<"GET /strategic/objectives/{id}/risk">;
export type RiskEstimate = RiskShown["before"];
export type RiskLevel = RiskShown["residualLevel"];

/** From the worst to the least, as ATP 5-19 has them. */
export const PROBABILITIES = [
  "frequent",
  "likely",
  "occasional",
  "seldom",
  "unlikely",
] as const satisfies readonly RiskEstimate["probability"][];
export const SEVERITIES = [
  "catastrophic",
  "critical",
  "moderate",
  "negligible",
] as const satisfies readonly RiskEstimate["severity"][];

const LEVELS = {
  EH: ["extremely high risk", "bad"],
  H: ["high risk", "bad"],
  M: ["medium risk", "warn"],
  L: ["low risk", "good"],
} as const satisfies Readonly<Record<RiskLevel, readonly [string, string]>>;
export const levelWords = (level: RiskLevel): string => LEVELS[level][0];
export const levelTone = (level: RiskLevel) => LEVELS[level][1];
export const isHigh = (level: RiskLevel): boolean => level === "EH" || level === "H";

export const RISK_STATES: Readonly<Record<RiskShown["status"], string>> = {
  proposed: "waits for a review",
  accepted: "accepted",
  returned: "returned: to be assessed anew",
};
