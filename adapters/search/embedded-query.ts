/** Answers a search request from one generation of the embedded index. */
import {
  analyseQuery,
  searchedBody,
  positiveLeaves,
  type Analysed,
  type Leaf,
} from "../../core/text/words/analysis.ts";
import {
  MOST_COPIES,
  TOTAL_BOUND,
  type Copy,
  type Facets,
  type RankedHit,
  type SearchAnswer,
  type SearchHit,
  type SearchOrder,
  type SearchRequest,
} from "../../core/records/reading/search.ts";
import { snippet } from "../../core/text/searching/snippet.ts";
import { Best } from "./best.ts";
import type { Generation } from "./generation.ts";
import { firstFrom, Matching, termsOf } from "./matching.ts";
import type { Segment } from "./postings/segment.ts";
import { B, DAY_MS, K1, relevance, score, TITLE_WEIGHT } from "./ranking.ts";
import type { HitFields } from "./hit-fields.ts";

/** Places of a segment that the request finds. */
interface Found {
  segment: Segment;
  matching: Matching;
  places: Int32Array;
}
interface Candidate {
  segment: Segment;
  place: number;
  score: number;
}

const published = ({ segment, place }: Candidate): number => segment.columns.published[place]!;
const id = ({ segment, place }: Candidate): number => segment.columns.id[place]!;
const report = ({ segment, place }: Candidate): number => segment.columns.report[place]!;
type IsBetter = (one: Candidate, other: Candidate) => boolean;
/** What equals are ordered by: the one stored first is that of which the others may be copies. */
const isNewer: IsBetter = (one, other) =>
  published(one) !== published(other) ? published(one) > published(other) : id(one) < id(other);
const ORDERS: Readonly<Record<SearchOrder, IsBetter>> = {
  relevance: (one, other) => (one.score !== other.score ? one.score > other.score : isNewer(one, other)),
  newest: isNewer,
  oldest: (one, other) =>
    published(one) !== published(other) ? published(one) < published(other) : id(one) < id(other),
};

/** Whether a document passes the filters of a request, and lives. */
function passing(
  { domain, sourceIds, minConfidence, from, to }: SearchRequest,
  { columns, dead }: Segment,
): ((place: number) => boolean) | undefined {
  const tests: ((place: number) => boolean)[] = [];
  if (dead.size > 0) tests.push((place) => !dead.has(place));
  if (domain !== undefined) {
    const wanted = columns.names.indexOf(domain);
    tests.push((place) => columns.domain[place] === wanted);
  }
  if (sourceIds) {
    const wanted = new Set(sourceIds);
    tests.push((place) => wanted.has(columns.sourceId[place]!));
  }
  if (minConfidence !== undefined) tests.push((place) => columns.confidence[place]! >= minConfidence);
  if (from !== undefined || to !== undefined) {
    const earliest = from === undefined ? -Infinity : Date.parse(from),
      latest = to === undefined ? Infinity : Date.parse(to);
    tests.push((place) => columns.published[place]! >= earliest && columns.published[place]! <= latest);
  }
  return tests.length === 0 ? undefined : (place) => tests.every((test) => test(place));
}

class Search {
  readonly #index: Generation;
  readonly #request: SearchRequest;
  readonly #tree: Analysed;
  readonly #segments: readonly Segment[];
  readonly #found: readonly Found[];
  readonly #now: number;

  constructor(index: Generation, request: SearchRequest) {
    this.#index = index;
    this.#request = request;
    this.#tree = analyseQuery(request.tree);
    this.#segments = index.segments();
    this.#now = Date.parse(request.now);
    const terms = termsOf(this.#tree);
    this.#found = this.#segments.map((segment) => {
      const matching = new Matching(segment, terms),
        passes = passing(request, segment),
        places = matching.places(this.#tree);
      return {
        segment,
        matching,
        places: passes && places.length > 0 ? places.filter((place) => passes(place)) : places,
      };
    });
  }

