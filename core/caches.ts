/** A cache of a node: everything in it can be asked for again. */
export interface Cache {
  /** Forgets the entries whose key fits, or all; answers how many. */
  drop(fits?: (key: string) => boolean): number;
}

/** Kinds of what is remembered: names of persons, whose a credential is (by person), and what models there are. */
export const CACHE_SCOPES = ["names", "actors", "models"] as const;
export type CacheScope = (typeof CACHE_SCOPES)[number];

/** Which entries: by their whole key (`names:<person>`), by a pattern of it in which `*` stands for anything, or a kind. */
export interface Dropping {
  keys?: readonly string[] | undefined;
  pattern?: string | undefined;
  scope?: CacheScope | "all" | undefined;
}

/** Whether a text is of a pattern in which `*` stands for anything; in one pass, whatever the pattern. */
export function isOf(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** The caches of one process. */
export class Caches {
  readonly #caches: { scope: CacheScope; cache: Cache }[] = [];

  add(scope: CacheScope, cache: Cache): void {
    this.#caches.push({ scope, cache });
  }

  drop({ keys, pattern, scope = "all" }: Dropping): number {
    const named = keys && new Set(keys);
    const like = pattern === undefined ? undefined : (key: string) => isOf(pattern, key);
    const fits = named ? (key: string) => named.has(key) : like;
    return this.#caches
      .filter((one) => scope === "all" || scope === one.scope)
      .reduce((sum, one) => sum + one.cache.drop(fits && ((key) => fits(`${one.scope}:${key}`))), 0);
  }
}
