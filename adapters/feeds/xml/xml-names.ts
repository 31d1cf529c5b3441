/**
 * Vocabularies of feeds by the address of their namespace, without scheme and trailing slash, in lower case: publishers
 * vary those.
 */
const vocabularies = new Map(
  Object.entries({
    "purl.org/rss/1.0": "",
    "my.netscape.com/rdf/simple/0.9": "",
    "channel.netscape.com/rdf/simple/0.9": "",
    "backend.userland.com/rss": "",
    "backend.userland.com/rss2": "",
    "blogs.law.harvard.edu/tech/rss": "",
    "www.w3.org/2005/atom": "atom",
    "purl.org/atom/ns#": "atom",
    "www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "www.w3.org/1999/xhtml": "xhtml",
    "purl.org/dc/elements/1.1": "dc",
    "purl.org/dc/elements/1.0": "dc",
    "purl.org/dc/terms": "dcterms",
    "purl.org/rss/1.0/modules/content": "content",
    "search.yahoo.com/mrss": "media",
    "video.search.yahoo.com/mrss": "media",
    "www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "www.itunes.com/dtds/podcast-1.0": "itunes",
    "purl.org/rss/1.0/modules/syndication": "sy",
    "rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "www.pheedo.com/namespace/pheedo": "pheedo",
  }),
);
const vocabularyOf = (uri: string): string | undefined =>
  vocabularies.get(
    uri
      .trim()
      .toLowerCase()
      .replace(/^https?:\/\//, "")
      .replace(/\/$/, ""),
  );

/** Names, base and language as they hold within an element. */
export interface XmlScope {
  /** Prefix as written → vocabulary. */
  prefixes: Map<string, string>;
  /** Name as written → name as we know it. */
  names: Map<string, string>;
  bases: readonly string[];
  language?: string;
}

const maxPrefixes = 64;
const maxNames = 1_000;

/**
 * The name of an element as this house knows it; `atom` says whether the feed is Atom, whose names then go without a
 * prefix like those of RSS.
 */
export function nameIn(scope: XmlScope, written: string, atom: boolean): string {
  const known = scope.names.get(written);
  if (known !== undefined) return known;
  const colon = written.indexOf(":");
  const prefix = colon < 0 ? "" : written.slice(0, colon).toLowerCase();
  const local = written.slice(colon + 1).toLowerCase();
  const vocabulary = scope.prefixes.get(prefix) ?? prefix;
  const name = vocabulary === "" || (vocabulary === "atom" && atom) ? local : `${vocabulary}:${local}`;
  if (scope.names.size < maxNames) scope.names.set(written, name);
  return name;
}

/** The namespaces, base and language that hold within an element; the parent's own object where nothing changes. */
export function scopeOf(parent: XmlScope | undefined, attributes: Record<string, string>): XmlScope {
  let scope = parent ?? { prefixes: new Map<string, string>(), names: new Map<string, string>(), bases: [] };
  for (const written in attributes) {
    const name = written.toLowerCase();
    if (!name.startsWith("xml")) continue;
    const value = attributes[written]!;
    if (name === "xml:base") scope = { ...scope, bases: [...scope.bases.slice(-8), value] };
    else if (name === "xml:lang") scope = { ...scope, language: value };
    else if (name === "xmlns" || name.startsWith("xmlns:")) scope = declaring(scope, name.slice(6), value);
  }
  return scope;
}

function declaring(scope: XmlScope, prefix: string, uri: string): XmlScope {
  // An unknown vocabulary keeps its prefix; as the default one it is taken for the feed's own, as publishers mean it. A
  // prefix that already means what is declared needs no scope of its own, which is the rule.
  const vocabulary = vocabularyOf(uri) ?? prefix;
  if ((scope.prefixes.get(prefix) ?? prefix) === vocabulary || scope.prefixes.size >= maxPrefixes) return scope;
  return { ...scope, prefixes: new Map(scope.prefixes).set(prefix, vocabulary), names: new Map() };
}
