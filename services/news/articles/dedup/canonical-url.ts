/** Parameters that tell who sent the reader, or how the page is to be shown, not what is read. */
const TRACKING =
  /^(utm_\w+|mtm_\w+|pk_\w+|hsa_\w+|fbclid|gclid|dclid|gbraid|wbraid|msclkid|twclid|yclid|igshid|mc_[ce]id|mkt_tok|_hs(enc|mi)|vero_\w+|oly_\w+|ref|ref_src|referrer|cmpid|ncid|sr_share|xtor|at_\w+|ito|smid|share|ocid|amp|outputtype)$/i;
/** What may end a path without meaning another page: an index file, the AMP edition, a slash. */
const ENDINGS = /(?:\/(?:index|default)\.(?:html?|php|aspx?)|\/amp|\/)$/i;
/** Copies of pages that an AMP cache or a search engine serves under an address that holds the original's. */
const CACHED = [
  /^https?:\/\/[^/]+\.cdn\.ampproject\.org\/[cvi]\/(s\/)?(.+)$/i,
  /^https?:\/\/(?:www\.)?google\.[a-z.]{2,6}\/amp\/(s\/)?(.+)$/i,
];

/**
 * Editions for phones live under a prefix of their own; it goes where a site's name is left, so m.example.org but not
 * m.me.
 */
const siteOf = (host: string): string => {
  const site = host
    .replace(/^(?:www|m|mobile|amp)\.(?=[^.]+\.[^.])/, "")
    .replace(/^([a-z-]{2,12})\.m\.(?=[^.]+\.[^.])/, "$1.");
  return site === host ? host : siteOf(site);
};

const pathOf = (path: string): string => {
  const shorter = path
    .replace(/\/{2,}/g, "/")
    .replace(ENDINGS, "")
    .replace(/\.amp(\.html?)$/i, "$1");
  return shorter === path ? path : pathOf(shorter);
};

const originalOf = (href: string): string => {
  const found = CACHED.map((cached) => cached.exec(href)).find((match) => match !== null);
  return found && URL.canParse(`https://${found[2]}`) ? originalOf(`https://${found[2]}`) : href;
};

/**
 * One name for one article, whatever road led to it: no matter of http or https, www or phone, AMP, default port, user,
 * fragment (but a hashbang is a path), tracking parameters, order of the others, index file or final slash. It is for
 * comparing; the article's own address is for reading. Text that is no web address is answered as it is. Applying it
 * twice changes nothing.
 */
export function canonicalUrl(text: string): string {
  if (!URL.canParse(text)) return text.trim();
  const given = new URL(text);
  if (given.protocol !== "http:" && given.protocol !== "https:") return given.href;
  const url = new URL(originalOf(given.href));
  if (url.port === "") url.protocol = "https:";
  if (!url.hash.startsWith("#!")) url.hash = "";
  url.username = "";
  url.password = "";
  url.hostname = siteOf(url.hostname.replace(/\.$/, ""));
  const kept = [...url.searchParams]
    .filter(([name]) => !TRACKING.test(name))
    .sort(([a, av], [b, bv]) => (a < b ? -1 : a > b ? 1 : av < bv ? -1 : av > bv ? 1 : 0));
  url.search = new URLSearchParams(kept).toString();
  url.pathname = pathOf(url.pathname);
  // What was tidied up may show itself to be a copy only now.
  return originalOf(url.href) === url.href ? url.href : canonicalUrl(url.href);
}
