import { setTimeout as delay } from "node:timers/promises";
import type { Client, estypes } from "@elastic/elasticsearch";
import { analyseQuery, searchedBody } from "../../../core/text/words/analysis.ts";
import { Problem } from "../../../core/problem.ts";
import {
  MOST_COPIES,
  TOTAL_BOUND,
  type Copy,
  type RankedHit,
  type SearchAnswer,
  type SearchDocument,
  type SearchHit,
  type SearchIndex,
  type SearchRequest,
} from "../../../core/records/reading/search.ts";
import { snippet } from "../../../core/text/searching/snippet.ts";
import { facetsOf, searchBody, type StoredArticle } from "./articles.ts";
import { batches, isFull, operations, refuseFailures, type IndexChange } from "./changes.ts";
import { ElasticIndices, overtaken } from "./indices.ts";
import { relevance } from "../ranking.ts";
import { editsBetween } from "../../../core/text/words/spelling/edits.ts";
import { editsOf, isLikelier, MOST_SPELLINGS, ONE_EDIT, type Spelling } from "../spelling.ts";

const WRITE_TIMEOUT_MS = 60_000;

/** Elasticsearch forgets a deleted article's version at a refresh, by a clock that ticks five times a second. */
const TOMBSTONE_MS = 250;
const MOST_ATTEMPTS = 20;

/**
 * Full-text search in Elasticsearch. Searches and writes use an alias that a rebuild switches; while there is a draft
 * (a second alias) every node writes to both. A node that looked for the draft before it was made also wrote to the
 * store before that, and the rebuild's stream begins afterwards: so no write is missed.
 */
export class ElasticSearch implements SearchIndex {
  readonly kind = "elastic";
  readonly #indices: ElasticIndices;
  #waiting: IndexChange[] = [];
  #next: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** `namespace` separates meshes that share a server. */
  constructor(url: string, namespace: string) {
    this.#indices = new ElasticIndices(url, namespace);
  }

  put(documents: readonly SearchDocument[]): Promise<void> {
    return this.#write(documents.map((document) => ({ put: document })));
  }
  remove(ids: readonly number[]): Promise<void> {
    return this.#write(ids.map((id) => ({ remove: id })));
  }

