/** Which documents of one segment a query finds, and how often they hold its words. */
import type { Analysed, Leaf } from "../../core/text/words/analysis.ts";
import { DOMAIN, SOURCE } from "./postings/gathering.ts";
import { BODY_BEGINS, MOST_COUNTED, postingsOf, sitesOf, type Postings, type Sites } from "./postings/posting-list.ts";
import { termOf, type StoredPostings, type Segment, type Term } from "./postings/segment.ts";

/** Words of a phrase that must stand side by side: no text has forty of them and another forty-first. */
const MOST_OF_PHRASE = 40;

/** The matches of a leaf: ascending places in the segment, with the number of occurrences in title and body of each. */
export type Hits = Postings;

const NOTHING: Hits = { places: new Int32Array(0), inTitle: new Uint16Array(0), inBody: new Uint16Array(0) };

/** The terms of each leaf, in the form of segments' keys. */
export function termsOf(tree: Analysed, terms: Map<Leaf, Term[]> = new Map()): Map<Leaf, Term[]> {
  if (tree.kind === "leaf") {
    const sign = tree.field === "source" ? SOURCE : tree.field === "domain" ? DOMAIN : "";
    terms.set(
      tree,
      tree.tokens.map((token) => termOf(sign + token)),
    );
  } else for (const node of tree.kind === "not" ? [tree.node] : tree.nodes) termsOf(node, terms);
  return terms;
}

/** A word that its list represents completely. */
const isPlain = ({ field, tokens, prefix }: Leaf): boolean => tokens.length === 1 && !prefix && field !== "title";

/**
 * Finds places in a segment. Lists are read on demand; the matches of a leaf are kept, since the ranking uses them
 * again.
 */
export class Matching {
  readonly #segment: Segment;
  readonly #terms: ReadonlyMap<Leaf, readonly Term[]>;
  readonly #found = new Map<Leaf, Hits>();
  /** Lists of plain words. */
  readonly #lists = new Map<Leaf, StoredPostings | null>();

  constructor(segment: Segment, terms: ReadonlyMap<Leaf, readonly Term[]>) {
    this.#segment = segment;
    this.#terms = terms;
  }

  hits(leaf: Leaf): Hits {
    let hits = this.#found.get(leaf);
    if (!hits) this.#found.set(leaf, (hits = this.#find(leaf)));
    return hits;
  }

  /**
   * The number of documents with a leaf, including dead ones. For a word it stands before its list, which need not be
   * read.
   */
  count(leaf: Leaf): number {
    return isPlain(leaf) ? (this.#list(leaf)?.count ?? 0) : this.hits(leaf).places.length;
  }

  #list(leaf: Leaf): StoredPostings | null {
    let list = this.#lists.get(leaf);
    if (list === undefined) this.#lists.set(leaf, (list = this.#segment.find(this.#terms.get(leaf)![0]!) ?? null));
    return list;
  }

  #find(leaf: Leaf): Hits {
    const terms = this.#terms.get(leaf)!,
      isTitle = leaf.field === "title";
    if (terms.length === 0) return NOTHING;
    if (leaf.prefix) return this.#beginning(terms[0]!, isTitle);
    const hits = terms.length === 1 ? this.#word(leaf) : this.#phrase(terms);
    return isTitle ? inTitles(hits) : hits;
  }

  #word(leaf: Leaf): Hits {
    const list = this.#list(leaf);
    return list ? postingsOf(list) : NOTHING;
  }

  /** Words with this beginning, as stems or as whole forms; without counts, since prefixes are not ranked. */
  #beginning(start: Term, titlesOnly: boolean): Hits {
    const marked = new Uint8Array(this.#segment.count);
    for (const found of this.#segment.beginning(start)) {
      const { places, inTitle } = postingsOf(found);
      for (let at = 0; at < places.length; at++) if (!titlesOnly || inTitle[at]! > 0) marked[places[at]!] = 1;
    }
    const places = placesOf(marked);
    return { places, inTitle: new Uint16Array(places.length), inBody: new Uint16Array(places.length) };
  }

  #phrase(whole: readonly Term[]): Hits {
    const terms = whole.slice(0, MOST_OF_PHRASE);
    const found: StoredPostings[] = [];
    for (const term of terms) {
      const list = this.#segment.find(term);
      if (!list) return NOTHING;
      found.push(list);
    }
    // From the rarest on: the others are checked only where all before them match.
    const order = found.map((_, step) => step).sort((one, other) => found[one]!.count - found[other]!.count);
    const sites: Sites[] = [];
    // A term that comes again in the phrase is read once: `a-a-a ...` would be read a hundred times.
    const read = new Map<string, Sites>();
    let places: Int32Array | undefined;
    for (const step of order) {
      const key = terms[step]!.text;
      sites[step] = read.get(key) ?? sitesOf(found[step]!.withPositions(), places);
      if (!read.has(key)) places = sites[step].places;
      read.set(key, sites[step]);
      if (places!.length === 0) return NOTHING;
    }
    return sideBySide(sites, places!);
  }

  /** The places a tree finds; a part that only excludes finds nothing (the parser makes none). */
  places(tree: Analysed): Int32Array {
    switch (tree.kind) {
      case "leaf":
        return this.hits(tree).places;
      case "not":
        return NOTHING.places;
      case "or":
        return this.#union(tree.nodes);
      case "and":
        return this.#conjunction(tree.nodes);
    }
  }

  /** The shortest list first; the others are read only while matches remain. */
  #conjunction(nodes: readonly Analysed[]): Int32Array {
    const leaves = nodes
      .filter((node) => node.kind === "leaf")
      .map((leaf) => ({ leaf, count: this.count(leaf) }))
      .sort((one, other) => one.count - other.count);
    let places: Int32Array | undefined;
    for (const node of [
      ...leaves.map(({ leaf }) => leaf),
      ...nodes.filter(({ kind }) => kind === "and" || kind === "or"),
    ]) {
      if (places?.length === 0) return places;
      places = places ? intersection(places, this.places(node)) : this.places(node);
    }
    for (const node of nodes)
      if (places && places.length > 0 && node.kind === "not") places = difference(places, this.places(node.node));
    return places ?? NOTHING.places;
  }

  #union(nodes: readonly Analysed[]): Int32Array {
    const marked = new Uint8Array(this.#segment.count);
    for (const node of nodes) for (const place of this.places(node)) marked[place] = 1;
    return placesOf(marked);
  }
}

