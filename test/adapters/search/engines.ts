import { openSearch } from "../../../adapters/search/index.ts";
import { nameTokens, tokens } from "../../../core/text/words/analysis.ts";
import { words } from "../../../core/text/words/words.ts";
import type { QueryNode, SearchDocument, SearchIndex } from "../../../core/records/reading/search.ts";

export const NOW = "2026-11-21T12:00:00.000Z";
export const HOUR_MS = 3_600_000;
export const ago = (hours: number): string => new Date(Date.parse(NOW) - hours * HOUR_MS).toISOString();

const elasticsearchUrl = process.env["ELASTICSEARCH_URL"];
export const onElasticsearch = elasticsearchUrl !== undefined;

const namespace = `test${process.pid}x${Math.random().toString(36).slice(2)}`;
let opened = 0;
/** Deletes what the tests of this file made on the server. */
export async function dropTestIndices(): Promise<void> {
  if (!elasticsearchUrl || opened === 0) return;
  const found = (await (await fetch(`${elasticsearchUrl}/_alias/${namespace}*`)).json()) as object;
  for (const index of Object.keys(found)) await fetch(`${elasticsearchUrl}/${index}`, { method: "DELETE" });
}

/** Every engine that can be reached; each call opens an index that nobody else uses. */
export const engines: [name: string, open: () => SearchIndex][] = [
  ["embedded", () => openSearch({ dataDir: ":memory:" })],
  ...(elasticsearchUrl
    ? [
        [
          "Elasticsearch",
          () => openSearch({ elasticsearchUrl, dataDir: ":memory:", namespace: `${namespace}n${++opened}` }),
        ] as [string, () => SearchIndex],
      ]
    : []),
];

const DOMAINS = ["energy", "health", "science"];
const SOURCES = ["Harbour Gazette", "The Wire", "Northern Post"];

/** Article `id`, published `id` hours ago; domains, sources and confidences go round. */
export const article = (id: number, fields: Partial<SearchDocument> = {}): SearchDocument => ({
  id,
  title: `Title ${id}`,
  text: `Text of ${id}.`,
  summary: "",
  url: `https://example.org/${id}`,
  sourceId: (id % 3) + 1,
  source: SOURCES[id % 3]!,
  domain: DOMAINS[id % 3]!,
  confidence: (id % 10) / 10,
  verified: false,
  publishedAt: ago(id),
  storyId: `s${id}`,
  reportId: `s${id}`,
  rev: 1,
  ...fields,
});

export async function* streamOf(documents: Iterable<SearchDocument>): AsyncGenerator<SearchDocument> {
  yield* documents;
}

const beside = (wanted: readonly string[], among: readonly string[]): boolean =>
  wanted.length > 0 && among.some((_, at) => wanted.every((token, step) => among[at + step] === token));
const begun = (start: string, among: readonly string[]): boolean => among.some((token) => token.startsWith(start));

/** What a query means, word by word: the oracle both engines are held to. */
export function meant(node: QueryNode, document: SearchDocument): boolean {
  switch (node.kind) {
    case "and":
      return node.nodes.every((one) => meant(one, document));
    case "or":
      return node.nodes.some((one) => meant(one, document));
    case "not":
      return !meant(node.node, document);
    default: {
      const prefix = node.kind === "term" && node.prefix === true;
      const wanted = nameTokens(node.text);
      if (node.field === "source" || node.field === "domain") {
        const name = nameTokens(document[node.field]);
        return prefix ? begun(wanted[0]!, name) : beside(wanted, name);
      }
      const fields = node.field === "title" ? [document.title] : [document.title, document.text];
      if (prefix)
        return fields.some(
          (text) =>
            begun(wanted[0]!, tokens(text)) ||
            begun(
              wanted[0]!,
              words(text).map((word) => word.text),
            ),
        );
      return fields.some((text) => beside(tokens(node.text), tokens(text)));
    }
  }
}
