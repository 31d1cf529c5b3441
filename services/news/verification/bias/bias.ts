import type { BiasAnalysis, BiasArticle } from "./analysis.ts";
import { attributed, speaksFor } from "./attribution.ts";
import { biasHits, lexiconVersion, loadedWeight } from "./lexicon.ts";
import {
  emotionalLevel,
  loadedDensity,
  MOST_SPANS,
  politicalLeaning,
  sensationalism,
  spansOf,
  type Findings,
} from "./measures.ts";
import { omitted, structure, type Structure } from "./structure.ts";
import { biasInWords } from "./summary.ts";
import { voiceOf, voicePoints } from "./voice.ts";
import { languageOf } from "../../../../core/text/language.ts";
import { isQuoted, read, type Reading } from "../../../../core/text/reading.ts";

const LANGUAGE_WORDS = 80;

/**
 * Bias by word lists and structure: every number comes from spans that are shown. For English text; says nothing about
 * truth.
 */
export function analyseBias(article: BiasArticle, body: Reading = read(article.text)): BiasAnalysis {
  const language = languageOf(article.text, body.words.slice(0, LANGUAGE_WORDS));
  if (language !== "en") return unreadable(article);
  const title = read(article.title);
  const inText = biasHits(body);
  const passedOn = attributed(body);
  const isTheirs = speaksFor(body, passedOn);
  const hits = [
    ...biasHits(title).map((hit) => ({ hit, field: "title" as const, quoted: isQuoted(title, hit.start) })),
    ...inText.map((hit) => ({ hit, field: "text" as const, quoted: isTheirs(hit.start) })),
  ];
  return assemble({
    article,
    body,
    hits,
    structure: structure(article, body, inText, isTheirs),
    voice: voiceOf(title, body, passedOn),
  });
}

/** The lists are English: they say nothing about other languages, and a score of 0 would look like praise. */
function unreadable({ contentId }: BiasArticle): BiasAnalysis {
  return {
    contentId,
    politicalBias: "unknown",
    politicalConfidence: 0,
    emotionalLevel: "low",
    sensationalismLevel: "low",
    indicators: {
      loadedLanguage: [],
      unsupportedClaims: [],
      cherryPicking: false,
      adHominem: false,
      falseBalance: false,
      omission: [],
    },
    overallBiasScore: 0,
    contributions: [],
    evidence: { cherryPicking: [], adHominem: [], falseBalance: [], framing: [], sensationalism: [], voice: [] },
    summary: "Bias cannot be judged: the text is not in English, and the word lists are. The score of 0 is no finding.",
    recommendations: ["Have somebody read it who knows the language, or configure a language model."],
    method: "heuristic",
    lexiconVersion,
  };
}

function assemble(findings: Findings): BiasAnalysis {
  const { article, structure: built } = findings;
  const political = politicalLeaning(findings);
  const emotional = emotionalLevel(findings);
  const sensational = sensationalism(findings);
  const loaded = spansOf(findings, (label) => loadedWeight(label) > 0);
  const sweeping = spansOf(findings, (label) => label === "rhetoric/sweeping").filter(({ quoted }) => !quoted);
  const indicators = {
    loadedLanguage: loaded,
    unsupportedClaims: built.unsupportedClaims,
    cherryPicking: built.cherryPicking.length > 0,
    adHominem: built.adHominem.length > 0,
    falseBalance: built.falseBalance.length > 0,
    omission: built.omission.map(({ missing }) => missing),
  };
  const contributions = limited([
    { label: "loaded language", points: Math.min(30, Math.round(loadedDensity(findings) * 10)) },
    { label: "claims without support", points: unsupportedPoints(built) },
    { label: "sweeping words", points: Math.min(MOST_SWEEPING, SWEEPING * sweeping.length) },
    { label: "the writer's own voice", points: voicePoints(findings.voice) },
    { label: "sensationalism", points: { low: 0, medium: 8, high: 15 }[sensational.level] },
    { label: "emotion", points: { low: 0, medium: 5, high: 10 }[emotional] },
    { label: "one-sided framing", points: Math.round((10 * Math.abs(political.lean) * political.confidence) / 100) },
    { label: "figures that all point one way", points: indicators.cherryPicking ? 8 : 0 },
    { label: "attacks on persons", points: indicators.adHominem ? 12 : 0 },
    { label: "false balance", points: indicators.falseBalance ? 6 : 0 },
    { label: "omissions", points: omitted(built.omission) },
  ]);
  const overallBiasScore = contributions.reduce((sum, { points }) => sum + points, 0);
  const analysis = {
    contentId: article.contentId,
    politicalBias: political.bias,
    politicalConfidence: political.confidence,
    emotionalLevel: emotional,
    sensationalismLevel: sensational.level,
    indicators,
    overallBiasScore,
    contributions,
    evidence: {
      cherryPicking: built.cherryPicking,
      adHominem: built.adHominem,
      falseBalance: built.falseBalance,
      framing: spansOf(findings, (label) => label.startsWith("political-framing/")),
      sensationalism: sensational.spans,
      voice: [...Object.values(findings.voice).flat(), ...sweeping].slice(0, MOST_SPANS),
    },
    method: "heuristic" as const,
    lexiconVersion,
  };
  return { ...analysis, ...biasInWords(analysis) };
}

/** Fitted with each set held out in turn (docs/adr/0098): plain reports give many figures without a source. */
const SWEEPING = 8;
const MOST_SWEEPING = 16;
const MOST_BARE = 4;
const HEARSAY = 6;
const MOST_HEARSAY = 14;

function unsupportedPoints({ unsupportedClaims }: Structure): number {
  const hearsay = unsupportedClaims.filter(({ lexicon }) => lexicon.startsWith("rhetoric/")).length;
  return Math.min(MOST_HEARSAY, HEARSAY * hearsay) + Math.min(MOST_BARE, unsupportedClaims.length - hearsay);
}

function limited(contributions: { label: string; points: number }[]): { label: string; points: number }[] {
  const given = contributions.filter(({ points }) => points !== 0);
  const over = given.reduce((sum, { points }) => sum + points, 0) - 100;
  return over > 0 ? [...given, { label: "limit of the scale", points: -over }] : given;
}
