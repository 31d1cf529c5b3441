import type { BiasArticle, Level, PoliticalBias, Span } from "./analysis.ts";
import { loadedWeight, type BiasHit, type BiasLabel } from "./lexicon.ts";
import type { Structure } from "./structure.ts";
import type { Voice } from "./voice.ts";
import type { Reading } from "../../../../core/text/reading.ts";

export const MOST_SPANS = 50;
const QUOTED_WEIGHT = 0.25;

/** What the measures are made from. */
export interface Findings {
  article: BiasArticle;
  body: Reading;
  hits: { hit: BiasHit; field: Span["field"]; quoted: boolean }[];
  structure: Structure;
  voice: Voice;
}

export function spansOf({ article, hits }: Findings, wanted: (label: BiasLabel) => boolean): Span[] {
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

/** Weighted loaded words per 100 words; the title counts double, since many readers see nothing else. */
export function loadedDensity(findings: Findings): number {
  const sum = findings.hits.reduce(
    (total, { hit, field, quoted }) => total + loadedWeight(hit.label) * counts(quoted) * (field === "title" ? 2 : 1),
    0,
  );
  return sum / Math.max(2, hundredWords(findings));
}

const FEWEST_TERMS = 3;

/** Left or right by the distinct terms of each camp; "unknown" below three: a topic is no leaning. */
export function politicalLeaning({ hits }: Findings): { bias: PoliticalBias; confidence: number; lean: number } {
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

export function emotionalLevel(findings: Findings): Level {
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

/** Superlatives, clickbait, shouting: points of the title, and those of the text per 200 words. */
export function sensationalism(findings: Findings): { level: Level; spans: Span[] } {
  const { article, hits } = findings;
  const points: Partial<Record<BiasLabel, number>> = {
    "sensationalism/clickbait": 2,
    "sensationalism/superlatives": 1,
    "sensationalism/intensifiers": 0.5,
  };
  const found = spansOf(findings, (label) => label in points);
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
