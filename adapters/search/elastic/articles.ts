/**
 * Articles in the form that Elasticsearch stores, and queries to it: tokens split at blanks, bool queries from the
 * syntax tree. Never its own query strings, whose syntax can throw and whose operators can be expensive.
 */
import type { estypes } from "@elastic/elasticsearch";
import {
  analyseText,
  ANALYSIS_VERSION,
  searchedBody,
  nameTokens,
  type Analysed,
  type Leaf,
} from "../../../core/text/words/analysis.ts";
import {
  MOST_COPIES,
  TOTAL_BOUND,
  type Facets,
  type SearchDocument,
  type SearchOrder,
  type SearchRequest,
} from "../../../core/records/reading/search.ts";
import { HALF_LIFE_DAYS, RECENCY_BONUS, TITLE_WEIGHT } from "../ranking.ts";

type Query = estypes.QueryDslQueryContainer;

/** The stored fields of a hit. */
export interface StoredArticle extends Omit<SearchDocument, "rev"> {}

const tokens = { type: "text", analyzer: "whitespace" } as const;
const unranked = { type: "text", analyzer: "whitespace", norms: false } as const;
const shown = { type: "object", enabled: false } as const;

/** `complete` tells whether the index was built from all articles. */
export const mappingMeta = (complete: boolean) => ({ analysis: ANALYSIS_VERSION, complete });
export const mappings = (complete: boolean): estypes.MappingTypeMapping => ({
  _meta: mappingMeta(complete),
  dynamic: false,
  _source: { excludes: ["tokens"] },
  properties: {
    tokens: {
      properties: {
        title: tokens,
        body: tokens,
        titleforms: unranked,
        bodyforms: unranked,
        source: unranked,
        domain: unranked,
      },
    },
    shown,
    id: { type: "long" },
    sourceId: { type: "long" },
    source: { type: "keyword" },
    domain: { type: "keyword" },
    reportId: { type: "keyword" },
    confidence: { type: "double" },
    publishedAt: { type: "date" },
  },
});

/** One document as it is sent: tokens to search, values to filter and sort by, the rest to show. */
export function entry({ rev: _rev, ...article }: SearchDocument) {
  const { id, sourceId, source, domain, reportId, confidence, publishedAt } = article;
  const title = analyseText(article.title),
    body = analyseText(searchedBody(article));
  return {
    tokens: {
      title: title.tokens.join(" "),
      body: body.tokens.join(" "),
      titleforms: title.forms.join(" "),
      bodyforms: body.forms.join(" "),
      source: nameTokens(source).join(" "),
      domain: nameTokens(domain).join(" "),
    },
    shown: article satisfies StoredArticle,
    id,
    sourceId,
    source,
    domain,
    reportId,
    confidence,
    publishedAt,
  };
}

const any = (should: Query[]): Query =>
  should.length === 1 ? should[0]! : { bool: { should, minimum_should_match: 1 } };
const standing = (field: string, { tokens: side }: Leaf, boost = 1): Query =>
  side.length === 1
    ? { term: { [`tokens.${field}`]: { value: side[0]!, boost } } }
    : { match_phrase: { [`tokens.${field}`]: { query: side.join(" "), boost } } };
const beginning = (fields: readonly string[], { tokens: [value] }: Leaf): Query =>
  any(fields.map((field) => ({ prefix: { [`tokens.${field}`]: { value: value! } } })));

function leafQuery(leaf: Leaf): Query {
  if (leaf.tokens.length === 0) return { match_none: {} };
  const { field, prefix } = leaf;
  if (field === "source" || field === "domain") return prefix ? beginning([field], leaf) : standing(field, leaf);
  const fields = field === "title" ? ["title"] : ["title", "body"];
  return prefix
    ? beginning(
        fields.flatMap((name) => [name, `${name}forms`]),
        leaf,
      )
    : any(fields.map((name) => standing(name, leaf)));
}

/** Which articles match. */
export function matching(tree: Analysed): Query {
  switch (tree.kind) {
    case "leaf":
      return leafQuery(tree);
    case "not":
      return { bool: { must_not: matching(tree.node) } };
    case "or":
      return any(tree.nodes.map(matching));
    case "and": {
      const filter = tree.nodes.filter((node) => node.kind !== "not").map(matching);
      const excluded = tree.nodes.flatMap((node) => (node.kind === "not" ? [matching(node.node)] : []));
      return { bool: { filter, must_not: excluded } };
    }
  }
}

