import type { Steps } from "../../../../core/work/turns.ts";
import type { Judged } from "../judged.ts";
import type { Links, PlacedLink } from "./links.ts";
import { ShardedMap } from "./sharded.ts";

/** Who is one with whom among those who hang together; what was judged apart is never joined. */
class Joined {
  readonly #roots = new Map<string, string[]>();
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

  membersOf(id: string): string[] {
    return this.#roots.get(id) ?? [id];
  }

  join(one: string, other: string): void {
    const [few, many] = [this.membersOf(one), this.membersOf(other)].sort((a, b) => a.length - b.length);
    if (few === many) return;
    const others = new Set(many);
    if (few!.some((id) => [...(this.#apart.get(id) ?? [])].some((apart) => others.has(apart)))) return;
    const all = [...many!, ...few!];
    for (const id of all) this.#roots.set(id, all);
  }
}

const byPlace = (one: PlacedLink, other: PlacedLink): number =>
  one.group < other.group ? -1 : one.group > other.group ? 1 : one.at - other.at;

/** Clusters of a view: whom judgements and links make one, kept up by what changes. */
export class Clusters {
  readonly #links: Links;
  /** Of those who hang together by links and judgements, all; though some may be kept apart. */
  readonly #together = new Map<string, readonly string[]>();
  readonly canonical = new ShardedMap<string>();
  readonly #members = new Map<string, readonly string[]>();
  #judged: readonly Judged[] = [];
  #judgedOf = new Map<string, number[]>();

  constructor(links: Links) {
    this.#links = links;
  }

  /** All that one is known as, the oldest first. */
  membersOf(canonical: string): readonly string[] {
    return this.#members.get(canonical) ?? [canonical];
  }

  /** Takes judgements, the oldest first; whom those that are new or gone are about. */
  *judge(judged: readonly Judged[]): Steps<Set<string>> {
    const affected = new Set<string>();
    const keyOf = ({ one, other, verdict, at }: Judged) => `${one} ${other} ${verdict} ${at}`;
    const before = new Map(this.#judged.map((one) => [keyOf(one), one]));
    for (const one of judged) if (!before.delete(keyOf(one))) affected.add(one.one).add(one.other);
    for (const { one, other } of before.values()) affected.add(one).add(other);
    yield;
    this.#judged = judged;
    this.#judgedOf = new Map();
    for (const [at, { one, other }] of judged.entries()) {
      for (const id of [one, other]) {
        const known = this.#judgedOf.get(id);
        if (known) known.push(at);
        else this.#judgedOf.set(id, [at]);
      }
      if (at % 64 === 0) yield;
    }
    return affected;
  }

  /** Works out anew who is one with whom around these; what each is now, and was before, where it is another. */
  *regroup(affected: ReadonlySet<string>): Steps<Map<string, string | undefined>> {
    const was = new Map<string, string | undefined>();
    const seeds = new Set<string>();
    for (const id of affected) {
      seeds.add(id);
      for (const other of this.#together.get(id) ?? []) seeds.add(other);
      yield;
    }
    const seen = new Set<string>();
    for (const seed of seeds) {
      if (seen.has(seed)) continue;
      if (!this.#links.drafts.has(seed)) {
        seen.add(seed);
        this.#settle([seed], undefined, was);
        this.#together.delete(seed);
        continue;
      }
      const component = yield* this.#reached(seed, seen);
      for (const id of component)
        if (component.length > 1) this.#together.set(id, component);
        else this.#together.delete(id);
      for (const cluster of yield* this.#clustersIn(component)) this.#settle(cluster, this.#oldestOf(cluster), was);
    }
    return was;
  }

  *#reached(seed: string, seen: Set<string>): Steps<string[]> {
    const component = [seed];
    seen.add(seed);
    const visit = (id: string): void => {
      if (seen.has(id) || !this.#links.drafts.has(id)) return;
      seen.add(id);
      component.push(id);
    };
    for (const id of component) {
      for (const { one, other } of this.#links.around(id)) {
        visit(one);
        visit(other);
      }
      for (const { one, other, verdict } of this.#judgementsOf(id))
        if (verdict === "positive" && this.#links.drafts.has(one) && this.#links.drafts.has(other)) {
          visit(one);
          visit(other);
        }
      yield;
    }
    return component;
  }

  *#judgementsOf(id: string): Generator<Judged> {
    for (const at of this.#judgedOf.get(id) ?? []) yield this.#judged[at]!;
  }

  /** People's judgements come first, links by rules afterwards, as far as no negative judgement stands between. */
  *#clustersIn(component: readonly string[]): Steps<(readonly string[])[]> {
    if (component.length === 1) return [component];
    const inside = new Set(component);
    const places = new Set(component.flatMap((id) => this.#judgedOf.get(id) ?? []));
    const judged = [...places]
      .sort((one, other) => one - other)
      .map((at) => this.#judged[at]!)
      .filter(({ one, other }) => inside.has(one) && inside.has(other));
    if (!judged.some(({ verdict }) => verdict === "negative")) return [component];
    const joined = new Joined();
    for (const { one, other, verdict } of judged) if (verdict === "negative") joined.keepApart(one, other);
    for (const { one, other, verdict } of judged) if (verdict === "positive") joined.join(one, other);
    yield;
    const links = new Set(component.flatMap((id) => this.#links.around(id)));
    for (const { one, other } of [...links].sort(byPlace)) {
      joined.join(one, other);
      yield;
    }
    return [...new Map(component.map((id) => [joined.membersOf(id)[0]!, joined.membersOf(id)])).values()];
  }

  readonly #byAge = (one: string, other: string): number => {
    const [left, right] = [this.#links.drafts.get(one)!.since, this.#links.drafts.get(other)!.since];
    return left < right || (left === right && one < other) ? -1 : 1;
  };

  #oldestOf(cluster: readonly string[]): string {
    return cluster.reduce((oldest, id) => (this.#byAge(id, oldest) < 0 ? id : oldest));
  }

  #settle(cluster: readonly string[], canonical: string | undefined, was: Map<string, string | undefined>): void {
    for (const id of cluster) {
      const before = this.canonical.get(id);
      if (before !== canonical) was.set(id, before);
      if (canonical === undefined) this.canonical.delete(id);
      else this.canonical.set(id, canonical);
      this.#members.delete(id);
    }
    if (canonical !== undefined && cluster.length > 1) this.#members.set(canonical, cluster.toSorted(this.#byAge));
  }
}
