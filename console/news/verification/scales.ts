import type { ListRow, Data } from "../../api/client.ts";

type Trail = Data<"GET /verification/trail/{contentId}">;
type ConfidenceLevel = Trail["confidenceLevel"];
type ClaimVerdict = Data<"GET /verification/claims/{contentId}">["claims"][number]["status"];
type Tone = "good" | "bad" | "warn" | "info" | "plain";

/** Where the levels of confidence begin, of 100. */
export const MEDIUM_FROM = 50;
export const HIGH_FROM = 75;
/** An article's confidence of 0 to 1, in the points that its trail counts. */
export const pointsOf = ({ confidence }: Pick<ListRow<"GET /articles">, "confidence">): number =>
  Math.round(confidence * 10_000) / 100;
export const levelOf = (points: number): ConfidenceLevel =>
  points >= HIGH_FROM ? "high" : points >= MEDIUM_FROM ? "medium" : "low";

export const LEVEL_TONES: Record<ConfidenceLevel, Tone> = { high: "good", medium: "info", low: "warn" };

export const VERDICT_TONES: Record<ClaimVerdict, Tone> = {
  corroborated: "good",
  contradicted: "bad",
  disputed: "warn",
  unverified: "plain",
};

/** Figures of the Admiralty code (AJP-2.1). */
const CREDIBILITY = [
  "confirmed by other sources",
  "probably true",
  "possibly true",
  "doubtful",
  "improbable",
  "cannot be judged",
];
export const credibilityWords = (figure: number): string => CREDIBILITY[figure - 1] ?? "cannot be judged";

const inDecimals = (value: number, maximumFractionDigits: number): string =>
  value.toLocaleString("en", { maximumFractionDigits }).replace("-", "−");

/** At most one decimal, two where one would show another level than the value has; and a true minus sign. */
export const inPoints = (value: number): string =>
  inDecimals(value, levelOf(Math.round(value * 10) / 10) === levelOf(value) ? 1 : 2);
/** A contribution always with its sign. */
export const signed = (value: number): string => {
  const words = inPoints(value);
  return words === "0" || words === "−0" ? "±0" : value > 0 ? `+${words}` : words;
};
