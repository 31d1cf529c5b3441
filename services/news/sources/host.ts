import type { z } from "zod";
import type { About } from "../../../adapters/feeds/feed.ts";
import type { Collection } from "../../../core/records/documents.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import type { Fetch } from "./ingestion/fetches.ts";
import type { ArticleBatch, ArticleCounts, Ground, UnreadPages } from "./ingestion/fetching.ts";
import type { Ingestion } from "./ingestion/ingestion.ts";
import type { Rounds } from "./ingestion/rounds.ts";
import { Source, type SourceStats } from "./sources.ts";
import { SourceFetched } from "./events.ts";

/** The service, as its handlers see it. */
export interface Sources extends Host {
  /** History of fetches: one record a source. */
  fetches: Collection;
  ingestion: Ingestion;
  rounds?: Rounds;
}

/** A batch of long articles takes its time to be stored. */
const CALL_MS = 60_000;

const askArticles = <T>(host: Host, action: string, params: object): Promise<T> =>
  host.ask(`articles.${action}`, params, { timeout: CALL_MS });

/** What the articles' service knows of a source. */
export const articleStats = (
  host: Host,
  sourceId: number,
): Promise<Omit<z.output<typeof SourceStats>, "fetchErrors">> => askArticles(host, "statsOfSource", { sourceId });

/** What ingestion stands on in this process. */
export function groundOf(sources: Sources): Ground {
  const { broker, world, logger, fetches } = sources;
  const { clock, env } = world;
  return {
    sources: sources.store(Source).collection,
    fetches,
    clock,
    visitor: {
      get outbound() {
        return world.outbound;
      },
      parse: (bytes: Uint8Array, about: About) => world.feedParser.parse(bytes, about),
      now: () => clock.now(),
    },
    intervalMs: env.INGEST_INTERVAL_MINUTES * 60_000,
    concurrency: env.INGEST_CONCURRENCY,
    holder: `${broker.nodeID}@${process.pid}`,
    storeArticles: (batch: ArticleBatch) => askArticles<ArticleCounts>(sources, "store", batch),
    unreadPages: (sourceId: number, since: string) =>
      askArticles<UnreadPages>(sources, "unreadPages", { sourceId, since }),
    countArticles: async (sourceId: number) => (await articleStats(sources, sourceId)).articleCount,
    ended: ({ id }, { outcome, created, updated }: Fetch) =>
      void SourceFetched.emit(sources, { sourceId: id, outcome, created, updated }),
    troubled: ({ id, name }, error) => logger.warn(`Source ${id} (${name}): ${(error as Error).message}`),
    random: Math.random,
  };
}
