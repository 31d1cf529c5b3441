import { lexiconVersion, biasIndex, loadedWeight, type BiasHit, type BiasLabel } from "./lexicon.ts";
import { omitted, structure, type Structure } from "./structure.ts";
import { voiceOf, voicePoints, type Voice } from "./voice.ts";
import { languageOf } from "../../../../core/text/language.ts";
import { isQuoted, read, type Reading } from "../../../../core/text/reading.ts";

export type PoliticalBias = "left" | "center-left" | "center" | "center-right" | "right" | "unknown";
export type Level = "low" | "medium" | "high";

/**
 * A place in the article: `article[field].slice(start, end)` is `text`; `lexicon` is the list or rule that found it.
 */
export interface Span {
  text: string;
  start: number;
  end: number;
  lexicon: string;
  field: "title" | "text";
  /** In direct speech: the speaker's word, not the writer's; it counts a quarter. */
  quoted?: boolean;
}

export interface BiasArticle {
  contentId: number;
  title: string;
  text: string;
  /** ISO 8601 */
  publishedAt?: string;
  /** Addresses the article links to. */
  links?: readonly string[];
}

export interface BiasAnalysis {
  contentId: number;
  politicalBias: PoliticalBias;
  /** 0..100 */
  politicalConfidence: number;
  emotionalLevel: Level;
  sensationalismLevel: Level;
  indicators: {
    loadedLanguage: Span[];
    unsupportedClaims: Span[];
    cherryPicking: boolean;
    adHominem: boolean;
    falseBalance: boolean;
    /** What a reader would need and does not get, in words. */
    omission: string[];
  };
  /** 0..100; the sum of `contributions`. */
  overallBiasScore: number;
  contributions: { label: string; points: number }[];
  /** Where the structural indicators and the framing were seen. */
  evidence: {
    cherryPicking: Span[];
    adHominem: Span[];
    falseBalance: Span[];
    framing: Span[];
    sensationalism: Span[];
    voice: Span[];
  };
  summary: string;
  recommendations: string[];
  method: "heuristic" | "llm";
  lexiconVersion: string;
}

const MOST_SPANS = 50;
const QUOTED_WEIGHT = 0.25;

/** What the measures below are made from. */
interface Findings {
  article: BiasArticle;
  body: Reading;
  hits: { hit: BiasHit; field: Span["field"]; quoted: boolean }[];
  structure: Structure;
  voice: Voice;
}

/**
 * Bias by word lists and structure: every number comes from spans that are shown. English; says nothing about truth.
 */
export function analyseBias(article: BiasArticle, body: Reading = read(article.text)): BiasAnalysis {
  const language = languageOf(article.text, body.words.slice(0, LANGUAGE_WORDS));
  if (language !== "en") return unreadable(article);
  const title = read(article.title);
  const inText = biasIndex().find(body.text, body.words);
  const hits = [
    ...biasIndex()
      .find(title.text, title.words)
      .map((hit) => ({ hit, field: "title" as const, quoted: isQuoted(title, hit.start) })),
    ...inText.map((hit) => ({ hit, field: "text" as const, quoted: isQuoted(body, hit.start) })),
  ];
  return assemble({ article, body, hits, structure: structure(article, body, inText), voice: voiceOf(title, body) });
}

const LANGUAGE_WORDS = 80;

/** The lists are English: of another language they can say nothing, and a score of 0 would be read as praise. */
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
  const political = politics(findings);
  const emotional = emotion(findings);
  const sensational = sensation(findings);
  const loaded = spans(findings, (label) => loadedWeight(label) > 0);
  const sweeping = spans(findings, (label) => label === "rhetoric/sweeping").filter(({ quoted }) => !quoted);
  const indicators = {
    loadedLanguage: loaded,
    unsupportedClaims: built.unsupportedClaims,
    cherryPicking: built.cherryPicking.length > 0,
    adHominem: built.adHominem.length > 0,
    falseBalance: built.falseBalance.length > 0,
    omission: built.omission.map(({ missing }) => missing),
  };
  const contributions = limited([
    { label: "loaded language", points: Math.min(30, Math.round(loadedDensity(findings) * 8)) },
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
      framing: spans(findings, (label) => label.startsWith("political-framing/")),
      sensationalism: sensational.spans,
      voice: [...Object.values(findings.voice).flat(), ...sweeping].slice(0, MOST_SPANS),
    },
    method: "heuristic" as const,
    lexiconVersion,
  };
  return { ...analysis, ...biasInWords(analysis) };
}

/** What points were fitted to, each set held out in turn (docs/adr/0098): plain reports leave many figures bare. */
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

function spans({ article, hits }: Findings, wanted: (label: BiasLabel) => boolean): Span[] {
  return hits
    .filter(({ hit }) => wanted(hit.label))
    .slice(0, MOST_SPANS)
    .map(({ hit, field, quoted }) => ({
      text: article[field].slice(hit.start, hit.end),
      start: hit.start,
      end: hit.end,
      lexicon: hit.label,
      field,
      ...(quoted && { quoted }),
    }));
}

