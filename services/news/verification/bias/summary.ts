import type { BiasAnalysis } from "./analysis.ts";

/** Scores from which bias is said to be seen. */
export const NOTICEABLE = 25;
const STRONG = 50;

/** Summary and advice, from the numbers alone. */
export function biasInWords(
  analysis: Omit<BiasAnalysis, "summary" | "recommendations">,
): Pick<BiasAnalysis, "summary" | "recommendations"> {
  const { indicators, overallBiasScore, politicalBias } = analysis;
  const grade = overallBiasScore >= STRONG ? "Strong" : overallBiasScore >= NOTICEABLE ? "Noticeable" : "Little";
  const causes = analysis.contributions
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, 3)
    .map(({ label }) => label);
  const framing =
    politicalBias === "unknown" ? "no political framing can be told" : `the framing leans ${politicalBias}`;
  const summary =
    `${grade} sign of bias (${overallBiasScore} of ` +
    `100)${causes.length > 0 ? `, mostly by ${causes.join(", ")}` : ""}; ${framing}.`;
  const advice: [boolean, string][] = [
    [
      indicators.loadedLanguage.length > 2,
      "Read past the loaded expressions; a neutral account of the same event will help.",
    ],
    [
      indicators.unsupportedClaims.length > 0,
      "Look for the origin of the claims that name no source before you use them.",
    ],
    [indicators.cherryPicking, "Look for figures that point the other way, or a longer period."],
    [indicators.adHominem, "Set aside what is said about persons and look at what is said about the matter."],
    [indicators.falseBalance, "Check whether the sides have equal evidence behind them."],
    [indicators.omission.length > 0, "Find a second report that fills what is missing here."],
    [analysis.sensationalismLevel === "high", "Do not go by the headline."],
  ];
  return { summary, recommendations: advice.flatMap(([applies, text]) => (applies ? [text] : [])) };
}