  /** Writes that arrive while others are under way share the next bulk request, and with it one refresh. */
  #write(changes: readonly IndexChange[]): Promise<void> {
    if (changes.length === 0) return Promise.resolve();
    this.#waiting.push(...changes);
    this.#next ??= this.#writing.then(() => {
      const taken = this.#waiting;
      this.#waiting = [];
      this.#next = undefined;
      const sent = this.#send(taken);
      this.#writing = sent.catch(() => {});
      return sent;
    });
    return this.#next;
  }

  async #send(changes: readonly IndexChange[]): Promise<void> {
    for (const batch of batches(changes)) {
      let left: readonly IndexChange[] = batch;
      for (let attempt = 1; left.length > 0; attempt++) {
        if (attempt > 1) await delay(TOMBSTONE_MS);
        left = await this.#sendOnce(left);
        if (left.length > 0 && attempt === MOST_ATTEMPTS)
          throw new Problem(
            503,
            "UPSTREAM_SEARCH",
            "Elasticsearch keeps the removal of an article that is to come back.",
          );
      }
    }
  }

  /**
   * Sends one bulk request; answers the puts that conflicted with the version of a removal that Elasticsearch has not
   * forgotten yet.
   */
  async #sendOnce(batch: readonly IndexChange[]): Promise<IndexChange[]> {
    return this.#indices.ask(async (client) => {
      const { live, draft } = this.#indices;
      const targets = (await client.indices.existsAlias({ name: draft })) ? [live, draft] : [live];
      const asked = batch.flatMap((change) => targets.flatMap((alias) => operations(change, alias, alias === draft)));
      // `true` rather than `wait_for`: the port promises that the next search sees it, and a second's wait for each
      // batch would starve the feed.
      const answer = await client.bulk({ operations: asked, refresh: true }, { requestTimeout: WRITE_TIMEOUT_MS });
      refuseFailures(answer, live);
      return this.#absent(
        client,
        batch.filter((_, at) => answer.items[at * targets.length]!.index?.status === 409),
      );
    });
  }

  /**
   * The conflicting puts whose article is not in the index at all; for the others it has that revision or a newer one.
   */
  async #absent(client: Client, conflicts: readonly IndexChange[]): Promise<IndexChange[]> {
    if (conflicts.length === 0) return [];
    const ids = conflicts.map((change) => String("put" in change ? change.put.id : change.remove));
    const { docs } = await client.mget({ index: this.#indices.live, ids, _source: false });
    return conflicts.filter((_, at) => !(docs[at] as { found?: boolean }).found);
  }

  async ranked(request: SearchRequest): Promise<RankedHit[]> {
    const body = {
      ...searchBody({ ...request, facets: false, fold: false }, analyseQuery(request.tree)),
      _source: false,
      track_total_hits: false,
    };
    const answer = await this.#indices.ask((client) => client.search({ index: this.#indices.live, ...body }));
    return answer.hits.hits.map(({ _id, _score }) => ({ id: Number(_id), relevance: relevance(_score ?? 0) }));
  }

  async search(request: SearchRequest): Promise<SearchAnswer> {
    const tree = analyseQuery(request.tree);
    const answer = await this.#indices.ask((client) =>
      client.search<{ shown: StoredArticle }>({ index: this.#indices.live, ...searchBody(request, tree) }),
    );
    const hits = answer.hits.hits.map(({ _source, _score, inner_hits }): SearchHit => {
      const { text, ...listed } = _source!.shown;
      const { title, source, domain, summary } = listed;
      return {
        ...listed,
        snippet: snippet({ title, source, domain, body: searchedBody({ text, summary }) }, tree),
        relevance: relevance(_score ?? 0),
        ...(inner_hits && copiesOf(listed.id, inner_hits["copies"]!.hits)),
      };
    });
    const { total } = answer.hits;
    const counted = typeof total === "number" ? total : (total?.value ?? 0);
    return {
      hits,
      total: Math.min(counted, TOTAL_BOUND),
      ...(request.facets && { facets: facetsOf(answer.aggregations) }),
    };
  }

  async spellings(word: string): Promise<string[]> {
    const fields = ["title", "body", "titleforms", "bodyforms"];
    const of = (field: string): estypes.SearchFieldSuggester => ({
      text: word,
      term: {
        field: `tokens.${field}`,
        suggest_mode: "always",
        min_word_length: ONE_EDIT,
        max_edits: editsOf(word) || 1,
      },
    });
    const suggest = Object.fromEntries(fields.map((field) => [field, of(field)]));
    const answer = await this.#indices.ask((client) => client.search({ index: this.#indices.live, size: 0, suggest }));
    const found = new Map<string, Spelling>();
    for (const field of fields)
      for (const { text, freq } of (answer.suggest?.[field] ?? []).flatMap(({ options }) => options) as Option[]) {
        const known = found.get(text);
        if (known) known.count += freq;
        else found.set(text, { word: text, edits: editsBetween(word, text, editsOf(word)), count: freq });
      }
    return [...found.values()]
      .filter(({ edits }) => edits <= editsOf(word))
      .sort(isLikelier)
      .slice(0, MOST_SPELLINGS)
      .map((one) => one.word);
  }

  async rebuild(documents: AsyncIterable<SearchDocument>): Promise<number> {
    const index = await this.#indices.beginDraft();
    try {
      await this.#fill(documents);
      await this.#indices.goLive(index);
    } catch (error) {
      await this.#indices.drop(index).catch(() => {});
      throw error;
    }
    return this.count();
  }

  /** Without the client's bulk helper, which leaves a timer running if the stream fails. */
  async #fill(documents: AsyncIterable<SearchDocument>): Promise<void> {
    let changes: IndexChange[] = [],
      length = 0;
    const write = async () => {
      const asked = changes.flatMap((change) => operations(change, this.#indices.draft, true));
      changes = [];
      length = 0;
      if (asked.length === 0) return;
      const answer = await this.#indices.ask((client) =>
        client.bulk({ operations: asked }, { requestTimeout: WRITE_TIMEOUT_MS }),
      );
      if (answer.items.some((item) => item.index?.status === 404)) throw overtaken();
      refuseFailures(answer, this.#indices.draft);
    };
    for await (const document of documents) {
      changes.push({ put: document });
      length += document.text.length;
      if (isFull(changes.length, length)) await write();
    }
    await write();
  }

  outdated(): Promise<boolean> {
    return this.#indices.isOutdated();
  }
  async count(): Promise<number> {
    return (await this.#indices.ask((client) => client.count({ index: this.#indices.live }))).count;
  }
  async ping(): Promise<void> {
    await this.#indices.ask((client) => client.cluster.health({ timeout: "2s" }));
  }

  async close(): Promise<void> {
    await this.#next?.catch(() => {});
    await this.#writing;
    await this.#indices.close();
  }
}

type Option = estypes.SearchTermSuggestOption;

/** The other articles of a hit's report. */
function copiesOf(id: number, { hits, total }: estypes.SearchHitsMetadata): Pick<SearchHit, "copies" | "copyCount"> {
  const others = hits.map(({ _source }) => (_source as { shown: Copy }).shown).filter((one) => one.id !== id);
  return {
    copies: others.slice(0, MOST_COPIES).map(({ id, source, url, publishedAt }) => ({ id, source, url, publishedAt })),
    copyCount: (typeof total === "number" ? total : (total?.value ?? 1)) - 1,
  };
}
