import type { BiasArticle, Span } from "./analysis.ts";
import type { BiasHit, BiasLabel } from "./lexicon.ts";
import { statements } from "../claims/detection.ts";
import { checkWorthiness, CHECK_WORTHY } from "../claims/check-worthiness.ts";
import { isQuoted, sentenceAt, type Reading } from "../../../../core/text/reading.ts";
import type { Sentence } from "../../../../core/text/words/sentences.ts";
import type { Statement } from "../../../../core/text/statements/statement.ts";

/** What the structure of a text shows, apart from its words. */
export interface Structure {
  unsupportedClaims: Span[];
  cherryPicking: Span[];
  adHominem: Span[];
  falseBalance: Span[];
  omission: Omission[];
}

/** What a reader needs and the article lacks, in words, and its points. */
export interface Omission {
  missing: string;
  points: number;
}
const MOST_OMITTED = 18;
export const omitted = (omissions: readonly Omission[]): number =>
  Math.min(
    MOST_OMITTED,
    omissions.reduce((sum, { points }) => sum + points, 0),
  );

const MOST_UNSUPPORTED = 20;
const SHORT_TEXT_WORDS = 60;

/**
 * The structural indicators, each by a stated rule: unsupported claim: a check-worthy sentence outside direct speech
 * that names no source, document or link, or leans on "some say"; cherry-picking: three or more figures with a
 * direction, all the same way, and no word of contrast in the whole text; ad hominem: an insult in the writer's own voice
 * within five words of a name, an office or a pronoun; false balance: "both sides" phrases, or settled science and
 * dissent from it in one sentence without a named source; omission: what such a report needs and lacks.
 */
export function structure(
  article: BiasArticle,
  body: Reading,
  hits: readonly BiasHit[],
  isTheirs: (at: number) => boolean,
): Structure {
  const apart = statements(body.text, body.sentences);
  const labels = labelsBySentence(body, hits);
  return {
    unsupportedClaims: unsupported(body, apart, labels),
    cherryPicking: oneWay(apart, hits),
    adHominem: attacks(body, hits, isTheirs),
    falseBalance: balance(body, hits, labels),
    omission: omissions(article, body, hits),
  };
}

type Labels = ReadonlyMap<Sentence, ReadonlySet<BiasLabel>>;

function labelsBySentence(body: Reading, hits: readonly BiasHit[]): Labels {
  const labels = new Map<Sentence, Set<BiasLabel>>(body.sentences.map((sentence) => [sentence, new Set()]));
  for (const hit of hits) {
    const sentence = sentenceAt(body, hit.start);
    if (sentence) labels.get(sentence)!.add(hit.label);
  }
  return labels;
}

const span = (sentence: { text: string; start: number; end: number }, lexicon: string): Span => ({
  text: sentence.text,
  start: sentence.start,
  end: sentence.end,
  lexicon,
  field: "text",
});
const hitSpan = (body: Reading, hit: BiasHit): Span => ({
  text: body.text.slice(hit.start, hit.end),
  start: hit.start,
  end: hit.end,
  lexicon: hit.label,
  field: "text",
});

const SUPPORTING: readonly BiasLabel[] = ["check-worthiness/attribution", "rhetoric/document"];

function unsupported(body: Reading, apart: readonly Statement[], labels: Labels): Span[] {
  const found: Span[] = [];
  for (const [at, sentence] of body.sentences.entries()) {
    const here = labels.get(sentence)!;
    if (here.has("rhetoric/weasel")) found.push(span(sentence, "rhetoric/weasel"));
    else if (here.has("rhetoric/hearsay")) found.push(span(sentence, "rhetoric/hearsay"));
    else if (!SUPPORTING.some((label) => here.has(label)) && isBare(body, apart[at]!, sentence))
      found.push(span(sentence, "rule/no-source-named"));
  }
  return found.slice(0, MOST_UNSUPPORTED);
}

/**
 * Check-worthy, and neither quoted nor linked. Only figures and denials need a source of their own, plain narration
 * does not.
 */
