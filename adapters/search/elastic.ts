import { Readable } from "node:stream";
import type { Client, estypes } from "@elastic/elasticsearch";
import { analyseQuery, analyseText, ANALYSIS_VERSION, bodyOf, nameTokens, type Analysed, type Leaf } from "../../core/analysis.ts";
import { Problem } from "../../core/problem.ts";
import type { SearchAnswer, SearchDocument, SearchHit, SearchIndex, SearchRequest } from "../../core/search.ts";
import { snippet } from "../../core/snippet.ts";
import { HALF_LIFE_DAYS, RECENCY_BONUS, relevance, TITLE_WEIGHT } from "./ranking.ts";

type Query = estypes.QueryDslQueryContainer;
type Listed = Omit<SearchDocument, "text" | "rev">;
interface Stored { listed: Listed; body: string }

const TIMEOUT_MS = 10_000;
/** Tokens come analysed: Elasticsearch splits them at blanks and nothing more. */
const tokens = { type: "text", analyzer: "whitespace", norms: true } as const;

const mappings: estypes.MappingTypeMapping = {
  _meta: { analysis: ANALYSIS_VERSION },
  dynamic: false,
  properties: {
    title: tokens, body: tokens,
    titleforms: { type: "keyword" }, bodyforms: { type: "keyword" }, titlewords: { type: "keyword" }, bodywords: { type: "keyword" },
    sourcename: { ...tokens, norms: false }, domainname: { ...tokens, norms: false },
    domain: { type: "keyword" }, source: { type: "keyword" }, sourceId: { type: "long" }, id: { type: "long" },
    confidence: { type: "double" }, publishedAt: { type: "date" },
    listed: { type: "object", enabled: false },
  },
};

/** One document as it is stored: its tokens for searching, the rest to show. */
function entry(document: SearchDocument): Record<string, unknown> {
  const { text: _text, rev: _rev, ...listed } = document;
  const body = bodyOf(document);
  const title = analyseText(document.title), rest = analyseText(body);
  const distinct = (list: readonly string[]): string[] => [...new Set(list)];
  return {
    title: title.tokens.join(" "), body: rest.tokens.join(" "), titleforms: title.forms, bodyforms: rest.forms, titlewords: distinct(title.tokens), bodywords: distinct(rest.tokens),
    sourcename: nameTokens(document.source).join(" "), domainname: nameTokens(document.domain).join(" "),
    domain: document.domain, source: document.source, sourceId: document.sourceId, id: document.id, confidence: document.confidence, publishedAt: document.publishedAt,
    listed, rawbody: body,
  };
}

const any = (should: Query[]): Query => ({ bool: { should, minimum_should_match: 1 } });
const phrase = (field: string, leaf: Leaf, boost = 1): Query => ({ match_phrase: { [field]: { query: leaf.tokens.join(" "), analyzer: "whitespace", boost } } });
const beginning = (fields: readonly string[], value: string): Query => any(fields.map((field) => ({ prefix: { [field]: { value } } })));

function leafQuery(leaf: Leaf): Query {
  const { field, tokens: [first], prefix } = leaf;
  if (first === undefined) return { match_none: {} };
  if (field === "source" || field === "domain") return prefix ? { match_phrase_prefix: { [`${field}name`]: { query: first, analyzer: "whitespace", max_expansions: 1_000 } } } : phrase(`${field}name`, leaf);
  if (prefix) return beginning(field === "title" ? ["titleforms", "titlewords"] : ["titleforms", "titlewords", "bodyforms", "bodywords"], first);
  return field === "title" ? phrase("title", leaf) : any([phrase("title", leaf), phrase("body", leaf)]);
}

/** The tree as a filter: which articles match. */
function matching(tree: Analysed): Query {
  switch (tree.kind) {
    case "leaf": return leafQuery(tree);
    case "not": return { bool: { must_not: matching(tree.node) } };
    case "or": return any(tree.nodes.map(matching));
    case "and": return { bool: { filter: tree.nodes.filter(({ kind }) => kind !== "not").map(matching), must_not: tree.nodes.flatMap((node) => (node.kind === "not" ? [matching(node.node)] : [])) } };
  }
}

