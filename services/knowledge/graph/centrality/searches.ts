import type { Network } from "./network.ts";

/**
 * All shortest paths from one source: how far each node is, over how many paths, and in which order they were reached.
 * The arrays are those of the last search.
 */
export interface Search {
  from(source: number): number;
  readonly distances: ArrayLike<number>;
  readonly paths: Float64Array;
  readonly order: Uint32Array;
  /** Adds up what each node lies between, of the paths from the last source (Brandes 2001). */
  dependencies(): Float64Array;
}

/** Only what the last search touched is put back: a source in a small component costs what that component has. */
class HopSearch implements Search {
  readonly distances: Int32Array;
  readonly paths: Float64Array;
  readonly order: Uint32Array;
  readonly #network: Network;
  readonly #shares: Float64Array;
  #reached = 0;

  constructor(network: Network) {
    this.#network = network;
    this.distances = new Int32Array(network.nodes).fill(-1);
    this.paths = new Float64Array(network.nodes);
    this.order = new Uint32Array(network.nodes);
    this.#shares = new Float64Array(network.nodes);
  }

  from(source: number): number {
    const { distances, paths, order } = this;
    const { offsets, neighbours } = this.#network;
    for (let at = 0; at < this.#reached; at += 1) {
      distances[order[at]!] = -1;
      this.#shares[order[at]!] = 0;
    }
    distances[source] = 0;
    paths[source] = 1;
    order[0] = source;
    let tail = 1;
    for (let head = 0; head < tail; head += 1) {
      const node = order[head]!;
      const next = distances[node]! + 1;
      const ways = paths[node]!;
      for (let at = offsets[node]!, end = offsets[node + 1]!; at < end; at += 1) {
        const other = neighbours[at]!;
        const distance = distances[other]!;
        if (distance === next) paths[other]! += ways;
        else if (distance < 0) {
          distances[other] = next;
          paths[other] = ways;
          order[tail++] = other;
        }
      }
    }
    return (this.#reached = tail);
  }

  dependencies(): Float64Array {
    const { distances, paths, order } = this;
    const { offsets, neighbours } = this.#network;
    const shares = this.#shares;
    for (let place = this.#reached - 1; place > 0; place -= 1) {
      const node = order[place]!;
      const before = distances[node]! - 1;
      const share = (1 + shares[node]!) / paths[node]!;
      for (let at = offsets[node]!, end = offsets[node + 1]!; at < end; at += 1) {
        const other = neighbours[at]!;
        if (distances[other] === before) shares[other]! += paths[other]! * share;
      }
    }
    return shares;
  }
}

/** Dijkstra's search, where a strong line is a short one: a step costs 1/weight. */
class CostSearch implements Search {
  readonly distances: Float64Array;
  readonly paths: Float64Array;
  readonly order: Uint32Array;
  readonly #network: Network;
  readonly #places: Int32Array;
  readonly #shares: Float64Array;
  readonly #costs: Float64Array;
  readonly #heap: Uint32Array;
  /** Where a node stands in the heap, plus one. */
  readonly #slots: Uint32Array;
  #size = 0;
  #reached = 0;

  constructor(network: Network) {
    const { nodes, weights } = network;
    this.#network = network;
    this.distances = new Float64Array(nodes).fill(Infinity);
    this.paths = new Float64Array(nodes);
    this.order = new Uint32Array(nodes);
    this.#places = new Int32Array(nodes).fill(-1);
    this.#shares = new Float64Array(nodes);
    this.#costs = weights.map((weight) => 1 / weight);
    this.#heap = new Uint32Array(nodes);
    this.#slots = new Uint32Array(nodes);
  }

  #clear(): void {
    for (let at = 0; at < this.#reached; at += 1) {
      const node = this.order[at]!;
      this.distances[node] = Infinity;
      this.#places[node] = -1;
      this.#shares[node] = 0;
    }
  }

  from(source: number): number {
    this.#clear();
    const { distances, paths, order } = this;
    const { offsets, neighbours } = this.#network;
    const places = this.#places;
    distances[source] = 0;
    paths[source] = 1;
    this.#rise(source);
    let reached = 0;
    while (this.#size > 0) {
      const node = this.#takeNearest();
      places[node] = reached;
      order[reached++] = node;
      for (let at = offsets[node]!, end = offsets[node + 1]!; at < end; at += 1) {
        const other = neighbours[at]!;
        if (places[other]! >= 0) continue;
        const distance = distances[node]! + this.#costs[at]!;
        if (distance < distances[other]!) {
          distances[other] = distance;
          paths[other] = paths[node]!;
          this.#rise(other);
        } else if (distance === distances[other]) paths[other]! += paths[node]!;
      }
    }
    return (this.#reached = reached);
  }

  dependencies(): Float64Array {
    const { distances, paths, order } = this;
    const { offsets, neighbours } = this.#network;
    const [places, shares] = [this.#places, this.#shares];
    for (let place = this.#reached - 1; place > 0; place -= 1) {
      const node = order[place]!;
      const share = (1 + shares[node]!) / paths[node]!;
      for (let at = offsets[node]!, end = offsets[node + 1]!; at < end; at += 1) {
        const other = neighbours[at]!;
        // A cost may be too small to tell in a sum: who was reached before is told by the place.
        const distance = distances[other]! + this.#costs[at]!;
        if (places[other]! < place && distance === distances[node]) shares[other]! += paths[other]! * share;
      }
    }
    return shares;
  }

  #rise(node: number): void {
    if (this.#slots[node] === 0) {
      this.#heap[this.#size] = node;
      this.#slots[node] = ++this.#size;
    }
    let slot = this.#slots[node]! - 1;
    while (slot > 0) {
      const above = (slot - 1) >> 1;
      const other = this.#heap[above]!;
      if (this.distances[other]! <= this.distances[node]!) break;
      this.#put(other, slot);
      slot = above;
    }
    this.#put(node, slot);
  }

  #takeNearest(): number {
    const nearest = this.#heap[0]!;
    this.#slots[nearest] = 0;
    const last = this.#heap[--this.#size]!;
    if (this.#size > 0) this.#sink(last);
    return nearest;
  }

  #sink(node: number): void {
    let slot = 0;
    for (;;) {
      let below = 2 * slot + 1;
      if (below >= this.#size) break;
      const right = below + 1;
      if (right < this.#size && this.distances[this.#heap[right]!]! < this.distances[this.#heap[below]!]!)
        below = right;
      const other = this.#heap[below]!;
      if (this.distances[other]! >= this.distances[node]!) break;
      this.#put(other, slot);
      slot = below;
    }
    this.#put(node, slot);
  }

  #put(node: number, slot: number): void {
    this.#heap[slot] = node;
    this.#slots[node] = slot + 1;
  }
}

export const searchOf = (network: Network, weighted: boolean): Search =>
  weighted ? new CostSearch(network) : new HopSearch(network);