  /** How rare each ranked leaf is (inverse document frequency), over all segments, dead documents included. */
  #rarities(leaves: readonly Leaf[]): number[] {
    const documents = this.#segments.reduce((sum, { count }) => sum + count, 0);
    return leaves.map((leaf) => {
      const holding = this.#found.reduce((sum, { matching }) => sum + matching.count(leaf), 0);
      return Math.log(1 + (documents - holding + 0.5) / (holding + 0.5));
    });
  }

  #meanLength(): number {
    let documents = 0,
      words = 0;
    for (const { count, words: own } of this.#segments) {
      documents += count;
      words += own;
    }
    return Math.max(1, words / Math.max(1, documents));
  }

  /** The first of everything found, as many as requested; folded, the first of each report. */
  #best(most: number): Candidate[] {
    if (!this.#request.fold) return this.#ranked(most);
    const found = this.#found.reduce((sum, { places }) => sum + places.length, 0);
    for (let asked = 2 * most; ; asked *= 4) {
      const seen = new Set<number>();
      const folded = this.#ranked(asked).filter((one) => !seen.has(report(one)) && seen.add(report(one)));
      if (folded.length >= most || asked >= found) return folded.slice(0, most);
    }
  }

  #ranked(most: number): Candidate[] {
    const leaves = positiveLeaves(this.#tree).filter((leaf) => leaf.ranked && leaf.tokens.length > 0);
    const rarities = this.#rarities(leaves),
      mean = this.#meanLength();
    const { order = "relevance" } = this.#request;
    const best = new Best<Candidate>(most, ORDERS[order]);
    for (const { segment, matching, places } of this.#found) {
      if (places.length === 0) continue;
      const sums = new Float64Array(places.length);
      for (const [at, leaf] of leaves.entries()) addScores(sums, places, matching, leaf, rarities[at]!, segment, mean);
      for (let at = 0; at < places.length; at++) {
        const place = places[at]!,
          least = best.least;
        // The bonus of recency is bounded: most candidates can be rejected without computing a power.
        if (order === "relevance" && least !== undefined && score(sums[at]!, 0) < least.score) continue;
        best.offer({
          segment,
          place,
          score: score(sums[at]!, (this.#now - segment.columns.published[place]!) / DAY_MS),
        });
      }
    }
    return best.sorted();
  }

  /** For each report on a page, its other articles that were found. */
  #copies(page: readonly Candidate[]): Map<number, Candidate[]> {
    const copies = new Map(page.map((one) => [report(one), [] as Candidate[]]));
    const shown = new Set(page.map(id));
    for (const { segment, places } of this.#found)
      for (const place of places) {
        const group = copies.get(segment.columns.report[place]!);
        if (group && !shown.has(segment.columns.id[place]!)) group.push({ segment, place, score: 0 });
      }
    for (const group of copies.values())
      group.sort((one, other) => published(one) - published(other) || id(one) - id(other));
    return copies;
  }

  /** Empty for an article that another process removed meanwhile. */
  #hit({ segment: { columns }, place, score: scored }: Candidate, shown: HitFields | undefined): SearchHit[] {
    if (!shown) return [];
    const { title, summary, url, source, verified, publishedAt, storyId, reportId } = shown,
      domain = columns.names[columns.domain[place]!]!;
    const piece = snippet({ title, source, domain, body: searchedBody(shown) }, this.#tree);
    return [
      {
        id: columns.id[place]!,
        title,
        summary,
        url,
        sourceId: columns.sourceId[place]!,
        source,
        domain,
        confidence: columns.confidence[place]!,
        verified,
        publishedAt,
        storyId,
        reportId,
        snippet: piece,
        relevance: relevance(scored),
      },
    ];
  }

  /** The candidates of one page, best first, and the total number. */
  #page(): { page: Candidate[]; total: number } {
    const offset = Math.min(this.#request.offset ?? 0, TOTAL_BOUND);
    const limit = Math.min(this.#request.limit, TOTAL_BOUND - offset);
    const total = Math.min(
      TOTAL_BOUND,
      this.#found.reduce((sum, { places }) => sum + places.length, 0),
    );
    return { page: limit > 0 && offset < total ? this.#best(offset + limit).slice(offset) : [], total };
  }

  #hits(best: readonly Candidate[]): SearchHit[] {
    const copies = this.#request.fold ? this.#copies(best) : undefined;
    const named = [...(copies?.values() ?? [])].flatMap((group) => group.slice(0, MOST_COPIES));
    const shown = this.#index.shown.read([...best, ...named].map(id));
    const copyOf = (one: Candidate): Copy[] => {
      const there = shown.get(id(one));
      return there ? [{ id: id(one), source: there.source, url: there.url, publishedAt: there.publishedAt }] : [];
    };
    return best.flatMap((one) => {
      const group = copies?.get(report(one)) ?? [];
      return this.#hit(one, shown.get(id(one))).map((hit) =>
        copies ? { ...hit, copies: group.slice(0, MOST_COPIES).flatMap(copyOf), copyCount: group.length } : hit,
      );
    });
  }

  #facets(): Facets {
    const facets: Facets = { domain: {}, source: {}, month: {} };
    const add = (counts: Record<string, number>, name: string) => {
      counts[name] = (counts[name] ?? 0) + 1;
    };
    for (const {
      segment: { columns },
      places,
    } of this.#found) {
      for (const place of places) {
        add(facets.domain, columns.names[columns.domain[place]!]!);
        add(facets.source, columns.names[columns.source[place]!]!);
        add(facets.month, new Date(columns.published[place]!).toISOString().slice(0, 7));
      }
    }
    return facets;
  }

  answer(): SearchAnswer {
    const { page, total } = this.#page();
    return { hits: this.#hits(page), total, ...(this.#request.facets && { facets: this.#facets() }) };
  }

  ranked(): RankedHit[] {
    return this.#page().page.map((one) => ({ id: id(one), relevance: relevance(one.score) }));
  }
}

/** Adds a leaf's BM25 to the sums of the documents at these places. */
function addScores(
  sums: Float64Array,
  places: Int32Array,
  matching: Matching,
  leaf: Leaf,
  rarity: number,
  { columns }: Segment,
  mean: number,
): void {
  const { places: holding, inTitle, inBody } = matching.hits(leaf);
  for (let at = 0, next = 0; at < places.length && next < holding.length; at++) {
    const place = places[at]!;
    next = firstFrom(holding, place, next);
    if (holding[next] !== place) continue;
    const often = TITLE_WEIGHT * inTitle[next]! + inBody[next]!;
    sums[at] = sums[at]! + (rarity * often) / (often + K1 * (1 - B + (B * columns.length[place]!) / mean));
  }
}

/** The hits of one page, best first, with their snippets. Synchronous. */
export const searchGeneration = (index: Generation, request: SearchRequest): SearchAnswer =>
  new Search(index, request).answer();

/** As `searchGeneration`, but only the ids of the hits, in order. Synchronous. */
export const rankGeneration = (index: Generation, request: SearchRequest): RankedHit[] =>
  new Search(index, { ...request, fold: false }).ranked();
