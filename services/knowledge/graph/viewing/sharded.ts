import type { Steps } from "../../../../core/work/turns.ts";

const SHARDS = 1_024;
type Shards<V> = readonly (ReadonlyMap<string, V> | undefined)[];

/** Copied for each map, which is cheaper than made. */
const EMPTY: undefined[] = Array.from({ length: SHARDS });

/** FNV-1a. */
function shardOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % SHARDS;
}

const order = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** A map that stays as it is while its successor changes; the order of its keys follows from the keys alone. */
class FrozenMap<V> implements ReadonlyMap<string, V> {
  readonly #shards: Shards<V>;
  readonly size: number;
  constructor(shards: Shards<V>, size: number) {
    this.#shards = shards;
    this.size = size;
  }
  get(key: string): V | undefined {
    return this.#shards[shardOf(key)]?.get(key);
  }
  has(key: string): boolean {
    return this.#shards[shardOf(key)]?.has(key) ?? false;
  }
  *entries(): MapIterator<[string, V]> {
    for (const shard of this.#shards) if (shard) yield* shard;
    return undefined;
  }
  *keys(): MapIterator<string> {
    for (const shard of this.#shards) if (shard) yield* shard.keys();
    return undefined;
  }
  *values(): MapIterator<V> {
    for (const shard of this.#shards) if (shard) yield* shard.values();
    return undefined;
  }
  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }
  forEach(visit: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this) visit(value, key, this);
  }
}

/** A map that is changed a little at a time, and frozen at a cost of what was changed. */
export class ShardedMap<V> {
  readonly #shards: (Map<string, V> | undefined)[] = EMPTY.slice();
  /** Shards that no frozen map has. */
  readonly #own = new Set<number>();
  #size = 0;

  get(key: string): V | undefined {
    return this.#shards[shardOf(key)]?.get(key);
  }

  #owned(which: number): Map<string, V> {
    const known = this.#shards[which];
    if (known && this.#own.has(which)) return known;
    this.#own.add(which);
    return (this.#shards[which] = new Map(known));
  }

  set(key: string, value: V): void {
    const shard = this.#owned(shardOf(key));
    this.#size += Number(!shard.has(key));
    shard.set(key, value);
  }

  delete(key: string): void {
    const which = shardOf(key);
    if (!this.#shards[which]?.has(key)) return;
    this.#owned(which).delete(key);
    this.#size -= 1;
  }

  *frozen(): Steps<FrozenMap<V>> {
    for (const which of this.#own) {
      const shard = this.#shards[which]!;
      this.#shards[which] = shard.size ? new Map([...shard].sort(order)) : undefined;
      yield;
    }
    this.#own.clear();
    return new FrozenMap(this.#shards.slice(), this.#size);
  }
}
