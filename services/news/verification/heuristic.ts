import { speaksFor } from "./bias/attribution.ts";
import { biasHits, loadedWeight, type BiasHit, type BiasLabel } from "./bias/lexicon.ts";
import type { BiasArticle, Span } from "./bias/analysis.ts";
import { dates } from "../../../core/text/statements/dates.ts";
import { names } from "../../../core/text/statements/names.ts";
import { polarity } from "../../../core/text/statements/polarity.ts";
import { quantities } from "../../../core/text/statements/figures/quantities.ts";
import { isQuoted, read, type Reading } from "../../../core/text/reading.ts";

/** A pattern that was found, its points, and its places. */
export interface Finding {
  kind: string;
  label: string;
  points: number;
  spans: Span[];
}

export interface HeuristicVerification {
  contentId: number;
  /** 0..100; the sum of the findings' points. */
  score: number;
  findings: Finding[];
  method: "heuristic";
}

const START = 40;
const MOST_SPANS = 5;
const SHORT_WORDS = 60;
const LONG_WORDS = 250;

type Pattern = (look: Look) => Finding | undefined;
interface Look {
  article: BiasArticle;
  body: Reading;
  title: Reading;
  hits: readonly BiasHit[];
  titleHits: readonly BiasHit[];
}

/**
 * How carefully an article is made, by the marks of good journalism: named sources, quotations, figures, times,
 * documents and links count for it; hearsay, shouting, clickbait and short hedged text against it. It says nothing
 * about whether the content is true.
 */
export function verifyHeuristically(article: BiasArticle, body: Reading = read(article.text)): HeuristicVerification {
  const title = read(article.title);
  const look: Look = {
    article,
    body,
    title,
    hits: biasHits(body),
    titleHits: biasHits(title),
  };
  const found = PATTERNS.flatMap((pattern) => pattern(look) ?? []);
  const findings = limited([{ kind: "start", label: "starting point", points: START, spans: [] }, ...found]);
  return {
    contentId: article.contentId,
    score: findings.reduce((sum, { points }) => sum + points, 0),
    findings,
    method: "heuristic",
  };
}

function limited(findings: Finding[]): Finding[] {
  const sum = findings.reduce((total, { points }) => total + points, 0);
  const over = Math.max(0, sum - 100) + Math.min(0, sum);
  return over === 0
    ? findings
    : [...findings, { kind: "limit", label: "limit of the scale", points: -over, spans: [] }];
}

const place = (text: string, start: number, end: number, lexicon: string, field: Span["field"] = "text"): Span => ({
  text: text.slice(start, end),
  start,
  end,
  lexicon,
  field,
});

/** A finding of `each` points per place, at most `most` (both may be negative); undefined without a place. */
function finding(
  kind: string,
  label: string,
  places: readonly Span[],
  each: number,
  most: number,
): Finding | undefined {
  if (places.length === 0) return undefined;
  const points = each > 0 ? Math.min(most, each * places.length) : Math.max(most, each * places.length);
  return { kind, label, points, spans: places.slice(0, MOST_SPANS) };
}

const hitsOf = ({ body, hits }: Look, label: BiasLabel, spoken = true): Span[] =>
  hits
    .filter((hit) => hit.label === label && (spoken || !isQuoted(body, hit.start)))
    .map((hit) => place(body.text, hit.start, hit.end, label));

const PATTERNS: readonly Pattern[] = [
  (look) => finding("named-source", "names its sources", namedSources(look), 4, 12),
  ({ body }) =>
    finding(
      "quotation",
      "quotes directly",
      body.quotes.map(({ start, end }) => place(body.text, start, end, "rule/quotation")),
      3,
      6,
    ),
  (look) => finding("figure", "gives figures with what they measure", figures(look), 2, 8),
  (look) => finding("time", "says when", times(look), 2, 4),
  (look) => finding("document", "refers to documents or data", hitsOf(look, "rhetoric/document"), 3, 9),
  (look) => finding("link", "links to originals", links(look), 2, 6),
  (look) => finding("correction", "shows its corrections", hitsOf(look, "rhetoric/correction"), 6, 6),
  accused,
  ({ body }) =>
    body.words.length >= LONG_WORDS ? { kind: "length", label: "goes into detail", points: 4, spans: [] } : undefined,
  ({ body }) =>
    body.words.length < SHORT_WORDS
      ? { kind: "length", label: "too short to judge", points: -8, spans: [] }
      : undefined,
  hedging,
  (look) => finding("weasel", "leans on unnamed opinion", hitsOf(look, "rhetoric/weasel", false), -4, -12),
  (look) => finding("anonymous", "leans on anonymous sources", hitsOf(look, "rhetoric/anonymous"), -3, -9),
  clickbait,
  ({ body }) =>
    finding(
      "shouting",
      "shouts",
      [...body.text.matchAll(/!/g)].map((match) => place(body.text, match.index, match.index + 1, "rule/exclamation")),
      -2,
      -8,
    ),
  loaded,
];

