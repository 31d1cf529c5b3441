import { lazily } from "../../../core/text/lexicon.ts";
import { aliasOf } from "../../../core/text/names.ts";
import type { Steps } from "../../../core/work/turns.ts";
import { knownNames } from "./build/typing.ts";
import type { Judged } from "./judged.ts";
import { fitting, type EntityType } from "./statements/vocabulary.ts";

/** An entity as one source names it. */
export interface Mentioned {
  id: string;
  /** When its oldest statement was stored. */
  since: string;
  type: EntityType;
  /** Folded names and aliases that may stand for it elsewhere. */
  keys: ReadonlySet<string>;
  identifiers: ReadonlySet<string>;
  /** Keys of what it is named together with. */
  context: ReadonlySet<string>;
  source: string;
}

/** Entities that are taken for the same, and why. */
interface Link {
  one: string;
  other: string;
}

/** What is known to everybody by its name alone: countries, and what the list of aliases has. */
const isKnownByName = ({ type }: Mentioned, key: string): boolean => type === "country" || aliasOf(key) !== undefined;

/** A family name or a first name alone tells nobody apart. */
const tells = ({ type }: Mentioned, key: string): boolean => type !== "person" || key.includes(" ");

function* grouped<T>(items: Iterable<T>, keysOf: (item: T) => Iterable<string>): Steps<Map<string, T[]>> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
    yield;
  }
  return groups;
}

/** A name that few texts have tells that two of them speak of the same matter; one that everybody knows half of it. */
const FEW_TEXTS = 3;
const EVERYBODYS = 0.5;
const SAME_MATTER = 1;
const everybodys = lazily(() => new Set(knownNames()));
/** With so many others of its name one is compared by what their texts have in common. */
const MOST_COMPARED = 5;

/** What texts name, countries apart, and whether two of them speak of the same matter. */
class Matters {
  readonly #names = new Map<string, Set<string>>();
  readonly #texts = new Map<string, number>();
  readonly #common = new Map<string, ReadonlyMap<string, number>>();

  static *of(mentioned: readonly Mentioned[], countries: ReadonlySet<string>): Steps<Matters> {
    const matters = new Matters();
    for (const one of mentioned) {
      matters.#take(one, countries);
      yield;
    }
    return matters;
  }

