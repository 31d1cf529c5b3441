/** Which documents of one segment a query finds, and how often they hold its words. */
import type { Analysed, Leaf } from "../../core/text/analysis.ts";
import { DOMAIN, SOURCE } from "./postings/gathering.ts";
import { BODY_BEGINS, eachPosting, positionsOf, postingsOf, type Postings } from "./postings/posting-list.ts";
import { termOf, type Found, type Segment, type Term } from "./postings/segment.ts";

/** What is found of a leaf: ascending places in the segment, and how often it stands in title and body of each. */
export type Hits = Postings;

const NOTHING: Hits = { places: new Int32Array(0), inTitle: new Uint16Array(0), inBody: new Uint16Array(0) };

/** The terms of each leaf as segments are asked for them. */
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

/** A word whose list is all there is to it. */
const isPlain = ({ field, tokens, prefix }: Leaf): boolean => tokens.length === 1 && !prefix && field !== "title";

/**
 * Finds places in a segment. Lists are read when they are needed; what was found of a leaf is kept, for ranking asks
 * for it again.
 */
export class Matching {
  readonly #segment: Segment;
  readonly #terms: ReadonlyMap<Leaf, readonly Term[]>;
  readonly #found = new Map<Leaf, Hits>();
  /** Lists of plain words. */
  readonly #lists = new Map<Leaf, Found | null>();

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
   * How many documents hold a leaf, dead ones included. Of a word this stands before its list, which need not be read.
   */
  count(leaf: Leaf): number {
    return isPlain(leaf) ? (this.#list(leaf)?.count ?? 0) : this.hits(leaf).places.length;
  }

  #list(leaf: Leaf): Found | null {
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

  /** Words that begin so, as stems or as whole forms; how often is not counted, for a beginning does not rank. */
  #beginning(start: Term, titlesOnly: boolean): Hits {
    const marked = new Uint8Array(this.#segment.count);
    for (const found of this.#segment.beginning(start)) {
      const { places, inTitle } = postingsOf(found);
      for (let at = 0; at < places.length; at++) if (!titlesOnly || inTitle[at]! > 0) marked[places[at]!] = 1;
    }
    const places = placesOf(marked);
    return { places, inTitle: new Uint16Array(places.length), inBody: new Uint16Array(places.length) };
  }

  #phrase(terms: readonly Term[]): Hits {
    const found: Found[] = [];
    for (const term of terms) {
      const list = this.#segment.find(term);
      if (!list) return NOTHING;
      found.push(list);
    }
    const all = found.map((list) => postingsOf(list).places).reduce(intersection);
    if (all.length === 0) return NOTHING;
    const wanted = new Set(all),
      sites = found.map((list) => sitesIn(list, wanted));
    const places: number[] = [],
      inTitle: number[] = [],
      inBody: number[] = [];
    for (const place of all) {
      const [first, ...others] = sites.map((of) => of.get(place)!);
      const next = others.map((positions) => new Set(positions));
      const starts = first!.filter((position) => next.every((positions, step) => positions.has(position + step + 1)));
      if (starts.length === 0) continue;
      places.push(place);
      inTitle.push(starts.filter((position) => position < BODY_BEGINS).length);
      inBody.push(starts.filter((position) => position >= BODY_BEGINS).length);
    }
    return { places: Int32Array.from(places), inTitle: Uint16Array.from(inTitle), inBody: Uint16Array.from(inBody) };
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

  /** The shortest list first; the others are read only while something is left of it. */
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

/** Positions by place, of the places wanted alone. */
function sitesIn(found: Found, wanted: ReadonlySet<number>): Map<number, number[]> {
  const sites = new Map<number, number[]>(),
    list = found.withPositions();
  eachPosting(list, (place, inTitle, _inBody, from, to) => {
    if (wanted.has(place)) sites.set(place, positionsOf(list.positions, from, to, inTitle));
  });
  return sites;
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

/** What both ascending lists hold; steps ahead in the longer one by doubling, since the other may be much shorter. */
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
