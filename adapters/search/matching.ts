/** Which documents of one segment a query finds, and how often they hold its words. */
import type { Analysed, Leaf } from "../../core/analysis.ts";
import { DOMAIN, SOURCE } from "./postings/gathering.ts";
import { BODY_BEGINS, eachPosting, positionsOf, postingsOf, type PostingList, type Postings } from "./postings/posting-list.ts";
import type { Found, Segment } from "./postings/segment.ts";

/** What is found of a leaf: ascending places in the segment, and how often it stands in title and body of each. */
export type Hits = Postings;

const NOTHING: Hits = { places: new Int32Array(0), inTitle: new Uint16Array(0), inBody: new Uint16Array(0) };

/** Finds places in a segment; what was found of a leaf is kept, for ranking asks for it again. */
export class Matching {
  readonly #segment: Segment;
  readonly #found = new Map<Leaf, Hits>();

  constructor(segment: Segment) { this.#segment = segment; }

  hits(leaf: Leaf): Hits {
    let hits = this.#found.get(leaf);
    if (!hits) this.#found.set(leaf, (hits = this.#find(leaf)));
    return hits;
  }

  #find({ field, tokens, prefix }: Leaf): Hits {
    if (tokens.length === 0) return NOTHING;
    const sign = field === "source" ? SOURCE : field === "domain" ? DOMAIN : "";
    const terms = tokens.map((token) => sign + token);
    if (prefix) return this.#beginning(terms[0]!, field === "title");
    const hits = terms.length === 1 ? this.#word(terms[0]!) : this.#phrase(terms);
    return field === "title" ? inTitles(hits) : hits;
  }

  #word(term: string): Hits {
    const found = this.#segment.find(term);
    return found ? postingsOf({ ...found, positions: EMPTY }) : NOTHING;
  }

  /** Words that begin so, as stems or as whole forms; how often is not counted, for a beginning does not rank. */
  #beginning(start: string, titlesOnly: boolean): Hits {
    const marked = new Uint8Array(this.#segment.count);
    for (const found of this.#segment.beginning(start)) {
      const { places, inTitle } = postingsOf({ ...found, positions: EMPTY });
      for (let at = 0; at < places.length; at++) if (!titlesOnly || inTitle[at]! > 0) marked[places[at]!] = 1;
    }
    const places = placesOf(marked);
    return { places, inTitle: new Uint16Array(places.length), inBody: new Uint16Array(places.length) };
  }

  #phrase(terms: readonly string[]): Hits {
    const found: Found[] = [];
    for (const term of terms) {
      const list = this.#segment.find(term);
      if (!list) return NOTHING;
      found.push(list);
    }
    const all = found.map((list) => postingsOf({ ...list, positions: EMPTY }).places).reduce(intersection);
    if (all.length === 0) return NOTHING;
    const wanted = new Set(all), sites = found.map((list) => sitesIn(list, wanted));
    const places: number[] = [], inTitle: number[] = [], inBody: number[] = [];
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
      case "leaf": return this.hits(tree).places;
      case "not": return NOTHING.places;
      case "or": return this.#union(tree.nodes);
      case "and": {
        const wanted = tree.nodes.filter((node) => node.kind !== "not").map((node) => this.places(node));
        const excluded = tree.nodes.flatMap((node) => (node.kind === "not" ? [this.places(node.node)] : []));
        if (wanted.length === 0) return NOTHING.places;
        return excluded.reduce(difference, wanted.sort((one, other) => one.length - other.length).reduce(intersection));
      }
    }
  }

  #union(nodes: readonly Analysed[]): Int32Array {
    const marked = new Uint8Array(this.#segment.count);
    for (const node of nodes) for (const place of this.places(node)) marked[place] = 1;
    return placesOf(marked);
  }
}

const EMPTY = new Uint8Array(0);


/** Positions by place, of the places wanted alone. */
function sitesIn(found: Found, wanted: ReadonlySet<number>): Map<number, number[]> {
  const sites = new Map<number, number[]>();
  const list: PostingList = { ...found, positions: found.positions() };
  eachPosting(list, (place, inTitle, _inBody, positions) => { if (wanted.has(place)) sites.set(place, positionsOf(positions, inTitle)); });
  return sites;
}

function inTitles({ places, inTitle }: Hits): Hits {
  const kept = places.map((_, at) => at).filter((at) => inTitle[at]! > 0);
  return { places: kept.map((at) => places[at]!), inTitle: Uint16Array.from(kept, (at) => inTitle[at]!), inBody: new Uint16Array(kept.length) };
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
  let step = 1, high = from;
  while (high < places.length && places[high]! < wanted) { from = high + 1; high += step; step *= 2; }
  high = Math.min(high, places.length);
  while (from < high) {
    const middle = (from + high) >> 1;
    if (places[middle]! < wanted) from = middle + 1;
    else high = middle;
  }
  return from;
}
