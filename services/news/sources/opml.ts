import type { z } from "zod";
import { FeedError } from "../../../adapters/feeds/feed.ts";
import { readOpml, writeOpml, type OpmlSource } from "../../../adapters/feeds/opml.ts";
import { seenOf } from "../../../core/contract/input/names.ts";
import type { Caller } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { badRequest, tooLarge } from "../../../core/problem.ts";
import { DOMAINS, type Domain } from "./events.ts";
import { registerMany, type RefusedSource, type Registered } from "./registration.ts";
import { Source } from "./sources.ts";

export const OPML = "text/x-opml";
/** About ten thousand outlines; it is read on the main loop. */
export const OPML_BYTES = 2 * 1024 * 1024;
/** Sources read at once. */
const CHUNK = 500;

const isDomain = (text: string): text is Domain => (DOMAINS as readonly string[]).includes(text);

/**
 * An outline as an entry of a registration: its domain is the first of its folders, from within, or else of its
 * categories that has a domain's name, else `fallback`; without either the entry fails on its domain.
 */
export function entryOf(
  { name, url, categories = [], fullText, active }: OpmlSource,
  fallback: Domain | undefined,
): Record<string, unknown> {
  const domain = categories.map((one) => one.trim().toLowerCase()).find(isDomain) ?? fallback;
  return { name: seenOf(name), url, domain, fullText, active };
}

/** The feeds of an OPML document as entries, in its order. Throws 400 where it is none, 413 where it holds too many. */
export function entriesOf(document: string, fallback: Domain | undefined): Record<string, unknown>[] {
  try {
    return readOpml(document).map((outline) => entryOf(outline, fallback));
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    throw error.kind === "too-large" ? tooLarge(error.message) : badRequest(error.message);
  }
}

const HINT = `stands in no folder named after a domain (${DOMAINS.join(", ")}): \`?domain=\` names one for such feeds`;

/** Stores the feeds of an OPML document; of one without a domain the failure says how it gets one. */
export async function importOpml(
  host: Host,
  caller: Caller,
  document: string,
  fallback: Domain | undefined,
): Promise<z.input<typeof Registered>> {
  const entries = entriesOf(document, fallback);
  const { created, failed } = await registerMany(host, caller, entries);
  const lacksDomain = ({ index }: RefusedSource): boolean => entries[index]!["domain"] === undefined;
  return { created, failed: failed.map((one) => (lacksDomain(one) ? hinted(one) : one)) };
}

/** Says how a feed gets a domain; where that is all it lacks, by a code of its own. */
function hinted(failure: RefusedSource): RefusedSource {
  const parts = failure.message.split("; ");
  const isOfDomain = (part: string): boolean => part.startsWith("domain: ");
  const message = parts.map((part) => (isOfDomain(part) ? `domain: ${HINT}` : part)).join("; ");
  return { ...failure, message, ...(parts.every(isOfDomain) && { code: "DOMAIN_MISSING" }) };
}

const EXPORTED = ["name", "feedUrl", "domain", "fullText", "active"] as const;
/** With what differs from a new source's settings, so that another installation follows it in the same way. */
const outlineOf = ({
  name,
  feedUrl,
  domain,
  fullText,
  active,
}: Pick<Source, (typeof EXPORTED)[number]>): OpmlSource => ({
  name,
  url: feedUrl,
  categories: [domain],
  ...(fullText && { fullText }),
  ...(!active && { active }),
});

/** Every source as OPML 2.0, in a folder of its domain. */
export async function opmlOf(host: Host, caller: Caller): Promise<string> {
  const outlines: OpmlSource[] = [];
  for (let last = 0; ;) {
    const some = await host
      .store(Source)
      .find(caller, { _id: { $gt: last } }, { sort: ["_id"], limit: CHUNK, fields: [...EXPORTED] });
    outlines.push(...some.map(outlineOf));
    if (some.length < CHUNK) return writeOpml(outlines, "Signalmesh sources");
    last = some.at(-1)!.id;
  }
}