/** The leaves that rank, title over body: how well an article answers. */
function ranking(tree: Analysed): Query[] {
  if (tree.kind === "not") return [];
  if (tree.kind !== "leaf") return tree.nodes.flatMap(ranking);
  if (!tree.ranked) return [];
  return tree.field === "title" ? [phrase("title", tree, TITLE_WEIGHT)] : [phrase("title", tree, TITLE_WEIGHT), phrase("body", tree)];
}

/** Full-text search in Elasticsearch, behind an alias that a rebuild swaps. */
export class ElasticSearch implements SearchIndex {
  readonly kind = "elastic";
  readonly #url: string;
  readonly #alias: string;
  #client: Promise<Client> | undefined;

  /** `namespace` tells meshes apart that share a server. */
  constructor(url: string, namespace: string) {
    this.#url = url;
    this.#alias = `${namespace.toLowerCase()}-articles`;
  }

  async #open(): Promise<Client> {
    this.#client ??= this.#connect();
    try {
      return await this.#client;
    } catch (error) {
      this.#client = undefined;
      throw away(error);
    }
  }

  async #connect(): Promise<Client> {
    const { Client } = await import("@elastic/elasticsearch");
    const client = new Client({ node: this.#url, requestTimeout: TIMEOUT_MS, maxRetries: 1 });
    if (!(await client.indices.existsAlias({ name: this.#alias }))) await this.#create(client, `${this.#alias}-1`, true);
    return client;
  }

  async #create(client: Client, index: string, live: boolean): Promise<void> {
    await client.indices.create({ index, mappings, settings: { number_of_replicas: 0, refresh_interval: "1s" }, ...(live && { aliases: { [this.#alias]: {} } }) }).catch((error: { body?: { error?: { type?: string } } }) => {
      if (error.body?.error?.type !== "resource_already_exists_exception") throw error;
    });
  }

  async put(documents: readonly SearchDocument[]): Promise<void> {
    if (!documents.length) return;
    const client = await this.#open();
    const operations = documents.flatMap((document) => [{ index: { _index: this.#alias, _id: String(document.id), version: document.rev, version_type: "external" as const } }, entry(document)]);
    const answer = await client.bulk({ operations, refresh: true }).catch((error: unknown) => { throw away(error); });
    // A conflict of versions means that the index has this revision or a newer one already.
    const failed = answer.items.find(({ index }) => index?.error && index.status !== 409);
    if (failed) throw new Problem(503, "UPSTREAM_SEARCH", `The search index did not take an article: ${failed.index!.error!.type}.`);
  }

  async remove(ids: readonly number[]): Promise<void> {
    if (!ids.length) return;
    const client = await this.#open();
    await client.bulk({ operations: ids.map((id) => ({ delete: { _index: this.#alias, _id: String(id) } })), refresh: true }).catch((error: unknown) => { throw away(error); });
  }

  async search(request: SearchRequest): Promise<SearchAnswer> {
    const client = await this.#open();
    const tree = analyseQuery(request.tree);
    const { domain, from, to, sourceIds, minConfidence, limit, offset = 0, facets, now } = request;
    const filter: Query[] = [matching(tree)];
    if (domain !== undefined) filter.push({ term: { domain } });
    if (sourceIds) filter.push({ terms: { sourceId: [...sourceIds] } });
    if (minConfidence !== undefined) filter.push({ range: { confidence: { gte: minConfidence } } });
    if (from !== undefined || to !== undefined) filter.push({ range: { publishedAt: { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lte: to }) } } });
    // One is added to BM25 by the constant, so that where no word ranks recency alone orders.
    const found: Query = { bool: { filter, must: [{ constant_score: { filter: { match_all: {} }, boost: 1 } }], should: ranking(tree) } };
    const decay = { exp: { publishedAt: { origin: now, scale: `${HALF_LIFE_DAYS}d`, decay: 0.5 } }, weight: RECENCY_BONUS };
    const answer = await client.search<Stored & { rawbody: string }>({
      index: this.#alias, size: limit, from: offset, track_total_hits: true, _source: ["listed", "rawbody"],
      query: { function_score: { query: found, functions: [{ weight: 1 }, decay as estypes.QueryDslFunctionScoreContainer], score_mode: "sum", boost_mode: "multiply" } },
      sort: [{ _score: { order: "desc" } }, { publishedAt: { order: "desc" } }, { id: { order: "desc" } }],
      track_scores: true,
      ...(facets && { aggs: { domain: { terms: { field: "domain", size: 20 } }, source: { terms: { field: "source", size: 1_000 } }, month: { date_histogram: { field: "publishedAt", calendar_interval: "month", format: "yyyy-MM", min_doc_count: 1 } } } }),
    }).catch((error: unknown) => { throw away(error); });
    const hits = answer.hits.hits.map(({ _source, _score }): SearchHit => {
      const { listed, rawbody: body } = _source!;
      return { ...listed, snippet: snippet({ title: listed.title, body, source: listed.source, domain: listed.domain }, tree), relevance: relevance(_score ?? 0) };
    });
    const total = typeof answer.hits.total === "number" ? answer.hits.total : (answer.hits.total?.value ?? 0);
    const buckets = (name: string): Record<string, number> => Object.fromEntries(((answer.aggregations?.[name] as { buckets?: { key: string; key_as_string?: string; doc_count: number }[] } | undefined)?.buckets ?? []).map(({ key, key_as_string, doc_count }) => [key_as_string ?? key, doc_count]));
    return { hits, total, ...(facets && { facets: { domain: buckets("domain"), source: buckets("source"), month: buckets("month") } }) };
  }

  async rebuild(documents: AsyncIterable<SearchDocument>): Promise<number> {
    const client = await this.#open();
    const next = `${this.#alias}-${Date.now()}`;
    await this.#create(client, next, false);
    const { failed } = await client.helpers.bulk<SearchDocument>({
      datasource: Readable.from(documents), flushBytes: 5_000_000, concurrency: 2,
      onDocument: (document) => [{ index: { _index: next, _id: String(document.id), version: document.rev, version_type: "external" } }, entry(document)],
    });
    if (failed) {
      await client.indices.delete({ index: next });
      throw new Problem(503, "UPSTREAM_SEARCH", `The search index did not take ${failed} articles; the old one stays.`);
    }
    await client.indices.refresh({ index: next });
    const before = Object.keys(await client.indices.getAlias({ name: this.#alias }));
    await client.indices.updateAliases({ actions: [...before.map((index) => ({ remove: { index, alias: this.#alias } })), { add: { index: next, alias: this.#alias } }] });
    await client.indices.delete({ index: before });
    return this.count();
  }

  async outdated(): Promise<boolean> {
    const client = await this.#open();
    const found = await client.indices.getMapping({ index: this.#alias }).catch((error: unknown) => { throw away(error); });
    return Object.values(found).some((index) => index.mappings._meta?.["analysis"] !== ANALYSIS_VERSION);
  }

  async count(): Promise<number> {
    const client = await this.#open();
    return (await client.count({ index: this.#alias }).catch((error: unknown) => { throw away(error); })).count;
  }

  async ping(): Promise<void> {
    const client = await this.#open();
    await client.cluster.health({ timeout: "2s" }).catch((error: unknown) => { throw away(error); });
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }
}

/** A server that is away, or answers with an error of its own: the caller hears that search is not to be had now. */
function away(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(503, "UPSTREAM_SEARCH", "Search is not available at the moment.", { headers: { "Retry-After": "5" } });
}
