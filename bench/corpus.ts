/**
 * A seeded corpus of made-up news for benches: words follow Zipf's law over a vocabulary of tens of thousands, real
 * English function words lead it, each article leans on the words of one topic, lengths are log-normal. The same seed
 * gives the same articles.
 */
import type { SearchDocument } from "../core/records/reading/search.ts";

/** Numbers in [0, 1) from a 32-bit seed (mulberry32, Tommy Ettinger, public domain). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const FUNCTION_WORDS = (
  "the of to and a in that is for on was with said as he by at it from be are has have will an his not its but they which this were or their had been who more " +
  "one after also about new up over would there than when first two people out year last other into some could all years time can what"
).split(" ");
const ONSETS = "b c d f g h j k l m n p r s t v w br cr dr fl gr pl pr sh st str th tr".split(" ");
const VOWELS = "a e i o u ai ea ia io ou".split(" ");
const CODAS = ["", "", "", "l", "m", "n", "r", "s", "t", "nd", "rt", "st"];
const ENDINGS = ["s", "ed", "ing", "ers", "ation", "ations", "ly", "ness"];
const DOMAINS = ["geopolitics", "economics", "technology", "security", "energy", "health", "environment", "science"];
const TOPICS = 400,
  WORDS_OF_A_TOPIC = 250,
  SOURCES = 300;
const YEAR_MS = 365 * 86_400_000;

export interface CorpusOptions {
  seed?: number;
  /** Words in the vocabulary. */
  vocabulary?: number;
  /** Words of the median article. */
  length?: number;
  /** ISO 8601: the newest article is of this moment, the oldest of a year before. */
  until?: string;
}

function vocabulary(next: () => number, size: number): string[] {
  const pick = (list: readonly string[]) => list[Math.floor(next() * list.length)]!;
  const known = new Set(FUNCTION_WORDS);
  while (known.size < size) {
    const syllables = 2 + Math.floor(next() * 2);
    let word = "";
    for (let at = 0; at < syllables; at++) word += pick(ONSETS) + pick(VOWELS) + pick(CODAS);
    known.add(word);
    // Inflected forms share a stem with their base, as in English.
    if (next() < 0.5) known.add(word + pick(ENDINGS));
  }
  return [...known].slice(0, size);
}

/** Draws ranks 0..size-1 with probability proportional to 1 / (rank + 2.7), Mandelbrot's form of Zipf's law. */
function zipf(next: () => number, size: number): () => number {
  const sums = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank++) sums[rank] = sum += 1 / (rank + 2.7);
  return () => {
    const target = next() * sum;
    let low = 0,
      high = size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < target) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

const gaussian = (next: () => number): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

/** Articles 1..count, oldest first, as they would be put into a search index. */
export function* corpus(
  count: number,
  { seed = 1, vocabulary: size = 60_000, length = 250, until = "2026-11-21T00:00:00.000Z" }: CorpusOptions = {},
): Generator<SearchDocument> {
  const next = random(seed);
  const lexicon = vocabulary(next, size);
  const general = zipf(next, size),
    local = zipf(next, WORDS_OF_A_TOPIC);
  const common = FUNCTION_WORDS.length + 200;
  const topics = Array.from({ length: TOPICS }, () =>
    Array.from({ length: WORDS_OF_A_TOPIC }, () => lexicon[common + Math.floor(next() * (size - common))]!),
  );
  const end = Date.parse(until);
  for (let id = 1; id <= count; id++) {
    const topic = topics[Math.floor(next() * TOPICS)]!;
    const word = () => (next() < 0.2 ? topic[local()]! : lexicon[general()]!);
    const sentence = (words: number) => {
      const text = Array.from({ length: words }, word).join(" ");
      return `${text[0]!.toUpperCase()}${text.slice(1)}`;
    };
    const sentences = Math.max(2, Math.round((length / 18) * Math.exp(0.6 * gaussian(next))));
    const text = Array.from({ length: sentences }, () => `${sentence(10 + Math.floor(next() * 16))}.`).join(" ");
    const sourceId = 1 + Math.floor(next() * next() * SOURCES);
    yield {
      id,
      title: sentence(6 + Math.floor(next() * 6)),
      text,
      summary: text.slice(0, 200),
      url: `https://source-${sourceId}.example/articles/${id}`,
      sourceId,
      source: `Source ${sourceId}`,
      domain: DOMAINS[sourceId % DOMAINS.length]!,
      confidence: Math.round(next() * 100) / 100,
      verified: next() < 0.2,
      publishedAt: new Date(
        end - YEAR_MS + Math.round((YEAR_MS * id) / count) - Math.floor(next() * 3_600_000),
      ).toISOString(),
      storyId: `story-${id}`,
      reportId: `story-${id}`,
      rev: 1,
    };
  }
}

/** Queries people would type: words of one article, no function words; uniform over its distinct words. */
export function* queries(documents: readonly SearchDocument[], words: number, seed = 7): Generator<string> {
  const next = random(seed);
  const ignored = new Set(FUNCTION_WORDS);
  for (;;) {
    const document = documents[Math.floor(next() * documents.length)]!;
    const distinct = [...new Set(document.text.toLowerCase().replaceAll(".", "").split(" "))].filter(
      (word) => !ignored.has(word),
    );
    const chosen = new Set<string>();
    while (chosen.size < Math.min(words, distinct.length)) chosen.add(distinct[Math.floor(next() * distinct.length)]!);
    yield [...chosen].join(" ");
  }
}