  #take(one: Mentioned, countries: ReadonlySet<string>): void {
    const names = this.#names.get(one.source) ?? new Set<string>();
    this.#names.set(one.source, names);
    for (const key of one.keys) {
      if (countries.has(key) || !tells(one, key) || names.has(key)) continue;
      names.add(key);
      this.#texts.set(key, (this.#texts.get(key) ?? 0) + 1);
    }
  }

  #weightOf(key: string): number {
    return (everybodys().has(key) ? EVERYBODYS : 1) * Math.min(1, FEW_TEXTS / this.#texts.get(key)!);
  }

  #commonTo(one: string, other: string): ReadonlyMap<string, number> {
    const pair = one < other ? `${one}\n${other}` : `${other}\n${one}`;
    const known = this.#common.get(pair);
    if (known) return known;
    const [few, many] = [this.#names.get(one)!, this.#names.get(other)!].sort((a, b) => a.size - b.size);
    const common = new Map([...few!].filter((key) => many!.has(key)).map((key) => [key, this.#weightOf(key)]));
    this.#common.set(pair, common);
    return common;
  }

  /** Whether something else than these names, which are one's own, tells so. */
  isSame(one: string, other: string, own: ReadonlySet<string>): boolean {
    let sum = 0;
    for (const [key, weight] of this.#commonTo(one, other)) if (!own.has(key)) sum += weight;
    return sum >= SAME_MATTER;
  }
}

/** Of those with one name, each with the first before it that something else than the name speaks for. */
function linksAmong(
  key: string,
  group: readonly Mentioned[],
  countries: ReadonlySet<string>,
  matters: Matters,
): Link[] {
  const links: Link[] = [];
  const byContext = new Map<string, Mentioned[]>();
  for (const one of group) {
    const told = new Set<string>();
    if (isKnownByName(one, key)) told.add("");
    for (const shared of one.context) if (shared !== key && !countries.has(shared)) told.add(shared);
    for (const evidence of told) {
      const before = byContext.get(evidence) ?? [];
      const other = before.find(({ type }) => fitting(type, one.type));
      if (other) links.push({ one: other.id, other: one.id });
      else byContext.set(evidence, [...before, one]);
    }
  }
  const before: Mentioned[] = [];
  for (const one of group) {
    const other = before.find(
      ({ type, source }) => fitting(type, one.type) && matters.isSame(source, one.source, one.keys),
    );
    if (other) links.push({ one: other.id, other: one.id });
    else if (before.length < MOST_COMPARED) before.push(one);
  }
  return links;
}

/**
 * Links between entities of several sources: the same identifier, or the same name, a fitting type, and something named
 * beside both, or texts on the same matter. Never a name alone, but of what everybody knows by it. It goes by what is given and nothing else.
 */
export function* linksOf(mentioned: readonly Mentioned[]): Steps<Link[]> {
  const links: Link[] = [];
  const countries = new Set(mentioned.filter(({ type }) => type === "country").flatMap(({ keys }) => [...keys]));
  const matters = yield* Matters.of(mentioned, countries);
  for (const [, group] of yield* grouped(mentioned, ({ identifiers }) => identifiers)) {
    for (const other of group.slice(1))
      if (fitting(group[0]!.type, other.type)) links.push({ one: group[0]!.id, other: other.id });
    yield;
  }
  for (const [key, group] of yield* grouped(mentioned, ({ keys }) => keys)) {
    const able = group.length > 1 ? group.filter((one) => tells(one, key)) : [];
    if (able.length > 1) links.push(...linksAmong(key, able, countries, matters));
    yield;
  }
  return links;
}

/** Who is one with whom; what was judged apart is never joined, however it would come about. */
class Clusters {
  readonly #parents = new Map<string, string>();
  readonly #members = new Map<string, string[]>();
  readonly #apart = new Map<string, Set<string>>();

  keepApart(one: string, other: string): void {
    for (const [id, from] of [
      [one, other],
      [other, one],
    ] as const) {
      const apart = this.#apart.get(id);
      if (apart) apart.add(from);
      else this.#apart.set(id, new Set([from]));
    }
  }

  rootOf(id: string): string {
    let root = id;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent;
    for (let at = id; at !== root;) {
      const next = this.#parents.get(at)!;
      this.#parents.set(at, root);
      at = next;
    }
    return root;
  }

  membersOf(id: string): readonly string[] {
    const root = this.rootOf(id);
    return this.#members.get(root) ?? [root];
  }

  join(one: string, other: string): void {
    const [left, right] = [this.rootOf(one), this.rootOf(other)];
    if (left === right) return;
    const [few, many] = [this.membersOf(left), this.membersOf(right)].sort((a, b) => a.length - b.length);
    const others = this.#apart.size ? new Set(many) : undefined;
    if (others && few!.some((id) => [...(this.#apart.get(id) ?? [])].some((apart) => others.has(apart)))) return;
    const [child, root] = [this.rootOf(few![0]!), this.rootOf(many![0]!)];
    this.#parents.set(child, root);
    this.#members.set(root, [...many!, ...few!]);
    this.#members.delete(child);
  }
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/**
 * The canonical id of each entity that is joined with others: the oldest of its cluster. People's judgements come first,
 * links by rules afterwards, as far as no negative judgement stands between.
 */
export function* canonicalIds(mentioned: readonly Mentioned[], judged: readonly Judged[]): Steps<Map<string, string>> {
  const known = new Map(mentioned.map((one) => [one.id, one]));
  const clusters = new Clusters();
  const among = judged.filter(({ one, other }) => known.has(one) && known.has(other));
  for (const { one, other, verdict } of among) if (verdict === "negative") clusters.keepApart(one, other);
  for (const { one, other, verdict } of among) if (verdict === "positive") clusters.join(one, other);
  const links = yield* linksOf(mentioned);
  for (const { one, other } of links) {
    clusters.join(one, other);
    yield;
  }
  const canonical = new Map<string, string>();
  for (const { id } of mentioned) {
    yield;
    const members = clusters.membersOf(id);
    if (members.length === 1 || canonical.has(id)) continue;
    const [oldest] = members.toSorted(
      (one, other) => order(known.get(one)!.since, known.get(other)!.since) || order(one, other),
    );
    for (const member of members) canonical.set(member, oldest!);
  }
  return canonical;
}
