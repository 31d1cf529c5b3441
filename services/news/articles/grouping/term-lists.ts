const FIRST_SLOTS = 2 ** 12;
const FIRST_NODES = 2 ** 12;
/** Grows by less than doubling, which would leave a third of the memory empty on average. */
const GROWTH = 1.25;
/** Lists that are laid out together at most. */
const MOST_TOGETHER = 64;
/** Stands for the list of a hash whose names are all gone. */
const NONE_LEFT = 2 ** 32 - 1;

/**
 * Short lists of names by the hashes of terms, in the order in which they came, in flat memory: eight bytes a name and
 * some sixteen to thirty a term, where a Map of arrays has several times that. A name is a whole number of 31 bits.
 */
export class TermLists {
  /** A hash table with linear probing; of each slot the first node of its list, 0 where it is free. */
  #hashes = new Uint32Array(FIRST_SLOTS);
  #firsts = new Uint32Array(FIRST_SLOTS);
  #taken = 0;
  /** Of each node its name and the next one, 0 where it is the last; there is no node 0. */
  #nodes = new Int32Array(2 * FIRST_NODES);
  #used = 1;
  #free = 0;
  /** Where lists are looked through, and how many are still to be. */
  #at = 0;
  #left = 0;

  /** The first node of a list; 0 where there is none. */
  first(hash: number): number {
    return this.#firstAt(this.#slot(hash));
  }
  /** The node after one; 0 where it is the last. */
  next(node: number): number {
    return this.#nodes[2 * node + 1]!;
  }
  nameOf(node: number): number {
    return this.#nodes[2 * node]!;
  }

  /**
   * Lays the lists of some hashes out, each in `room` places of its own; answers how many names each has, until the next
   * call. All are gone through side by side: most of them is not in the processor's cache, and so they wait together.
   */
  lay(hashes: Uint32Array, into: Int32Array, room: number): Uint8Array {
    const nodes = this.#nodes,
      cursors = this.#cursors,
      lists = this.#lists,
      lengths = this.#lengths;
    let open = 0;
    for (let list = 0; list < hashes.length; list++) {
      lengths[list] = 0;
      const first = this.first(hashes[list]!);
      if (first === 0) continue;
      cursors[open] = first;
      lists[open++] = list;
    }
    for (let place = 0; open > 0 && place < room; place++) {
      let left = 0;
      for (let at = 0; at < open; at++) {
        const node = cursors[at]!,
          list = lists[at]!,
          next = nodes[2 * node + 1]!;
        into[room * list + place] = nodes[2 * node]!;
        lengths[list] = place + 1;
        if (next === 0) continue;
        cursors[left] = next;
        lists[left++] = list;
      }
      open = left;
    }
    return lengths;
  }
  readonly #cursors = new Int32Array(MOST_TOGETHER);
  readonly #lists = new Uint8Array(MOST_TOGETHER);
  readonly #lengths = new Uint8Array(MOST_TOGETHER);

  /** Adds a name to the end of a list; answers how many it has then, 0 where the name was there. */
  add(hash: number, name: number): number {
    const slot = this.#slot(hash);
    let [count, last] = [1, 0];
    for (let node = this.#firstAt(slot); node > 0; node = this.next(node), count++) {
      if (this.nameOf(node) === name) return 0;
      last = node;
    }
    const node = this.#made(name);
    if (last > 0) this.#nodes[2 * last + 1] = node;
    else {
      const isNew = this.#firsts[slot] === 0;
      this.#hashes[slot] = hash;
      this.#firsts[slot] = node;
      if (isNew && ++this.#taken * 2 > this.#hashes.length) this.#rebuild();
    }
    return count;
  }

  /** Removes the names that are no longer valid; returns how many are left. */
  keep(hash: number, isLeft: (name: number) => boolean): number {
    return this.#keepAt(this.#slot(hash), isLeft);
  }

  /** Removes the oldest name. */
  shift(hash: number): void {
    const slot = this.#slot(hash),
      oldest = this.#firstAt(slot);
    if (oldest === 0) return;
    this.#firsts[slot] = this.next(oldest) || NONE_LEFT;
    this.#release(oldest);
  }

  /** Makes `sweep` look through all lists. */
  litter(): void {
    this.#left = this.#hashes.length;
  }

  /** Looks through so many lists and removes names that are no longer valid, until all have been looked through. */
  sweep(most: number, isLeft: (name: number) => boolean): void {
    for (let looked = 0; looked < most && this.#left > 0; looked++, this.#left--) {
      this.#at = (this.#at + 1) & (this.#hashes.length - 1);
      this.#keepAt(this.#at, isLeft);
    }
  }

  #firstAt(slot: number): number {
    const first = this.#firsts[slot]!;
    return first === NONE_LEFT ? 0 : first;
  }

  #slot(hash: number): number {
    const mask = this.#hashes.length - 1;
    let slot = (Math.imul(hash, 0x9e3779b1) >>> 7) & mask;
    while (this.#firsts[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #keepAt(slot: number, isLeft: (name: number) => boolean): number {
    let [count, last] = [0, 0];
    for (let node = this.#firstAt(slot); node > 0;) {
      const next = this.next(node);
      if (isLeft(this.nameOf(node))) {
        last = node;
        count++;
      } else {
        if (last > 0) this.#nodes[2 * last + 1] = next;
        else this.#firsts[slot] = next || NONE_LEFT;
        this.#release(node);
      }
      node = next;
    }
    return count;
  }

  #made(name: number): number {
    const node = this.#free || this.#used++;
    if (node === this.#free) this.#free = this.next(node);
    if (2 * node + 2 > this.#nodes.length) {
      const larger = new Int32Array(2 * Math.ceil((this.#nodes.length / 2) * GROWTH));
      larger.set(this.#nodes);
      this.#nodes = larger;
    }
    this.#nodes[2 * node] = name;
    this.#nodes[2 * node + 1] = 0;
    return node;
  }

  #release(node: number): void {
    this.#nodes[2 * node + 1] = this.#free;
    this.#free = node;
  }

  /** Drops lists without names, and doubles the table where the others need it. */
  #rebuild(): void {
    const [hashes, firsts] = [this.#hashes, this.#firsts];
    let lists = 0;
    for (let slot = 0; slot < hashes.length; slot++) if (this.#firstAt(slot) > 0) lists++;
    const slots = 4 * lists > hashes.length ? 2 * hashes.length : hashes.length;
    this.#hashes = new Uint32Array(slots);
    this.#firsts = new Uint32Array(slots);
    this.#taken = lists;
    for (let from = 0; from < hashes.length; from++) {
      const first = firsts[from]!;
      if (first === 0 || first === NONE_LEFT) continue;
      const slot = this.#slot(hashes[from]!);
      this.#hashes[slot] = hashes[from]!;
      this.#firsts[slot] = first;
    }
    if (this.#left > 0) this.litter();
  }
}
