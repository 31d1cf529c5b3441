import type { Steps } from "../../../../core/work/turns.ts";
import type { EntityDraft } from "../drafts.ts";
import {
  FEW_TEXTS,
  isSameMatter,
  linksByIdentifier,
  linksByName,
  rarityOf,
  tellsApart,
  type SameEntity,
  type Surroundings,
} from "../linking.ts";
import { Multimap } from "./multimap.ts";

/** A link, and the place that it has among all of them. */
export interface PlacedLink extends SameEntity {
  group: string;
  at: number;
}

const nameGroup = (key: string): string => `name ${key}`;
const identifierGroup = (id: string): string => `identifier ${id}`;
const byAge = (one: EntityDraft, other: EntityDraft): number =>
  one.since < other.since || (one.since === other.since && one.id < other.id) ? -1 : 1;

function* intersection(few: Iterable<string>, many: ReadonlySet<string>): Generator<string> {
  for (const one of few) if (many.has(one)) yield one;
}

/** What one change of drafts makes old: groups that are linked anew, and what they are linked by. */
class Worklist {
  readonly groups = new Set<string>();
  readonly keys = new Set<string>();
  readonly passages = new Set<string>();
  readonly sources = new Set<string>();
  /** Whose context may be another. */
  readonly drafts = new Set<string>();
  /** Keys of countries that came or went, and whether each was one before. */
  readonly countries = new Map<string, boolean>();

  touch(draft: EntityDraft): void {
    for (const key of draft.keys) {
      this.keys.add(key);
      this.groups.add(nameGroup(key));
    }
    for (const id of draft.identifiers) this.groups.add(identifierGroup(id));
    for (const passage of draft.passages) this.passages.add(passage);
    this.sources.add(draft.source);
  }
}

/** The drafts of a view and the links between them, kept up by what changes. */
export class Links {
  readonly drafts = new Map<string, EntityDraft>();
  readonly #relatedTo: (id: string) => Iterable<string>;
  readonly #groups = new Multimap();
  readonly #passages = new Multimap();
  readonly #sources = new Multimap();
  readonly #countries = new Map<string, number>();
  /** How many texts have a name, of those that more than a few have. */
  readonly #texts = new Map<string, number>();
  readonly #links = new Map<string, readonly PlacedLink[]>();
  readonly #around = new Map<string, readonly PlacedLink[]>();

  /** `relatedTo`: the other ends of an entity's relations. */
  constructor(relatedTo: (id: string) => Iterable<string>) {
    this.#relatedTo = relatedTo;
  }

  around(id: string): readonly PlacedLink[] {
    return this.#around.get(id) ?? [];
  }

  /** Takes drafts as they are now (undefined: gone), with `tied` whose relations changed; whose links are others. */
  *take(changed: ReadonlyMap<string, EntityDraft | undefined>, tied: Iterable<string>): Steps<Set<string>> {
    const work = new Worklist();
    for (const [id, now] of changed) {
      const before = this.drafts.get(id);
      if (before) this.#leave(before, work);
      if (now) this.#enter(now, work);
      for (const other of this.#relatedTo(id)) work.drafts.add(other);
      yield;
    }
    for (const id of tied) {
      work.drafts.add(id);
      yield;
    }
    yield* this.#spread(work);
    return yield* this.#relink(work);
  }

  #enter(draft: EntityDraft, work: Worklist): void {
    this.drafts.set(draft.id, draft);
    work.touch(draft);
    for (const key of draft.keys) this.#groups.add(nameGroup(key), draft.id);
    for (const id of draft.identifiers) this.#groups.add(identifierGroup(id), draft.id);
    for (const passage of draft.passages) this.#passages.add(passage, draft.id);
    this.#sources.add(draft.source, draft.id);
    if (draft.type === "country") this.#count(draft.keys, 1, work);
  }