const hundredWords = ({ body }: Findings) => Math.max(1, body.words.length / 100);
const counts = (quoted: boolean) => (quoted ? QUOTED_WEIGHT : 1);

/** Weighted loaded words in 100 words; the title counts double, since many read nothing else. */
function loadedDensity(findings: Findings): number {
  const sum = findings.hits.reduce(
    (total, { hit, field, quoted }) => total + loadedWeight(hit.label) * counts(quoted) * (field === "title" ? 2 : 1),
    0,
  );
  return sum / Math.max(2, hundredWords(findings));
}

const FEWEST_TERMS = 3;

/** Left or right by the different terms of either camp; "unknown" under three: a topic is no leaning. */
function politics({ hits }: Findings): { bias: PoliticalBias; confidence: number; lean: number } {
  const side = (label: BiasLabel) => {
    const terms = Map.groupBy(
      hits.filter(({ hit }) => hit.label === label),
      ({ hit }) => hit.term,
    );
    return [...terms.values()].reduce((sum, uses) => sum + Math.max(...uses.map(({ quoted }) => counts(quoted))), 0);
  };
  const left = side("political-framing/left");
  const right = side("political-framing/right");
  const terms = left + right;
  const confidence = Math.round(Math.min(85, 100 * (1 - 0.75 ** terms)));
  if (terms < FEWEST_TERMS) return { bias: "unknown", confidence: Math.min(30, confidence), lean: 0 };
  const lean = (right - left) / terms;
  return { bias: leaning(lean), confidence, lean };
}

function leaning(lean: number): PoliticalBias {
  if (Math.abs(lean) < 0.25) return "center";
  const side = lean < 0 ? "left" : "right";
  return Math.abs(lean) < 0.6 ? `center-${side}` : side;
}

function emotion(findings: Findings): Level {
  const emotional = new Set<BiasLabel>([
    "loaded-language/feeling",
    "loaded-language/alarm",
    "loaded-language/scorn",
    "loaded-language/acclaim",
    "sensationalism/intensifiers",
  ]);
  const words = findings.hits.reduce(
    (sum, { hit, quoted }) => sum + (emotional.has(hit.label) ? counts(quoted) : 0),
    0,
  );
  const density = (words + exclamations(findings.article.text)) / Math.max(1.5, hundredWords(findings));
  return density >= 2 ? "high" : density >= 0.8 ? "medium" : "low";
}

const exclamations = (text: string) => text.match(/!/g)?.length ?? 0;
const SHOUTED = /(?<![\p{L}\p{N}.])\p{Lu}{5,}(?![\p{L}\p{N}])/gu;
const TITLE_TRICKS: readonly [RegExp, string][] = [
  [/[!?]{2,}/, "rule/repeated-punctuation"],
  [/^\d+ (?:\w+ ){0,3}(?:things|reasons|ways|secrets|facts|tricks|signs)(?!\w)/i, "rule/listicle"],
  [/^(?:this|these|here's|here is|why you|what you|how this)\b/i, "rule/teaser"],
  [/\.\.\.$|…$/, "rule/teaser"],
];

/** Superlatives, clickbait, shouting: points of the title, and those of the text in 200 words. */
function sensation(findings: Findings): { level: Level; spans: Span[] } {
  const { article, hits } = findings;
  const points: Partial<Record<BiasLabel, number>> = {
    "sensationalism/clickbait": 2,
    "sensationalism/superlatives": 1,
    "sensationalism/intensifiers": 0.5,
  };
  const found = spans(findings, (label) => label in points);
  const rules = [...shouts("title", article.title), ...shouts("text", article.text), ...tricks(article.title)];
  const sum = (field: Span["field"]) =>
    hits
      .filter((entry) => entry.field === field)
      .reduce((total, { hit, quoted }) => total + (points[hit.label] ?? 0) * counts(quoted), 0) +
    rules.filter((span) => span.field === field).length +
    exclamations(article[field]) * (field === "title" ? 1 : 0.5);
  const score = 1.5 * sum("title") + sum("text") / Math.max(1, hundredWords(findings) / 2);
  return {
    level: score >= 3.5 ? "high" : score >= 1.4 ? "medium" : "low",
    spans: [...found, ...rules].slice(0, MOST_SPANS),
  };
}

const shouts = (field: Span["field"], text: string): Span[] =>
  [...text.matchAll(SHOUTED)].slice(0, 10).map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
    lexicon: "rule/shouting",
    field,
  }));

const tricks = (title: string): Span[] =>
  TITLE_TRICKS.flatMap(([pattern, lexicon]) => {
    const match = pattern.exec(title);
    return match
      ? [{ text: match[0], start: match.index, end: match.index + match[0].length, lexicon, field: "title" as const }]
      : [];
  });

/** Summary and advice, from the numbers alone. */
export function biasInWords(
  analysis: Omit<BiasAnalysis, "summary" | "recommendations">,
): Pick<BiasAnalysis, "summary" | "recommendations"> {
  const { indicators, overallBiasScore, politicalBias } = analysis;
  const grade = overallBiasScore >= 50 ? "Strong" : overallBiasScore >= 25 ? "Noticeable" : "Little";
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