/** How well they match: BM25 of the ranked leaves, a word counted over both fields together (BM25F). */
function ranking(tree: Analysed): Query[] {
  if (tree.kind === "not") return [];
  if (tree.kind !== "leaf") return tree.nodes.flatMap(ranking);
  if (!tree.ranked) return [];
  if (tree.field === "title") return [standing("title", tree, TITLE_WEIGHT)];
  if (tree.tokens.length > 1) return [standing("title", tree, TITLE_WEIGHT), standing("body", tree)];
  return [{ combined_fields: { query: tree.tokens[0]!, fields: [`tokens.title^${TITLE_WEIGHT}`, "tokens.body"] } }];
}

function filtering({ domain, sourceIds, minConfidence, from, to }: SearchRequest): Query[] {
  const filter: Query[] = [];
  if (domain !== undefined) filter.push({ term: { domain } });
  if (sourceIds) filter.push({ terms: { sourceId: [...sourceIds] } });
  if (minConfidence !== undefined) filter.push({ range: { confidence: { gte: minConfidence } } });
  if (from !== undefined || to !== undefined)
    filter.push({
      range: { publishedAt: { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lte: to }) } },
    });
  return filter;
}

const FACETS: Record<keyof Facets, estypes.AggregationsAggregationContainer> = {
  domain: { terms: { field: "domain", size: 1_000 } },
  source: { terms: { field: "source", size: 10_000 } },
  month: { date_histogram: { field: "publishedAt", calendar_interval: "month", format: "yyyy-MM", min_doc_count: 1 } },
};

/** The articles of a report, oldest first: one more than are listed, since the hit is among them. */
const COPIES: estypes.SearchInnerHits = {
  name: "copies",
  size: MOST_COPIES + 1,
  sort: [{ publishedAt: { order: "asc" } }, { id: { order: "asc" } }],
  _source: ["shown.id", "shown.source", "shown.url", "shown.publishedAt"],
};

const NEWEST: estypes.SortCombinations[] = [{ publishedAt: { order: "desc" } }, { id: { order: "asc" } }];
const ORDERS: Readonly<Record<SearchOrder, estypes.SortCombinations[]>> = {
  relevance: [{ _score: { order: "desc" } }, ...NEWEST],
  newest: NEWEST,
  oldest: [{ publishedAt: { order: "asc" } }, { id: { order: "asc" } }],
};

/** The whole request: (1 + BM25) times the bonus of recency, as in the embedded engine; see ranking.ts. */
export function searchBody(request: SearchRequest, tree: Analysed): estypes.SearchRequest {
  const offset = Math.min(request.offset ?? 0, TOTAL_BOUND);
  const matched: Query = {
    bool: {
      filter: [matching(tree), ...filtering(request)],
      must: [{ constant_score: { filter: { match_all: {} }, boost: 1 } }],
      should: ranking(tree),
    },
  };
  const fading = {
    exp: { publishedAt: { origin: request.now, scale: `${HALF_LIFE_DAYS}d`, decay: 0.5 } },
    weight: RECENCY_BONUS,
  };
  return {
    from: offset,
    size: Math.min(request.limit, TOTAL_BOUND - offset),
    track_total_hits: TOTAL_BOUND,
    track_scores: true,
    _source: ["shown"],
    query: {
      function_score: {
        query: matched,
        functions: [{ weight: 1 }, fading as estypes.QueryDslFunctionScoreContainer],
        score_mode: "sum",
        boost_mode: "multiply",
      },
    },
    sort: ORDERS[request.order ?? "relevance"],
    ...(request.fold && { collapse: { field: "reportId", inner_hits: COPIES } }),
    ...(request.facets && { aggs: FACETS }),
  };
}

interface Bucket {
  key: string;
  key_as_string?: string;
  doc_count: number;
}
export function facetsOf(aggregations: Record<string, unknown> | undefined): Facets {
  const counts = (name: keyof Facets): Record<string, number> => {
    const { buckets } = (aggregations?.[name] ?? { buckets: [] }) as { buckets: Bucket[] };
    return Object.fromEntries(buckets.map(({ key, key_as_string, doc_count }) => [key_as_string ?? key, doc_count]));
  };
  return { domain: counts("domain"), source: counts("source"), month: counts("month") };
}
