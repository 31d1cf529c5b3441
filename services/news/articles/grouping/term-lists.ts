const FIRST_SLOTS = 2 ** 12;
const FIRST_ROOM = 2 ** 13;
/** Grows by less than doubling, which would leave a third of the memory empty on average. */
const GROWTH = 1.25;
/** Of a slot: the hash of a term, and where its list begins. */
const SLOT = 2;
/** Stands for the list of a hash whose names are all gone. */
const NONE_LEFT = 2 ** 32 - 1;
/** Of a list's first number: how many names it has; the bits above tell its size. */
const SIZE_BITS = 16,
  COUNT = 2 ** SIZE_BITS - 1;
/** A list of size 0 has two numbers, its first one and a name; each size has twice the numbers of the one before. */
const SIZES = SIZE_BITS;
const numbersOf = (size: number): number => 2 << size;
/** The smallest size with room for so many names. */
const sizeFor = (count: number): number => Math.max(0, 31 - Math.clz32(count));

/**
 * Short lists of names by the hashes of terms, in the order in which they came, in flat memory. The names of a list lie
 * side by side, since most lists are not in the processor's cache: a chain would wait for memory at each name. A list
 * that outgrows its room moves to twice as much, so that a name has some six bytes and a term sixteen to thirty, where a
 * Map of arrays has several times that. A name is a whole number of 31 bits.
 */
export class TermLists {
  /** A hash table with linear probing, see `SLOT`; a list that begins at 0 marks a slot that is free. */
  #slots = new Uint32Array(SLOT * FIRST_SLOTS);
  #taken = 0;
  /** Lists one after the other: of each its size and how many names it has, then these, then the room for more. */
  numbers = new Int32Array(FIRST_ROOM);
  /** Nothing begins at 0. */
  #used = 1;
  /** Of each size the first of the lists that were let go, each of which names the next; 0 for none. */
  readonly #free = new Int32Array(SIZES);
  /** Where lists are looked through, and how many are still to be. */
  #at = 0;
  #left = 0;

  /** Where a list begins in `numbers`: its names follow. 0 where there is none. Both hold until the next change. */
  of(hash: number): number {
    return this.#listAt(this.#slot(hash));
  }
  /** How many names the list has that begins there. */
  lengthAt(list: number): number {
    return this.numbers[list]! & COUNT;
  }

  /** Adds a name to the end of a list; answers how many it has then, 0 where the name was there. */
  add(hash: number, name: number): number {
    const slot = this.#slot(hash);
    let list = this.#listAt(slot);
    if (list === 0) {
      this.#begin(slot, hash, name);
      return 1;
    }
    const { numbers } = this,
      count = numbers[list]! & COUNT;
    for (let at = list + 1; at <= list + count; at++) if (numbers[at] === name) return 0;
    const size = numbers[list]! >>> SIZE_BITS;
    if (count + 1 === numbersOf(size)) list = this.#move(slot, list, size + 1);
    this.numbers[list]!++;
    this.numbers[list + count + 1] = name;
    return count + 1;
  }

  /** Removes the names that are no longer valid; returns how many are left. */
  keep(hash: number, isLeft: (name: number) => boolean): number {
    return this.#keepAt(this.#slot(hash), isLeft);
  }

  /** Removes the oldest name. */
  shift(hash: number): void {
    const slot = this.#slot(hash),
      list = this.#listAt(slot);
    if (list === 0) return;
    const count = this.lengthAt(list);
    this.numbers.copyWithin(list + 1, list + 2, list + 1 + count);
    this.#shorten(slot, list, count - 1);
  }

  /** Makes `sweep` look through all lists. */
  litter(): void {
    this.#left = this.#slots.length / SLOT;
  }

