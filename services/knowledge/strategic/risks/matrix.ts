/** Risk management of ATP 5-19 (table 1-1), as data: the level follows from probability and severity alone. */
export const PROBABILITIES = ["frequent", "likely", "occasional", "seldom", "unlikely"] as const;
export const RISK_SEVERITIES = ["catastrophic", "critical", "moderate", "negligible"] as const;
/** Extremely high, high, medium, low: the worst first. */
export const RISK_LEVELS = ["EH", "H", "M", "L"] as const;
export const LEVEL_NAMES = { EH: "extremely high", H: "high", M: "medium", L: "low" } as const;
export type Probability = (typeof PROBABILITIES)[number];
export type Severity = (typeof RISK_SEVERITIES)[number];
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** Rows by severity, columns from frequent to unlikely. */
const MATRIX: Readonly<Record<Severity, readonly RiskLevel[]>> = {
  catastrophic: ["EH", "EH", "H", "H", "M"],
  critical: ["EH", "H", "H", "M", "L"],
  moderate: ["H", "M", "M", "L", "L"],
  negligible: ["M", "L", "L", "L", "L"],
};

export interface Estimate {
  probability: Probability;
  severity: Severity;
}

export const levelOf = ({ probability, severity }: Estimate): RiskLevel =>
  MATRIX[severity][PROBABILITIES.indexOf(probability)]!;
/** Whether one level is worse than another. */
export const isWorse = (one: RiskLevel, other: RiskLevel): boolean =>
  RISK_LEVELS.indexOf(one) < RISK_LEVELS.indexOf(other);
/** High risk: H or worse. */
export const isHigh = (level: RiskLevel): boolean => level === "EH" || level === "H";
