import { z } from "zod";
import { withoutTrailing } from "../../../core/text/plain.ts";
import { reachOf } from "../../../adapters/outbound/addresses.ts";
import { hostOf } from "../../../adapters/outbound/address-gate.ts";
import { isIP } from "node:net";

const EXAMPLE = "such as https://example.org/feed.xml";

/** What is wrong with a feed's address whatever the settings, in words; undefined where nothing is. */
function complaint(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url) return `must be a whole address, ${EXAMPLE}`;
  if (url.protocol !== "http:" && url.protocol !== "https:") return `must begin with http:// or https://, ${EXAMPLE}`;
  if (url.username || url.password) return "must not carry a user name or a password";
  return undefined;
}

/** A feed's (or its site's) address as a client gives it: http or https, without credentials, kept as written. */
export const FeedUrl = z
  .string()
  .trim()
  .min(1)
  .max(2_048)
  .superRefine((text, ctx) => {
    const message = complaint(text);
    if (message) ctx.addIssue({ code: "custom", message });
  })
  .meta({ format: "uri", examples: ["https://example.org/feed.xml"] });

/**
 * Why an address that is written as an IP address is refused at once, in words. Names are judged when they are
 * resolved, at every fetch: what a name leads to today says nothing about tomorrow.
 */
export function closedLiteral(text: string, allowPrivate: boolean): string | undefined {
  const host = hostOf(new URL(text).hostname);
  if (isIP(host) === 0) return undefined;
  const reach = reachOf(host);
  if (reach === "forbidden") return "leads to an address that is never fetched";
  return reach === "private" && !allowPrivate
    ? "is not on the public internet (ALLOW_PRIVATE_FEEDS=on allows private networks)"
    : undefined;
}

/** Query parameters that say where a reader came from, not what is read. */
const TRACKING = /^(utm_\w+|fbclid|gclid|mc_cid|mc_eid)$/i;

/**
 * What makes two addresses the same feed: host, port, path and query. The scheme, the fragment, a slash at the end,
 * tracking parameters and the order of the others do not tell feeds apart.
 */
export function feedKey(text: string): string {
  const { hostname, port, pathname, searchParams } = new URL(text);
  const query = [...searchParams]
    .filter(([name]) => !TRACKING.test(name))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("&");
  return `${hostname.replace(/\.$/, "")}${port && `:${port}`}${withoutTrailing(pathname, "/")}${query && `?${query}`}`;
}

/** The host that politeness is owed to. */
export const hostKey = (text: string): string => new URL(text).hostname;
