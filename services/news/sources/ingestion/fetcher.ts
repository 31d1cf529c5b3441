import { defect, FeedError, type About, type FeedLink, type ParsedFeed } from "../../../../adapters/feeds/feed.ts";
import { OutboundError } from "../../../../adapters/outbound/errors.ts";
import type { Outbound, OutboundResponse } from "../../../../adapters/outbound/outbound.ts";
import { retryAfterMs } from "../../../../adapters/outbound/retry-after.ts";
import { iso } from "../../../../core/clock.ts";
import { sha256 } from "../../../../core/ids.ts";
import { isGone, feedRefusal, type FeedRefusal } from "../refusals.ts";
import { freshMs } from "./fetch-interval.ts";

export interface Visitor {
  outbound: Pick<Outbound, "get">;
  /** As FeedParser.parse. */
  parse(bytes: Uint8Array, about: About): Promise<ParsedFeed>;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** What is known of a feed from the visit before. */
export interface LastFetch {
  feedUrl: string;
  etag?: string;
  lastModified?: string;
  bodyHash?: string;
}

export interface VisitOptions {
  /** Somebody asked for it: the validators are not sent, in case they are wrong. */
  manual: boolean;
  /** Follow a web page to the feed it names. */
  discover: boolean;
  signal: AbortSignal;
}

interface Answer {
  status?: number;
  /** Where the answer came from. */
  url: string;
  bytes: number;
  retryAfterMs?: number;
  freshMs?: number;
  notes: string[];
}

/** What one visit to a feed brought. */
export type Visit = Answer &
  (
    | {
        outcome: "fetched";
        feedUrl: string;
        discovered: boolean;
        feed: ParsedFeed;
        etag?: string;
        lastModified?: string;
        bodyHash: string;
      }
    | { outcome: "unchanged"; feedUrl: string; discovered: false }
    | { outcome: "failed"; refusal: FeedRefusal; gone: boolean }
  );

/** For all requests of one visit and the reading of the document together. */
const VISIT_MS = 60_000;
/** A page may name feeds that are dead; so many are tried. */
const MOST_LINKS = 3;
const ACCEPT =
  "application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml, " +
  "application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, text/html;q=0.5, */*;q=0.1";

const text = (header: string | undefined): string | undefined => header?.trim().slice(0, 1_000) || undefined;

function headersOf({ etag, lastModified }: LastFetch, { manual }: VisitOptions): Record<string, string> {
  if (manual) return {};
  return { ...(etag && { "if-none-match": etag }), ...(lastModified && { "if-modified-since": lastModified }) };
}

const answerOf = ({ status, url, headers, body }: OutboundResponse, now: number): Answer => ({
  status,
  url,
  bytes: body.length,
  retryAfterMs: retryAfterMs(headers["retry-after"], now),
  freshMs: freshMs(headers, now),
  notes: [],
});

const failed = (answer: Answer, refusal: FeedRefusal): Visit => ({
  ...answer,
  outcome: "failed",
  refusal,
  gone: isGone(answer.status),
});

/**
 * Fetches a feed once, conditionally, and reads it. Whatever the publisher does wrong is an outcome with a sentence to
 * it, and so is a defect of our own (`defect`): a feed must not go silent for it. Only a `signal` that was raised
 * throws.
 */
export async function visit(visitor: Visitor, known: LastFetch, options: VisitOptions): Promise<Visit> {
  const limit = AbortSignal.timeout(VISIT_MS);
  const signal = AbortSignal.any([options.signal, limit]);
  try {
    return await orLate(attempt(visitor, known, { ...options, signal }), signal);
  } catch (error) {
    options.signal.throwIfAborted();
    const answer: Answer = { url: known.feedUrl, bytes: 0, notes: [] };
    if (limit.aborted)
      return failed(answer, {
        kind: "timeout",
        message: `The feed took longer than ${VISIT_MS / 1_000} seconds in all.`,
      });
    const told = error instanceof OutboundError || error instanceof FeedError ? error : defect(error);
    return failed(answer, { kind: told.kind, message: told.message });
  }
}

/** The reader of documents knows no signal, and has limits of its own that a queue before it can stretch. */
function orLate<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

async function attempt(visitor: Visitor, known: LastFetch, options: VisitOptions): Promise<Visit> {
  const headers = headersOf(known, options);
  const response = await visitor.outbound.get(known.feedUrl, { accept: ACCEPT, headers, signal: options.signal });
  const answer = answerOf(response, visitor.now());
  const feedUrl = response.permanentUrl ?? known.feedUrl;
  if (response.permanentUrl)
    answer.notes.push(`The feed has moved for good to ${response.permanentUrl}, which is used from now on.`);
  const refusal = feedRefusal(response.status, new URL(response.url).host, Object.keys(headers).length > 0);
  if (refusal) return failed(answer, refusal);
  if (response.status === 304) return { ...answer, outcome: "unchanged", feedUrl, discovered: false };
  const bodyHash = sha256(response.body);
  if (bodyHash === known.bodyHash && !options.manual)
    return { ...answer, outcome: "unchanged", feedUrl, discovered: false };
  try {
    return await read(visitor, response, answer, feedUrl, bodyHash);
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    const refused = error instanceof FeedError ? error : defect(error);
    const found = options.discover ? await follow(visitor, response, refused.links, options) : undefined;
    return found ?? failed(answer, { kind: refused.kind, message: refused.message });
  }
}

async function read(
  visitor: Visitor,
  { url, headers, body }: OutboundResponse,
  answer: Answer,
  feedUrl: string,
  bodyHash: string,
): Promise<Visit> {
  const feed = await visitor.parse(body, {
    url,
    contentType: headers["content-type"],
    fetchedAt: iso(visitor.now()),
    lastModified: headers["last-modified"],
  });
  answer.notes.push(...feed.warnings);
  return {
    ...answer,
    outcome: "fetched",
    feedUrl,
    discovered: false,
    feed,
    etag: text(headers["etag"]),
    lastModified: text(headers["last-modified"]),
    bodyHash,
  };
}

/** The first feed a page names that can be read; undefined where none can. */
async function follow(
  visitor: Visitor,
  page: OutboundResponse,
  links: readonly FeedLink[],
  options: VisitOptions,
): Promise<Visit | undefined> {
  for (const { url } of links.filter((link) => link.url !== page.url).slice(0, MOST_LINKS)) {
    const found = await attempt(visitor, { feedUrl: url }, { ...options, discover: false }).catch((error: unknown) => {
      if (error instanceof OutboundError && error.kind !== "aborted") return undefined;
      throw error;
    });
    if (found?.outcome !== "fetched") continue;
    return {
      ...found,
      discovered: true,
      notes: [
        `${page.url} is a web page; it names the feed ${found.feedUrl}, which is used from now on.`,
        ...found.notes,
      ],
    };
  }
  return undefined;
}
