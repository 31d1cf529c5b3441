import { upTo } from "../../../../core/text/cutting.ts";
import { FeedError } from "../../../../adapters/feeds/feed.ts";
import { OutboundError } from "../../../../adapters/outbound/errors.ts";
import { Sealer } from "../../../../core/access/sealed.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId, sha256 } from "../../../../core/ids.ts";
import type { JobRun } from "../../../../core/work/job.ts";
import { nextOf } from "./schedules.ts";
import { OsintItem, OsintSource, openedHeaders, osintPlace } from "./sources.ts";

export const COLLECT = "admin.collect";
export const us = asSystem("admin");
export const sealerOf = (host: Host): Sealer => new Sealer(host.world, "osint headers");

const FETCH_MS = 20_000;
const MOST_DUE = 50;
const LONGEST_TEXT = 20_000;
const LONGEST_TITLE = 500;
interface Found {
  /** What tells it from the source's others. */
  key: string;
  title: string;
  text: string;
  url?: string;
  publishedAt?: string;
}
/** What a fetch brought, or why nothing. */
export type Fetched = { ok: true; items: Found[] } | { ok: false; message: string };

type Fetching = Pick<OsintSource, "id" | "kind" | "address" | "headers">;

async function read(host: Host, source: Fetching, signal: AbortSignal): Promise<Found[] | string> {
  const { outbound, feedParser, clock } = host.world;
  const headers = openedHeaders(sealerOf(host), source);
  const secretHeaders = Object.keys(headers);
  const answer = await outbound.get(source.address, { headers, secretHeaders, signal, timeoutMs: FETCH_MS });
  if (answer.status < 200 || answer.status > 299) return `It answers with status ${answer.status}.`;
  const contentType = answer.headers["content-type"];
  const about = { url: answer.url, ...(contentType !== undefined && { contentType }) };
  if (source.kind === "page") {
    const page = await feedParser.article(answer.body, about);
    if (!page?.text) return "There is no text on this page.";
    const title = upTo(LONGEST_TITLE, page.title ?? new URL(answer.url).hostname);
    return [{ key: sha256(page.text), title, text: upTo(LONGEST_TEXT, page.text), url: answer.url }];
  }
  const feed = await feedParser.parse(answer.body, { ...about, fetchedAt: iso(clock.now()) });
  return feed.items.map(({ guid, url, title, text, publishedAt }) => ({
    key: guid ?? url ?? sha256(`${title}\n${text}`),
    title: upTo(LONGEST_TITLE, title),
    text: upTo(LONGEST_TEXT, text),
    publishedAt,
    ...(url && { url }),
  }));
}

/** Fetches a source now. What is wrong with it is said in words; nothing of its headers is among them. */
export async function fetched(host: Host, source: Fetching, signal: AbortSignal): Promise<Fetched> {
  try {
    const found = await read(host, source, signal);
    return typeof found === "string" ? { ok: false, message: found } : { ok: true, items: found };
  } catch (error) {
    if (error instanceof OutboundError || error instanceof FeedError) return { ok: false, message: error.message };
    throw error;
  }
}

/** Has the sources fetched that are due. */
export async function collectDue(this: Host): Promise<void> {
  const due = { status: "active", nextAt: { $lte: iso(this.world.clock.now()) } };
  for (const { id } of await this.store(OsintSource).find(us, due, { sort: ["nextAt"], limit: MOST_DUE }))
    await this.jobs.add(COLLECT, { sourceId: id }, { by: "system:admin", key: id });
}

/** Stores what is new of a source; a repetition finds what it stored before. */
async function keep(host: Host, source: OsintSource, found: readonly Found[]): Promise<number> {
  const items = host.store(OsintItem);
  const byId = new Map(found.map(({ key, ...item }) => [derivedId(`osint ${source.id} ${key}`), item]));
  const known = new Set((await items.many(us, [...byId.keys()])).map(({ id }) => id));
  const fresh = [...byId].filter(([id]) => !known.has(id));
  const { id: sourceId, reliability } = source;
  for (const [id, item] of fresh)
    await items.createOnce(us, { ...item, id, sourceId, reliability, ...osintPlace(source) });
  return fresh.length;
}

export async function collect(this: Host, { job, signal }: JobRun<{ sourceId: string }>): Promise<void> {
  const sources = this.store(OsintSource);
  const source = await sources.one(us, { _id: job.input.sourceId });
  if (!source || source.status !== "active" || !source.active) return;
  const came = await fetched(this, source, signal);
  const collected = came.ok ? await keep(this, source, came.items) : 0;
  const now = this.world.clock.now();
  const nextAt = nextOf(source.schedule, now);
  const lastOutcome = came.ok
    ? { ok: true, found: came.items.length, collected }
    : { ok: false, message: came.message, found: 0, collected: 0 };
  // Bookkeeping beside the revision: who edits the source meanwhile is not in the way.
  await sources.bulk([
    {
      update: { _id: source.id, status: "active" },
      with: { $set: { lastAt: iso(now), lastOutcome, ...(nextAt && { nextAt }) }, $inc: { collected } },
    },
  ]);
  // Somebody took it away while it was fetched: what came too late goes with it.
  if (!(await sources.one(us, { _id: source.id })))
    await this.store(OsintItem).removeAll(us, { sourceId: source.id }, { by: "sourceId" });
}