/** Sentences with attribution: a verb of saying, and a name or an office. */
function namedSources({ body, hits }: Look): Span[] {
  const offices =
    /\b(?:ministry|minister|agency|authority|office|police|court|bank|commission|university|institute|regulator|spokes\w+|union|board|department)\b/i;
  return body.sentences
    .filter(
      ({ start, end, text, words }) =>
        hits.some((hit) => hit.label === "check-worthiness/attribution" && hit.start >= start && hit.end <= end) &&
        !hits.some((hit) => hit.label === "rhetoric/anonymous" && hit.start >= start && hit.end <= end) &&
        (offices.test(text) || names(body.text, words).length > 0),
    )
    .map(({ start, end }) => place(body.text, start, end, "check-worthiness/attribution"));
}

function figures({ body }: Look): Span[] {
  return body.sentences
    .filter(({ text }) => /\d/.test(text))
    .flatMap(({ text, start, words }) =>
      quantities(body.text, words, dates(text, start))
        .filter(({ unit }) => unit !== "number")
        .map((quantity) => place(body.text, quantity.start, quantity.end, "rule/figure")),
    );
}

function times({ body }: Look): Span[] {
  const found: Span[] = [];
  for (const { text, start } of body.sentences) {
    if (found.length >= MOST_SPANS) break;
    found.push(...dates(text, start).map((date) => place(body.text, date.start, date.end, "rule/date")));
  }
  return found;
}

function links({ article, body }: Look): Span[] {
  const inText = [...body.text.matchAll(/https?:\/\/[^\s<>"')]+/g)].map((match) =>
    place(body.text, match.index, match.index + match[0].length, "rule/link"),
  );
  return [
    ...inText,
    ...(article.links ?? []).map((address): Span => ({
      text: address,
      start: 0,
      end: 0,
      lexicon: "rule/link",
      field: "text",
    })),
  ];
}

function accused(look: Look): Finding | undefined {
  const accusations = hitsOf(look, "rhetoric/accusation");
  if (accusations.length === 0) return undefined;
  const answers = hitsOf(look, "rhetoric/response");
  return answers.length > 0
    ? { kind: "response", label: "lets the accused answer", points: 4, spans: answers.slice(0, MOST_SPANS) }
    : {
        kind: "response",
        label: "accuses without an answer of the accused",
        points: -6,
        spans: accusations.slice(0, MOST_SPANS),
      };
}

const HEDGES_ALLOWED = 2;

function hedging({ body }: Look): Finding | undefined {
  const hedged = body.sentences.filter(({ words }) => polarity(body.text, words).hedges.length > 0);
  const allowed = Math.ceil((HEDGES_ALLOWED * body.words.length) / 100);
  const places = hedged.map(({ start, end }) => place(body.text, start, end, "polarity/hedges"));
  return hedged.length > allowed ? finding("hedging", "hedges much", places.slice(allowed), -2, -10) : undefined;
}

function clickbait({ title, titleHits }: Look): Finding | undefined {
  const places = titleHits
    .filter(({ label }) => label === "sensationalism/clickbait" || label === "sensationalism/superlatives")
    .map((hit) => place(title.text, hit.start, hit.end, hit.label, "title"));
  const marks = /[!?]{2,}|!$/.exec(title.text);
  if (marks)
    places.push(place(title.text, marks.index, marks.index + marks[0].length, "rule/repeated-punctuation", "title"));
  const shouted = title.text.length > 12 && title.text === title.text.toUpperCase() && /\p{L}{4,}/u.test(title.text);
  if (shouted) places.push(place(title.text, 0, title.text.length, "rule/shouting", "title"));
  return finding("clickbait", "a headline for effect", places, -8, -16);
}

function loaded({ body, hits }: Look): Finding | undefined {
  const isTheirs = speaksFor(body);
  const places = hits
    .filter((hit) => loadedWeight(hit.label) >= 2 && !isTheirs(hit.start))
    .map((hit) => place(body.text, hit.start, hit.end, hit.label));
  const perHundred = places.length / Math.max(1, body.words.length / 100);
  return perHundred < 0.5 ? undefined : finding("loaded-language", "judges where it should describe", places, -2, -12);
}
