import { limits } from "../feed.ts";

/**
 * Makes a written address absolute against `base`; undefined for what is no http or https address, or too long to be
 * one.
 */
export function absoluteUrl(written: string | undefined, base: string): string | undefined {
  const text = written?.trim();
  if (!text || text.length > limits.url) return undefined;
  // Publishers forget the scheme; resolved as it stands this would become a path on their own site.
  const url = /^www\.[^\s/]+\.[a-z]{2,}(?:[/?#]|$)/i.test(text) ? URL.parse(`https://${text}`) : URL.parse(text, base);
  return url && (url.protocol === "http:" || url.protocol === "https:") ? url.href : undefined;
}

/** Query parameters that say where a reader came from, never what is read. */
const tracking = new RegExp(
  [
    String.raw`^(?:(?:utm|mtm|hsa|vero|oly|at)_\w+|pk_(?:campaign|kwd|keyword|source|medium|content|cid)|fbclid|`,
    String.raw`[dg]clid|[gw]braid|gclsrc|msclkid|twclid|ttclid|li_fat_id|yclid|ysclid|igshid|mc_[ce]id|mkt_tok|`,
    String.raw`_hs(?:enc|mi)|xtor|wt\.?(?:mc|rss)|ns_(?:campaign|mchannel|source|linkname|fee)|ocid|cmpid|ncid|`,
    String.raw`smid|ito)$`,
  ].join(""),
  "i",
);
const nameOf = (pair: string): string => pair.split("=", 1)[0]!;

/** An absolute address without what only counts readers; everything else stays as it is written. */
export function withoutTracking(url: string): string {
  const [, path, query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(url)!;
  if (query === undefined && fragment === undefined) return url;
  const kept = query?.split("&").filter((pair) => !tracking.test(nameOf(pair))) ?? [];
  const place = fragment === undefined || tracking.test(nameOf(fragment)) ? "" : `#${fragment}`;
  return `${path}${kept.join("&") && `?${kept.join("&")}`}${place}`;
}

/** An address as it is shown: as `absoluteUrl`, without tracking parameters. */
export function shownUrl(written: string | undefined, base: string): string | undefined {
  const url = absoluteUrl(written, base);
  return url && withoutTracking(url);
}

/** Resolves a chain of xml:base values against the base of the document. */
export function resolveBases(bases: readonly string[], base: string): string {
  return bases.reduce((outer, inner) => absoluteUrl(inner, outer) ?? outer, base);
}

/** The file that an address names, as it is written for people; undefined where it names none, or by a number alone. */
export function fileNameOf(url: string | undefined): string | undefined {
  const [, written] = /\/([^/?#]+\.[a-z\d]{2,5})(?:[?#]|$)/i.exec(url ?? "") ?? [];
  if (!written) return undefined;
  const [name] = written.split(/\.[^.]*$/);
  if (/^[\da-f-]*$/i.test(name!)) return undefined;
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
