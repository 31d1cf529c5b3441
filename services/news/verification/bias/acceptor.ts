import { plainWords } from "../model/acceptors.ts";
import { biasInWords } from "./summary.ts";
import type { BiasAnalysis, BiasArticle, Level, PoliticalBias, Span } from "./analysis.ts";
import { statements } from "../claims/detection.ts";
import { addressesMachines, checkWorthiness, CHECK_WORTHY } from "../claims/check-worthiness.ts";
import { locator } from "../../../../core/text/locate.ts";
import type { BiasAnswer } from "../model/prompts.ts";
import { sentences } from "../../../../core/text/words/sentences.ts";

/** How far a model may move the score. */
const REACH = 10;
const MOST_SPANS = 50;
const LONGEST_EXPRESSION = 80;
const LEVELS: readonly Level[] = ["low", "medium", "high"];
const SCALE: readonly PoliticalBias[] = ["left", "center-left", "center", "center-right", "right"];
/** A leaning that only the model sees needs this many quotations, and stays uncertain. */
const FEWEST_FRAMINGS = 2;
const MODEL_CONFIDENCE = 60;
const MOST_OMISSIONS = 10;

/**
 * A model's bias analysis combined with the heuristic one: findings of word lists and rules stay; the model's additions
 * must stand in the article; levels and leaning move by one step, the score by ten points. Summary and advice follow
 * from the numbers.
 */
export function acceptBias(answer: BiasAnswer, article: BiasArticle, heuristic: BiasAnalysis): BiasAnalysis {
  const find = placing(article);
  const place = (quotes: readonly string[]) => quotes.flatMap((quote) => find(quote) ?? []);
  const expressions = place(answer.loadedLanguage).filter(({ text }) => text.length <= LONGEST_EXPRESSION);
  const evidence = {
    ...heuristic.evidence,
    cherryPicking: joined(heuristic.evidence.cherryPicking, place(answer.cherryPicking)),
    adHominem: joined(heuristic.evidence.adHominem, place(answer.adHominem)),
    falseBalance: joined(heuristic.evidence.falseBalance, place(answer.falseBalance)),
    framing: joined(heuristic.evidence.framing, place(answer.framing)),
  };
  const indicators = {
    loadedLanguage: joined(heuristic.indicators.loadedLanguage, expressions),
    unsupportedClaims: joined(
      heuristic.indicators.unsupportedClaims,
      checkable(article, place(answer.unsupportedClaims)),
    ),
    cherryPicking: evidence.cherryPicking.length > 0,
    adHominem: evidence.adHominem.length > 0,
    falseBalance: evidence.falseBalance.length > 0,
    omission: [
      ...new Set([...heuristic.indicators.omission, ...answer.omission.map(plainWords).filter(Boolean)]),
    ].slice(0, MOST_OMISSIONS),
  };
  const political = leaning(answer, heuristic, place(answer.framing).length);
  const moved = bounded(heuristic.overallBiasScore, answer.score);
  const analysis = {
    ...heuristic,
    ...political,
    indicators,
    evidence,
    emotionalLevel: near(heuristic.emotionalLevel, answer.emotionalLevel),
    sensationalismLevel: near(heuristic.sensationalismLevel, answer.sensationalismLevel),
    overallBiasScore: heuristic.overallBiasScore + moved,
    contributions:
      moved === 0 ? heuristic.contributions : [...heuristic.contributions, { label: "language model", points: moved }],
    method: "llm" as const,
  };
  return { ...analysis, ...biasInWords(analysis) };
}

/**
 * Finds quotations in the article's text, then in its title. Sentences addressed to machines are not part of the
 * report.
 */
function placing(article: BiasArticle): (quote: string) => Span | undefined {
  const fields = (["text", "title"] as const).map((field) => ({
    field,
    find: locator(article[field]),
    hostile: sentences(article[field]).filter((one) => addressesMachines(article[field], one)),
  }));
  return (quote) => {
    for (const { field, find, hostile } of fields) {
      const place = find(quote);
      if (!place) continue;
      if (hostile.some(({ start, end }) => start < place.end && end > place.start)) return undefined;
      return { ...place, text: article[field].slice(place.start, place.end), lexicon: "llm", field };
    }
    return undefined;
  };
}

/** The model's spans beside ours; one within ours adds nothing. */
function joined(ours: readonly Span[], theirs: readonly Span[]): Span[] {
  const fresh = theirs.filter(
    (span, at) =>
      ![...ours, ...theirs.slice(0, at)].some(
        (other) => other.field === span.field && other.start < span.end && span.start < other.end,
      ),
  );
  return [...ours, ...fresh].slice(0, MOST_SPANS);
}

/** The spans that lie in check-worthy sentences. */
function checkable({ text }: BiasArticle, spans: readonly Span[]): Span[] {
  if (spans.length === 0) return [];
  const apart = statements(text);
  return spans.filter(
    (span) =>
      span.field === "text" &&
      apart.some(
        (one) => span.start < one.end && span.end > one.start && checkWorthiness(text, one).score >= CHECK_WORTHY,
      ),
  );
}

function leaning(
  answer: BiasAnswer,
  heuristic: BiasAnalysis,
  framings: number,
): Pick<BiasAnalysis, "politicalBias" | "politicalConfidence"> {
  const { politicalBias, politicalConfidence } = heuristic;
  if (answer.politicalBias === "unknown" || answer.politicalBias === politicalBias)
    return { politicalBias, politicalConfidence };
  if (politicalBias === "unknown") {
    return framings >= FEWEST_FRAMINGS
      ? { politicalBias: answer.politicalBias, politicalConfidence: Math.min(MODEL_CONFIDENCE, 15 * framings) }
      : { politicalBias, politicalConfidence };
  }
  const steps = SCALE.indexOf(answer.politicalBias) - SCALE.indexOf(politicalBias);
  if (framings < FEWEST_FRAMINGS) return { politicalBias, politicalConfidence };
  return {
    politicalBias: SCALE[SCALE.indexOf(politicalBias) + Math.sign(steps)]!,
    politicalConfidence: Math.min(MODEL_CONFIDENCE, politicalConfidence),
  };
}

function near(ours: Level, theirs: Level): Level {
  const step = Math.sign(LEVELS.indexOf(theirs) - LEVELS.indexOf(ours));
  return LEVELS[LEVELS.indexOf(ours) + step]!;
}

const bounded = (ours: number, theirs: number) => {
  const moved = Math.round(Math.min(REACH, Math.max(-REACH, theirs - ours)));
  return Math.min(100, Math.max(0, ours + moved)) - ours;
};
