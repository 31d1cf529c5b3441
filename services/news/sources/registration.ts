import { z } from "zod";
import type { Caller } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { complaintsAbout } from "../../../core/contract/input/complaints.ts";
import { withSeenNames } from "../../../core/contract/input/names.ts";
import { conflict, invalid, isConflict, isProblem } from "../../../core/problem.ts";
import { feedKey } from "./addresses.ts";
import {
  changed,
  closedAddress,
  draftedSource,
  newSource,
  showsElsewhere,
  Source,
  SourceSummary,
  type SourceChange,
} from "./sources.ts";
import { SourceChanged } from "./events.ts";

/** Why one entry of many was not taken; `index` counts from 0. */
export const RefusedSource = z
  .object({
    index: z.int(),
    name: z.string().optional().describe("The entry's own title, if any."),
    url: z.string().optional(),
    code: z.string().describe("`DOMAIN_MISSING` where an OPML folder says no domain, and nothing else is amiss."),
    message: z.string(),
  })
  .meta({ id: "BulkFailure" });
export type RefusedSource = z.output<typeof RefusedSource>;

/** What became of each entry. */
export const Registered = z
  .object({ created: z.array(SourceSummary), failed: z.array(RefusedSource) })
  .meta({ id: "SourceBulkResult" });

export interface Accepted {
  index: number;
  entry: Entry;
}
interface Sorted {
  accepted: Accepted[];
  failed: RefusedSource[];
}

/** One of many may also be switched off from the beginning: a list is taken over as it was. */
const Entry = withSeenNames(z.strictObject({ ...newSource, active: z.boolean().optional() }));
type Entry = z.output<typeof Entry>;

const sentence = (issues: readonly { path: string; message: string }[]): string =>
  issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");

/** What is wrong with an entry, as one sentence that names the fields; or the entry. */
function readEntry(given: unknown, allowPrivate: boolean): Entry | string {
  const { success, data, error } = Entry.safeParse(given);
  if (!success) return sentence(complaintsAbout(error.issues, Entry));
  const closed = closedAddress(data.url, allowPrivate);
  return closed.length ? sentence(closed) : data;
}

/** Tells good entries from bad ones, each for itself; of two with the same feed the first is taken. */
export function sortEntries(entries: readonly unknown[], allowPrivate: boolean): Sorted {
  const accepted: Accepted[] = [];
  const failed: RefusedSource[] = [];
  const places = new Map<string, number>();
  for (const [index, given] of entries.entries()) {
    const entry = readEntry(given, allowPrivate);
    if (typeof entry === "string") {
      failed.push({ index, code: "VALIDATION_ERROR", message: entry });
      continue;
    }
    const key = feedKey(entry.url);
    const before = places.get(key);
    if (before !== undefined)
      failed.push({ index, code: "CONFLICT", message: `url: the same feed as entry ${before}.` });
    else {
      places.set(key, index);
      accepted.push({ index, entry });
    }
  }
  return { accepted, failed };
}

/** Entries stored side by side: they share the store's group commit. */
const CHUNK = 500;

const allowsPrivate = ({ world }: Host): boolean => world.env.ALLOW_PRIVATE_FEEDS === "on";

/** Throws 400 that names `url` where the settings close the address. */
export function refuseClosed(host: Host, url: string | undefined): void {
  const details = closedAddress(url, allowsPrivate(host));
  if (details.length) throw invalid(details);
}

/** The refusal of a unique index, put so that it names the source that has the feed. */
async function naming(host: Host, caller: Caller, url: string, error: unknown): Promise<unknown> {
  if (!isConflict(error)) return error;
  const key = feedKey(url);
  const other = await host.store(Source).one(caller, { $or: [{ feedKey: key }, { urlKey: key }] });
  return other
    ? conflict(`The source ${other.id} (${other.name}) has this feed already.`, { id: other.id, fields: ["url"] })
    : error;
}

/** Stores a new source, due at once unless it is switched off. Throws 409 that names the source which has the feed already. */
export async function register(host: Host, caller: Caller, entry: Entry): Promise<Source> {
  const record = draftedSource(entry, iso(host.world.clock.now()));
  return host
    .store(Source)
    .create(caller, record)
    .catch(async (error: unknown) => {
      throw await naming(host, caller, entry.url, error);
    });
}

/** Stores an analyst's change; what articles and lists carry of the source is told as a fact. Throws as `register`. */
export async function revise(host: Host, caller: Caller, item: Source, change: SourceChange): Promise<Source> {
  const facts = showsElsewhere(item, change)
    ? ({ id, name, domain }: Source) => [SourceChanged.fact(id, { id, name, domain })]
    : undefined;
  const record = changed(item, change, iso(host.world.clock.now()));
  return host
    .store(Source)
    .revise(caller, item, record, { facts })
    .catch(async (error: unknown) => {
      throw await naming(host, caller, change.url ?? item.url, error);
    });
}

/**
 * Stores the good ones of many entries and says of each other one why it was not taken. Throws only where the store
 * itself fails.
 */
export async function registerMany(
  host: Host,
  caller: Caller,
  entries: readonly unknown[],
): Promise<z.input<typeof Registered>> {
  const { accepted, failed } = sortEntries(entries, allowsPrivate(host));
  const created: Source[] = [];
  for (let at = 0; at < accepted.length; at += CHUNK) {
    const chunk = accepted.slice(at, at + CHUNK);
    const outcomes = await Promise.allSettled(chunk.map(({ entry }) => register(host, caller, entry)));
    for (const [place, outcome] of outcomes.entries()) {
      if (outcome.status === "fulfilled") created.push(outcome.value);
      else failed.push(refusal(chunk[place]!.index, outcome.reason));
    }
  }
  const named = failed.map((one) => ({ ...titleOf(entries[one.index]), ...one }));
  return { created, failed: named.sort((a, b) => a.index - b.index) };
}

/** Name and address as an entry gives them, for whoever looks for it in what they sent. */
function titleOf(entry: unknown): Pick<RefusedSource, "name" | "url"> {
  const { name, url } = (entry ?? {}) as Record<string, unknown>;
  return {
    ...(typeof name === "string" && { name: name.slice(0, 200) }),
    ...(typeof url === "string" && { url: url.slice(0, 2_000) }),
  };
}

function refusal(index: number, reason: unknown): RefusedSource {
  if (!isProblem(reason)) throw reason;
  return { index, code: reason.type, message: reason.message };
}