  /** Looks through so many lists and removes names that are no longer valid, until all have been looked through. */
  sweep(most: number, isLeft: (name: number) => boolean): void {
    for (let looked = 0; looked < most && this.#left > 0; looked++, this.#left--) {
      this.#at = (this.#at + 1) & (this.#slots.length / SLOT - 1);
      this.#keepAt(SLOT * this.#at, isLeft);
    }
  }

  #listAt(slot: number): number {
    const list = this.#slots[slot + 1]!;
    return list === NONE_LEFT ? 0 : list;
  }

  /** Where the slot of a hash begins. */
  #slot(hash: number): number {
    const slots = this.#slots,
      mask = slots.length - 1;
    let slot = (SLOT * (Math.imul(hash, 0x9e3779b1) >>> 7)) & mask;
    while (slots[slot + 1] !== 0 && slots[slot] !== hash) slot = (slot + SLOT) & mask;
    return slot;
  }

  #begin(slot: number, hash: number, name: number): void {
    const isNew = this.#slots[slot + 1] === 0,
      list = this.#made(0);
    this.numbers[list] = 1;
    this.numbers[list + 1] = name;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = list;
    if (isNew && ++this.#taken * 2 * SLOT > this.#slots.length) this.#rebuild();
  }

  #keepAt(slot: number, isLeft: (name: number) => boolean): number {
    const list = this.#listAt(slot);
    if (list === 0) return 0;
    const { numbers } = this,
      end = list + this.lengthAt(list);
    let last = list;
    for (let at = list + 1; at <= end; at++) if (isLeft(numbers[at]!)) numbers[++last] = numbers[at]!;
    if (last < end) this.#shorten(slot, list, last - list);
    return last - list;
  }

  /** Lets a list go on with its first names alone, in less room where that is enough. */
  #shorten(slot: number, list: number, count: number): void {
    const size = this.numbers[list]! >>> SIZE_BITS;
    this.numbers[list] = (size << SIZE_BITS) | count;
    if (count === 0) {
      this.#release(list, size);
      this.#slots[slot + 1] = NONE_LEFT;
    } else if (sizeFor(count) < size) this.#move(slot, list, sizeFor(count));
  }

  /** Moves a list to another size; answers where it begins now. */
  #move(slot: number, list: number, size: number): number {
    const moved = this.#made(size),
      { numbers } = this,
      first = numbers[list]!,
      count = first & COUNT;
    numbers[moved] = (size << SIZE_BITS) | count;
    for (let at = 1; at <= count; at++) numbers[moved + at] = numbers[list + at]!;
    this.#release(list, first >>> SIZE_BITS);
    this.#slots[slot + 1] = moved;
    return moved;
  }

  /** Room for a list of a size. */
  #made(size: number): number {
    const free = this.#free[size]!;
    if (free > 0) {
      this.#free[size] = this.numbers[free]!;
      return free;
    }
    const list = this.#used;
    this.#used += numbersOf(size);
    if (this.#used > this.numbers.length) {
      const larger = new Int32Array(Math.ceil(this.#used * GROWTH));
      larger.set(this.numbers);
      this.numbers = larger;
    }
    return list;
  }

  #release(list: number, size: number): void {
    this.numbers[list] = this.#free[size]!;
    this.#free[size] = list;
  }

  /** Drops lists without names, and doubles the table where the others need it. */
  #rebuild(): void {
    const slots = this.#slots;
    let lists = 0;
    for (let slot = 0; slot < slots.length; slot += SLOT) if (this.#listAt(slot) > 0) lists++;
    this.#slots = new Uint32Array(4 * SLOT * lists > slots.length ? 2 * slots.length : slots.length);
    this.#taken = lists;
    for (let from = 0; from < slots.length; from += SLOT) {
      const list = slots[from + 1]!;
      if (list === 0 || list === NONE_LEFT) continue;
      const slot = this.#slot(slots[from]!);
      this.#slots[slot] = slots[from]!;
      this.#slots[slot + 1] = list;
    }
    if (this.#left > 0) this.litter();
  }
}
