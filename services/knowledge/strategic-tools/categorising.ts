import type { Hit } from "../../../core/text/words/phrases.ts";
import { words, type Span, type Word } from "../../../core/text/words/words.ts";
import { atOnce, type Steps } from "../../../core/work/turns.ts";
import { isBeside, PRIVATE_LIFE, type Lexicon } from "./frameworks.ts";

export interface Scored {
  category: string;
  /** 0..100, by what counts as evidence. */
  score: number;
  /** Where its words stand, the most telling first. */
  evidence: (Span & { term: string })[];
}
export interface Categorised {
  /** What the text is about, the highest first: over the threshold, and no mere mention beside what is higher. */
  categories: Scored[];
  uncategorised: boolean;
}

/** Categories that score below this are left out: a word or two may mean anything. */
export const THRESHOLD = 20;
const MOST_EVIDENCE = 5;
/** Saturation of repeated words as in BM25 (Robertson and Walker 1994), for texts of a usual length. */
const K1 = 1.2,
  B = 0.75,
  USUAL_WORDS = 200,
  FEWEST_WORDS = 100,
  MOST_WORDS = 2_000;
/** Weight at which a score is half of all it can be. */
const HALF = 3;
/** What has less than this share of the highest weight is mentioned, and not what the text is about. */
const MAIN = 0.36;
/** Characters that are read in one step. */
const PIECE = 20_000;

interface Found {
  count: number;
  weight: number;
  spans: Span[];
}

/** Hits that count: none within a longer one, which says what the words mean there, and none twice at one place. */
function counting(hits: readonly Hit[], { worth }: Lexicon): (Hit & { category: string; weight: number })[] {
  const longest = new Map<number, number>();
  for (const { first, last } of hits)
    for (let at = first; at <= last; at++) longest.set(at, Math.max(longest.get(at) ?? 0, last - first));
  const best = new Map<string, Hit & { category: string; weight: number }>();
  for (const hit of hits) {
    const { first, last, label } = hit;
    const valued = worth.get(label);
    if (!valued) continue;
    let isWithin = false;
    for (let at = first; at <= last; at++) isWithin ||= longest.get(at)! > last - first;
    if (isWithin) continue;
    const key = `${valued.category} ${first}`;
    if (valued.weight > (best.get(key)?.weight ?? 0)) best.set(key, { ...hit, ...valued });
  }
  // A spared phrase of the same length takes its words as well.
  const spared = new Set(hits.filter(({ label }) => !worth.has(label)).map(({ first, last }) => `${first}-${last}`));
  return [...best.values()].filter(({ first, last }) => !spared.has(`${first}-${last}`));
}

const SAYS = new Set(["said", "says", "say", "told", "added", "adds", "stated"]);
/** Words between a speaker and what is said of them: "the ministry also said", "according to the ministry". */
const BETWEEN = 2;

/** Whoever is only quoted is no matter of the text: "the ministry said", "according to police". */
function isSpeaker({ first, last }: Hit, spoken: readonly Word[]): boolean {
  const before = spoken.slice(Math.max(0, first - 1 - BETWEEN), first).map(({ text }) => text);
  const after = spoken.slice(last + 1, last + 1 + BETWEEN).map(({ text }) => text);
  return after.some((text) => SAYS.has(text)) || before.join(" ").includes("according to");
}

/** Where pieces of a text end: behind a line or a sentence, so that no phrase is cut. */
function* pieces(text: string): Generator<Span> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PIECE, text.length);
    if (end < text.length) {
      const at = Math.max(text.lastIndexOf("\n", end), text.lastIndexOf(". ", end), text.lastIndexOf(" ", end));
      if (at > start) end = at + 1;
    }
    yield { start, end };
    start = end;
  }
}

/** Scores a text in each category of a framework, in steps. */
export function* categorising(text: string, lexicon: Lexicon): Steps<Categorised> {
  const found = new Map<string, Map<string, Found>>();
  let spoken = 0;
  for (const { start, end } of pieces(text)) {
    const piece = text.slice(start, end);
    const all = words(piece);
    spoken += all.length;
    for (const hit of counting(lexicon.index.find(piece, all), lexicon)) {
      if (isSpeaker(hit, all)) continue;
      const { category, term, weight, ...span } = hit;
      const terms = found.get(category) ?? new Map<string, Found>();
      found.set(category, terms);
      const known = terms.get(term) ?? { count: 0, weight, spans: [] };
      terms.set(term, known);
      known.count += 1;
      if (known.spans.length < MOST_EVIDENCE) known.spans.push({ start: start + span.start, end: start + span.end });
    }
    yield;
  }
  const k = K1 * (1 - B + (B * Math.min(Math.max(spoken, FEWEST_WORDS), MOST_WORDS)) / USUAL_WORDS);
  const rated = [...found].map(([category, terms]) => {
    const words = [...terms]
      .map(([term, { count, weight, spans }]) => ({
        term,
        spans,
        worth: (weight * lexicon.idf(term) * count) / (count + k),
      }))
      .sort((one, other) => other.worth - one.worth);
    return { category, words, sum: words.reduce((total, { worth }) => total + worth, 0) };
  });
  const most = Math.max(...rated.map(({ sum }) => sum));
  const isPrivate = rated.some(({ category, sum }) => category === PRIVATE_LIFE && sum === most);
  const categories = rated
    .filter(({ category, sum }) => !isPrivate && !isBeside(category) && sum >= MAIN * most)
    .map(({ category, words: all, sum }): Scored => ({
      category,
      score: Math.round((100 * sum) / (sum + HALF)),
      evidence: all.slice(0, MOST_EVIDENCE).map(({ term, spans }) => ({ term, ...spans[0]! })),
    }))
    .filter(({ score }) => score > THRESHOLD)
    .sort((one, other) => other.score - one.score || (one.category < other.category ? -1 : 1));
  return { categories, uncategorised: categories.length === 0 };
}

export const categorise = (text: string, lexicon: Lexicon): Categorised => atOnce(categorising(text, lexicon));