/** Of these documents, all of which have all terms, those in which the terms are adjacent, and how often. */
function sideBySide(sites: readonly Sites[], places: Int32Array): Hits {
  const kept = new Int32Array(places.length),
    titles = new Uint16Array(places.length),
    bodies = new Uint16Array(places.length);
  const at = new Int32Array(sites.length),
    next = new Int32Array(sites.length);
  const first = sites[0]!;
  let count = 0;
  for (const place of places) {
    for (const [step, { places: own, starts }] of sites.entries()) {
      while (own[at[step]!]! < place) at[step]!++;
      next[step] = starts[at[step]!]!;
    }
    let inTitle = 0,
      inBody = 0;
    for (const end = first.starts[at[0]! + 1]!; next[0]! < end; next[0]!++) {
      const position = first.positions[next[0]!]!;
      if (!follows(sites, at, next, position)) continue;
      if (position < BODY_BEGINS) inTitle++;
      else inBody++;
    }
    if (inTitle + inBody === 0) continue;
    kept[count] = place;
    titles[count] = Math.min(MOST_COUNTED, inTitle);
    bodies[count++] = Math.min(MOST_COUNTED, inBody);
  }
  return { places: kept.subarray(0, count), inTitle: titles.subarray(0, count), inBody: bodies.subarray(0, count) };
}

/** Whether each further term stands that much further on; `next` steps ahead through the positions of each. */
function follows(sites: readonly Sites[], at: Int32Array, next: Int32Array, position: number): boolean {
  for (let step = 1; step < sites.length; step++) {
    const { starts, positions } = sites[step]!,
      end = starts[at[step]! + 1]!;
    while (next[step]! < end && positions[next[step]!]! < position + step) next[step]!++;
    if (next[step] === end || positions[next[step]!] !== position + step) return false;
  }
  return true;
}

function inTitles({ places, inTitle }: Hits): Hits {
  const kept = places.map((_, at) => at).filter((at) => inTitle[at]! > 0);
  return {
    places: kept.map((at) => places[at]!),
    inTitle: Uint16Array.from(kept, (at) => inTitle[at]!),
    inBody: new Uint16Array(kept.length),
  };
}

function placesOf(marked: Uint8Array): Int32Array {
  const places = new Int32Array(marked.length);
  let count = 0;
  for (let place = 0; place < marked.length; place++) if (marked[place] === 1) places[count++] = place;
  return places.subarray(0, count);
}

/**
 * The intersection of two ascending lists; the longer one is searched by doubling steps, since the other may be much
 * shorter.
 */
export function intersection(one: Int32Array, other: Int32Array): Int32Array {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const common = new Int32Array(short.length);
  let count = 0;
  for (let at = 0, from = 0; at < short.length && from < long.length; at++) {
    from = firstFrom(long, short[at]!, from);
    if (long[from] === short[at]) common[count++] = short[at]!;
  }
  return common.subarray(0, count);
}

function difference(from: Int32Array, without: Int32Array): Int32Array {
  let next = 0;
  return from.filter((place) => {
    next = firstFrom(without, place, next);
    return without[next] !== place;
  });
}

/** The first index at or after `from` whose place is `wanted` or more. */
export function firstFrom(places: Int32Array, wanted: number, from: number): number {
  let step = 1,
    high = from;
  while (high < places.length && places[high]! < wanted) {
    from = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, places.length);
  while (from < high) {
    const middle = (from + high) >> 1;
    if (places[middle]! < wanted) from = middle + 1;
    else high = middle;
  }
  return from;
}