  #leave(draft: EntityDraft, work: Worklist): void {
    this.drafts.delete(draft.id);
    work.touch(draft);
    for (const key of draft.keys) this.#groups.delete(nameGroup(key), draft.id);
    for (const id of draft.identifiers) this.#groups.delete(identifierGroup(id), draft.id);
    for (const passage of draft.passages) this.#passages.delete(passage, draft.id);
    this.#sources.delete(draft.source, draft.id);
    if (draft.type === "country") this.#count(draft.keys, -1, work);
  }

  #count(keys: readonly string[], by: 1 | -1, work: Worklist): void {
    for (const key of keys) {
      const before = this.#countries.get(key) ?? 0;
      if (!work.countries.has(key)) work.countries.set(key, before > 0);
      if (before + by > 0) this.#countries.set(key, before + by);
      else this.#countries.delete(key);
    }
  }

  *#group(name: string): Generator<EntityDraft> {
    for (const id of this.#groups.of(name)) yield this.drafts.get(id)!;
  }

  #textsOf(key: string): number {
    const texts = new Set<string>();
    if (!this.#countries.has(key))
      for (const draft of this.#group(nameGroup(key))) if (tellsApart(draft, key)) texts.add(draft.source);
    return texts.size;
  }

  /** What else is linked anew: who stands beside, whose texts have other names now, or the same at another weight. */
  *#spread(work: Worklist): Steps<void> {
    for (const passage of work.passages) {
      for (const id of this.#passages.of(passage)) work.drafts.add(id);
      yield;
    }
    for (const [key, was] of work.countries)
      if (was !== this.#countries.has(key)) {
        for (const draft of this.#group(nameGroup(key))) {
          work.sources.add(draft.source);
          for (const id of this.#relatedTo(draft.id)) work.drafts.add(id);
          for (const passage of draft.passages) for (const id of this.#passages.of(passage)) work.drafts.add(id);
        }
        yield;
      }
    for (const key of work.keys) {
      const texts = this.#textsOf(key);
      if (rarityOf(texts) !== rarityOf(this.#texts.get(key) ?? 0))
        for (const { source } of this.#group(nameGroup(key))) work.sources.add(source);
      if (texts > FEW_TEXTS) this.#texts.set(key, texts);
      else this.#texts.delete(key);
      yield;
    }
    for (const source of work.sources) {
      for (const id of this.#sources.of(source)) work.drafts.add(id);
      yield;
    }
    for (const id of work.drafts) {
      for (const key of this.drafts.get(id)?.keys ?? []) work.groups.add(nameGroup(key));
      yield;
    }
  }

  *#relink(work: Worklist): Steps<Set<string>> {
    const surroundings = this.#surroundings();
    const affected = new Set<string>();
    for (const name of work.groups) {
      const group = [...this.#group(name)].sort(byAge);
      const found = name.startsWith("name ")
        ? group.length > 1
          ? yield* linksByName(name.slice("name ".length), group, surroundings)
          : []
        : linksByIdentifier(group);
      this.#replace(
        name,
        found.map((link, at) => ({ ...link, group: name, at })),
        affected,
      );
      yield;
    }
    return affected;
  }

  #replace(name: string, now: readonly PlacedLink[], affected: Set<string>): void {
    const before = this.#links.get(name) ?? [];
    const isSame = ({ one, other }: PlacedLink, at: number) => before[at]?.one === one && before[at]?.other === other;
    if (before.length === now.length && now.every(isSame)) return;
    const ends = new Set([...before, ...now].flatMap(({ one, other }) => [one, other]));
    const added = new Map<string, PlacedLink[]>();
    for (const link of now)
      for (const end of [link.one, link.other]) {
        const known = added.get(end);
        if (known) known.push(link);
        else added.set(end, [link]);
      }
    for (const end of ends) {
      const kept = (this.#around.get(end) ?? []).filter(({ group }) => group !== name);
      const all = [...kept, ...(added.get(end) ?? [])];
      if (all.length) this.#around.set(end, all);
      else this.#around.delete(end);
      affected.add(end);
    }
    if (now.length) this.#links.set(name, now);
    else this.#links.delete(name);
  }

  /** What is read again and again while links are made is worked out once. */
  #surroundings(): Surroundings {
    const contexts = new Map<string, ReadonlySet<string>>();
    const names = new Map<string, ReadonlySet<string>>();
    const shared = new Map<string, readonly (readonly [string, number])[]>();
    const namesOf = (source: string): ReadonlySet<string> => {
      let known = names.get(source);
      if (!known) names.set(source, (known = new Set(this.#namesIn(source))));
      return known;
    };
    const sharedBy = (one: string, other: string): readonly (readonly [string, number])[] => {
      const pair = one < other ? `${one}\n${other}` : `${other}\n${one}`;
      let known = shared.get(pair);
      if (!known) {
        const [few, many] = [namesOf(one), namesOf(other)].sort((a, b) => a.size - b.size);
        known = [...intersection(few!, many!)].map((key) => [key, this.#texts.get(key) ?? 1] as const);
        shared.set(pair, known);
      }
      return known;
    };
    return {
      isCountry: (key) => this.#countries.has(key),
      contextOf: ({ id }) => {
        let known = contexts.get(id);
        if (!known) contexts.set(id, (known = this.#contextOf(id)));
        return known;
      },
      isSameMatter: (one, other) => isSameMatter(sharedBy(one.source, other.source), new Set(other.keys)),
    };
  }

  /** What a text names, countries apart. */
  *#namesIn(source: string): Generator<string> {
    for (const id of this.#sources.of(source)) {
      const draft = this.drafts.get(id)!;
      for (const key of draft.keys) if (!this.#countries.has(key) && tellsApart(draft, key)) yield key;
    }
  }

  #contextOf(id: string): ReadonlySet<string> {
    const context = new Set<string>();
    const add = (other: string): void => {
      if (other !== id) for (const key of this.drafts.get(other)?.keys ?? []) context.add(key);
    };
    for (const passage of this.drafts.get(id)!.passages) for (const other of this.#passages.of(passage)) add(other);
    for (const other of this.#relatedTo(id)) add(other);
    return context;
  }
}
