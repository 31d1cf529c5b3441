import { randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { conflict, Problem } from "../../../core/problem.ts";
import { mappingMeta, mappings } from "./articles.ts";
import { B, K1 } from "../ranking.ts";

const BM25 = { type: "BM25", k1: K1, b: B } as const;
const SEARCH_TIMEOUT_MS = 10_000;

/** The client of one Elasticsearch, and the indices of a mesh in it: one is live, a rebuild fills a draft beside it. */
export class ElasticIndices {
  /** The alias that is searched. */
  readonly live: string;
  /** The alias of a rebuild that is under way. */
  readonly draft: string;
  readonly #url: string;
  #client: Promise<Client> | undefined;
  #ready: Promise<void> | undefined;

  constructor(url: string, namespace: string) {
    this.#url = url;
    this.live = `${namespace.toLowerCase()}-articles`;
    this.draft = `${this.live}-draft`;
  }

  /**
   * Runs a call after making sure of the index; failures of the server become a Problem, and the next call checks the
   * index again.
   */
  async ask<T>(call: (client: Client) => Promise<T>): Promise<T> {
    try {
      const client = await (this.#client ??= this.#connect());
      await (this.#ready ??= this.#ensure(client));
      return await call(client);
    } catch (error) {
      this.#ready = undefined;
      throw away(error);
    }
  }

  async #connect(): Promise<Client> {
    const { Client } = await import("@elastic/elasticsearch");
    return new Client({ node: this.#url, requestTimeout: SEARCH_TIMEOUT_MS, maxRetries: 1 });
  }

  async #ensure(client: Client): Promise<void> {
    if (!(await client.indices.existsAlias({ name: this.live })))
      await this.#create(client, `${this.live}-first`, this.live, false);
  }

  /** Two nodes may start at once: the second finds the index of the first. */
  async #create(client: Client, index: string, alias: string, complete: boolean): Promise<void> {
    try {
      await client.indices.create({
        index,
        mappings: mappings(complete),
        aliases: { [alias]: {} },
        // Deleted articles keep no version once a search no longer sees them; a draft keeps the versions until it goes
        // live.
        settings: { gc_deletes: alias === this.draft ? "24h" : "0s", similarity: { default: BM25 } },
      });
    } catch (error) {
      if ((error as { body?: { error?: { type?: string } } }).body?.error?.type !== "resource_already_exists_exception")
        throw error;
    }
  }

  /** Creates an empty draft, in place of any other; answers its index. */
  async beginDraft(): Promise<string> {
    const index = `${this.live}-${randomUUID()}`;
    await this.ask(async (client) => {
      await this.#dropDrafts(client);
      await this.#create(client, index, this.draft, true);
    });
    return index;
  }

  /** Removes indices of rebuilds that were killed, or that this one replaces. */
  async #dropDrafts(client: Client): Promise<void> {
    const drafts = await client.indices.getAlias({ name: this.draft }, { ignore: [404] });
    const names = Object.keys(drafts).filter((name) => name.startsWith(`${this.live}-`));
    if (names.length > 0) await client.indices.delete({ index: names, ignore_unavailable: true });
  }

  /** Removes the index of a rebuild that failed. */
  async drop(index: string): Promise<void> {
    await this.ask((client) => client.indices.delete({ index, ignore_unavailable: true }));
  }

  /** Makes a draft the live index, and removes the former one; 409 where another rebuild came between. */
  async goLive(index: string): Promise<void> {
    await this.ask(async (client) => {
      const drafts = await client.indices.getAlias({ name: this.draft }, { ignore: [404] });
      if (!(index in drafts)) throw overtaken();
      await client.indices.refresh({ index });
      const before = Object.keys(await client.indices.getAlias({ name: this.live }));
      await client.indices.updateAliases({
        actions: [
          { remove: { index, alias: this.draft, must_exist: true } },
          { add: { index, alias: this.live } },
          ...before.map((old) => ({ remove: { index: old, alias: this.live } })),
        ],
      });
      await client.indices.putSettings({ index, settings: { gc_deletes: "0s" } });
      await client.indices.delete({ index: before, ignore_unavailable: true });
    });
  }

  /** Whether the live index was built by other rules of analysis, or is not known to be complete. */
  async isOutdated(): Promise<boolean> {
    const found = await this.ask((client) => client.indices.getMapping({ index: this.live }));
    const wanted = mappingMeta(true);
    return Object.values(found).some(
      ({ mappings: { _meta } }) => _meta?.["analysis"] !== wanted.analysis || _meta["complete"] !== true,
    );
  }

  async close(): Promise<void> {
    const client = await this.#client;
    this.#client = undefined;
    await client?.close();
  }
}

/** The refusal of a rebuild that another one replaced. */
export const overtaken = () => conflict("Another rebuild of the search index began; this one gave way.");
const statusOf = (error: unknown): number | undefined => (error as { statusCode?: number } | null)?.statusCode;
const UNREACHABLE = new Set(["ConnectionError", "TimeoutError", "NoLivingConnectionsError"]);

/**
 * A server that is away, overloaded or without its index: search is not available now. Other errors, which are our own,
 * stay as they are.
 */
function away(error: unknown): unknown {
  const status = statusOf(error) ?? 0;
  const unavailable =
    UNREACHABLE.has((error as Error | null)?.name ?? "") || status >= 500 || status === 429 || status === 404;
  if (!unavailable) return error;
  const extras = { headers: { "Retry-After": "5" }, away: true } as const;
  const problem = new Problem(503, "UPSTREAM_SEARCH", "Search is not available at the moment.", extras);
  return Object.assign(problem, { cause: error });
}
