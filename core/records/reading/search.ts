/**
 * The port of full-text search, and the syntax tree of the query language (Document 1, "Search"). One parser makes the
 * tree; each adapter (embedded, Elasticsearch) compiles it. Analysis (folding, tokens, stems), snippets and the 0..1
 * relevance are ours and shared, so that both engines match and show the same.
 */
export type Field = "title" | "source" | "domain";

/** A parsed query. `and` never holds only negations: such a query is refused by the parser. */
export type QueryNode =
  | { kind: "term"; text: string; field?: Field; prefix?: boolean }
  | { kind: "phrase"; text: string; field?: Field }
  | { kind: "not"; node: QueryNode }
  | { kind: "and"; nodes: QueryNode[] }
  | { kind: "or"; nodes: QueryNode[] };

export interface Parsed {
  /** Null where nothing searchable is left (only punctuation): matches nothing. */
  tree: QueryNode | null;
  /** The query written back in normal form: parsing it again gives the same tree. */
  normalized: string;
  /** What was mended, in words ("a quotation mark was closed at the end"). */
  warnings: string[];
}

export interface SearchDocument {
  id: number;
  title: string;
  /** Plain text, whole. */
  text: string;
  summary: string;
  url: string;
  sourceId: number;
  /** The source's name. */
  source: string;
  domain: string;
  /** 0..1 */
  confidence: number;
  verified: boolean;
  /** ISO 8601, UTC. */
  publishedAt: string;
  storyId: string;
  /** Copies of one text, wire copies that were cut or added to included, share it. */
  reportId: string;
  /** The article's revision: an older one never replaces a newer one. */
  rev: number;
}

/** What hits are ordered by, best first; of equals the newest first, then the one stored first. */
export type SearchOrder = "relevance" | "newest" | "oldest";

export interface SearchRequest {
  tree: QueryNode;
  domain?: string;
  /** ISO 8601 bounds on publishedAt, both inclusive. */
  from?: string;
  to?: string;
  sourceIds?: readonly number[];
  minConfidence?: number;
  limit: number;
  offset?: number;
  /** Count hits by domain, source and month. */
  facets?: boolean;
  /** By relevance, unless said otherwise. */
  order?: SearchOrder;
  /** Show of each report the first article alone, and name its copies there. The total counts them all. */
  fold?: boolean;
  /** The moment recency is measured from (ISO 8601); the caller's clock. */
  now: string;
}

/** Copies that a hit names at most. */
export const MOST_COPIES = 10;
/** Another article of the same report that matches too. */
export type Copy = Pick<SearchDocument, "id" | "source" | "url" | "publishedAt">;

export interface SearchHit extends Omit<SearchDocument, "text" | "rev"> {
  /** Where hits are folded: the first of its copies, oldest first, and how many there are. */
  copies?: Copy[];
  copyCount?: number;
  /** HTML-escaped text around the matches, each match in <mark>. */
  snippet: string;
  /** 0..1, falling with rank where hits are ordered by it. */
  relevance: number;
}

/** Totals are exact up to here, and hits beyond it cannot be paged to (the bound Elasticsearch sets by default). */
export const TOTAL_BOUND = 10_000;

export interface Facets {
  domain: Record<string, number>;
  source: Record<string, number>;
  month: Record<string, number>;
}
export interface SearchAnswer {
  hits: SearchHit[];
  /** How many articles match; at TOTAL_BOUND there may be more. */
  total: number;
  /** Over all that match, or over the TOTAL_BOUND newest of them. */
  facets?: Facets;
}

/** A hit for who reads no more than which article it is. */
export type RankedHit = Pick<SearchHit, "id" | "relevance">;

export interface SearchIndex {
  readonly kind: "embedded" | "elastic";
  /** Adds or replaces; visible to a search that starts after it resolves. */
  put(documents: readonly SearchDocument[]): Promise<void>;
  remove(ids: readonly number[]): Promise<void>;
  search(request: SearchRequest): Promise<SearchAnswer>;
  /**
   * The hits of the same search in the same order, without what a snippet costs; an article may be among them that was
   * taken out a moment ago.
   */
  ranked(request: SearchRequest): Promise<RankedHit[]>;
  /** Words of the articles' texts that lie near a folded one that may be misspelt, the likeliest first. */
  spellings(word: string): Promise<string[]>;
  /**
   * Builds the index anew from the documents beside the live one and swaps; answers how many it holds. What is put or
   * removed meanwhile is in the new one too. A rebuild that another overtakes throws Problem 409 CONFLICT.
   */
  rebuild(documents: AsyncIterable<SearchDocument>): Promise<number>;
  count(): Promise<number>;
  /** True where the index was never built whole, or by another version of the analysis: the caller should rebuild. */
  outdated(): Promise<boolean>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
