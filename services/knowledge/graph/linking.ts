import { lazily } from "../../../core/text/lexicon.ts";
import { aliasOf } from "../../../core/text/statements/names.ts";
import type { Steps } from "../../../core/work/turns.ts";
import { knownNames } from "./build/typing/cues.ts";
import type { EntityDraft } from "./drafts.ts";
import { fitting } from "./statements/vocabulary.ts";

/** Two entities that are taken for the same by a rule. */
export interface SameEntity {
  one: string;
  other: string;
}

/** What is known to everybody by its name alone: countries, and what the list of aliases has. */
const isKnownByName = ({ type }: EntityDraft, key: string): boolean => type === "country" || aliasOf(key) !== undefined;

/** A family name or a first name alone tells nobody apart. */
export const tellsApart = ({ type }: EntityDraft, key: string): boolean => type !== "person" || key.includes(" ");

/** A name that few texts have tells that two of them speak of the same matter; one that everybody knows half of it. */
export const FEW_TEXTS = 3;
const EVERYBODYS = 0.5;
const SAME_MATTER = 1;
const everybodys = lazily(() => new Set(knownNames()));
/** With so many others of its name one is compared by what their texts have in common. */
const MOST_COMPARED = 5;

/**
 * How much a name says that so many texts have. It falls where their number doubles and not with each text: what was
 * linked by it is worked out anew only then.
 */
export const rarityOf = (texts: number): number =>
  texts <= FEW_TEXTS ? 1 : FEW_TEXTS / 2 ** Math.floor(Math.log2(texts));

/** Whether names that two texts share tell that they speak of one matter; `own` are of those who are compared. */
export function isSameMatter(
  shared: Iterable<readonly [key: string, texts: number]>,
  own: ReadonlySet<string>,
): boolean {
  let sum = 0;
  for (const [key, texts] of shared)
    if (!own.has(key)) sum += (everybodys().has(key) ? EVERYBODYS : 1) * rarityOf(texts);
  return sum >= SAME_MATTER;
}

/** What links go by beside names. */
export interface Surroundings {
  /** Keys of what one is named together with, and is related to. */
  contextOf(draft: EntityDraft): Iterable<string>;
  isCountry(key: string): boolean;
  isSameMatter(one: EntityDraft, other: EntityDraft): boolean;
}

/** Those with one identifier. */
export const linksByIdentifier = ([first, ...rest]: readonly EntityDraft[]): SameEntity[] =>
  rest.filter(({ type }) => fitting(first!.type, type)).map(({ id }) => ({ one: first!.id, other: id }));

/**
 * Of those with one name, the oldest first, each with the first before it that something else speaks for: something
 * named beside both, or texts on the same matter. Never a name alone, but of what everybody knows by it.
 */
export function* linksByName(key: string, group: readonly EntityDraft[], around: Surroundings): Steps<SameEntity[]> {
  const links: SameEntity[] = [];
  const byContext = new Map<string, EntityDraft[]>();
  const before: EntityDraft[] = [];
  for (const one of group) {
    if (!tellsApart(one, key)) continue;
    const told = new Set<string>();
    if (isKnownByName(one, key)) told.add("");
    for (const shared of around.contextOf(one)) if (shared !== key && !around.isCountry(shared)) told.add(shared);
    const linked = new Set<string>();
    for (const evidence of told) {
      const known = byContext.get(evidence) ?? [];
      const other = known.find(({ type }) => fitting(type, one.type));
      if (other) linked.add(other.id);
      else byContext.set(evidence, [...known, one]);
    }
    const other = before.find((earlier) => fitting(earlier.type, one.type) && around.isSameMatter(earlier, one));
    if (other) linked.add(other.id);
    else if (before.length < MOST_COMPARED) before.push(one);
    for (const id of linked) links.push({ one: id, other: one.id });
    yield;
  }
  return links;
}