function isBare(body: Reading, one: Statement, sentence: Sentence): boolean {
  if (one.quantities.length === 0 || isQuoted(body, sentence.start) || /https?:\/\//.test(sentence.text)) return false;
  return checkWorthiness(body.text, one).score >= CHECK_WORTHY + 10;
}

const FEWEST_FIGURES = 3;

function oneWay(apart: readonly Statement[], hits: readonly BiasHit[]): Span[] {
  if (hits.some(({ label }) => label === "rhetoric/contrast")) return [];
  const moving = apart.flatMap((one) => {
    const pole = one.senses.find(({ concept }) => concept === "±direction")?.pole;
    return one.quantities.length > 0 && (pole === "up" || pole === "down") ? [{ one, pole }] : [];
  });
  if (moving.length < FEWEST_FIGURES || new Set(moving.map(({ pole }) => pole)).size > 1) return [];
  return moving.map(({ one }) => span(one, "rule/figures-one-way"));
}

const NEAR = 5;
const PERSONS = new Set([
  "he",
  "she",
  "him",
  "her",
  "his",
  "they",
  "their",
  "you",
  "minister",
  "president",
  "chancellor",
  "mayor",
  "senator",
  "governor",
  "judge",
  "candidate",
  "opponent",
  "opponents",
  "rival",
  "rivals",
  "critics",
  "leader",
  "journalist",
  "journalists",
]);

function attacks(body: Reading, hits: readonly BiasHit[], isTheirs: (at: number) => boolean): Span[] {
  return hits
    .filter((hit) => {
      if (hit.label !== "rhetoric/insults" || isTheirs(hit.start)) return false;
      const sentence = sentenceAt(body, hit.start);
      const around = body.words.slice(Math.max(0, hit.first - NEAR), hit.last + NEAR + 1);
      if (!sentence) return false;
      return around.some(
        ({ text, capital, start }) =>
          start >= sentence.start &&
          start < sentence.end &&
          start !== hit.start &&
          (PERSONS.has(text) || (capital && start !== sentence.start && text !== "i")),
      );
    })
    .map((hit) => hitSpan(body, hit));
}

function balance(body: Reading, hits: readonly BiasHit[], labels: Labels): Span[] {
  const phrases = hits
    .filter(({ label, start }) => label === "rhetoric/balance" && !isQuoted(body, start))
    .map((hit) => hitSpan(body, hit));
  const equated = body.sentences.filter((sentence) => {
    const here = labels.get(sentence)!;
    return (
      here.has("rhetoric/consensus") &&
      (here.has("rhetoric/dissent") || here.has("rhetoric/weasel")) &&
      !here.has("rhetoric/document")
    );
  });
  return [...phrases, ...equated.map((sentence) => span(sentence, "rule/consensus-and-dissent"))];
}

const TIME = new RegExp(
  "\\b(?:\\d{4}|January|February|March|April|May|June|July|August|September|October|November|December" +
    "|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|today|yesterday)\\b",
);

/** Texts this short cannot be expected to have what a report needs. */
const NOTE_WORDS = 12;
const LONG_WORDS = 250;

function omissions(article: BiasArticle, body: Reading, hits: readonly BiasHit[]): Omission[] {
  const length = body.words.length;
  if (length < NOTE_WORDS) return [];
  const has = (label: BiasLabel) => hits.some((hit) => hit.label === label);
  const missing: [boolean, string, number][] = [
    [
      !has("check-worthiness/attribution") && body.quotes.length === 0,
      "No source is named for anything that is said.",
      8,
    ],
    [
      length >= SHORT_TEXT_WORDS && has("rhetoric/accusation") && !has("rhetoric/response"),
      "Accusations are reported, but no answer of those accused.",
      2,
    ],
    [
      length >= SHORT_TEXT_WORDS && has("rhetoric/anonymous") && !has("rhetoric/document"),
      "The account rests on anonymous sources and shows no document.",
      2,
    ],
    [!TIME.test(body.text), "Nothing says when it happened.", 6],
    [!/\d/.test(body.text), "It is without a single figure.", 4],
    [
      (article.links?.length ?? 0) === 0 &&
        !/https?:\/\//.test(body.text) &&
        !has("rhetoric/document") &&
        length > LONG_WORDS,
      "No document or original is referred to.",
      2,
    ],
  ];
  return missing.flatMap(([applies, text, points]) => (applies ? [{ missing: text, points }] : []));
}
