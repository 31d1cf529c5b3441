import type { Steps } from "../../../../core/work/turns.ts";
import { aliasOf, isCountry } from "../../../../core/text/statements/names.ts";
import type { EntityType } from "../statements/vocabulary.ts";
import type { Mention } from "./mentions.ts";
import { headType } from "./typing/cues.ts";
import { typeBy, type Typed } from "./typing/typing.ts";

/** All mentions of one entity in one text. */
export interface Joined extends Typed {
  key: string;
  mentions: Mention[];
}

const CONNECTORS = new Set(["of", "the", "and", "for", "de", "la", "du", "des", "von", "van"]);
const initialsOf = (key: string): string =>
  key
    .split(" ")
    .filter((word) => !CONNECTORS.has(word))
    .map((word) => word[0] ?? "")
    .join("");
const isPersonLike = (type: EntityType): boolean => type === "person" || type === "other";

interface Group {
  key: string;
  mentions: Mention[];
  typed: Typed;
}

const firstOf = (key: string): string => key.split(" ", 1)[0]!;
const lastOf = (key: string): string => key.slice(key.lastIndexOf(" ") + 1);

/** "Ivan Petrov" and "I. Petrov" may be one; "Ivan Petrov" and "Boris Petrov" are two. */
function mayBeOne(shorter: string, longer: string): boolean {
  const [few, many] = [shorter.split(" "), longer.split(" ")];
  if (few.at(-1) !== many.at(-1)) return false;
  const [first, other] = [few.slice(0, -1), many.slice(0, -1)];
  return first.every((part) =>
    other.some(
      (one) =>
        one === part || (part.length === 1 && one.startsWith(part)) || (one.length === 1 && part.startsWith(one)),
    ),
  );
}

/** Where the last of some mentions in order begins before a place; -1 where none does. */
function lastBefore(mentions: readonly Mention[], at: number): number {
  let [least, most] = [0, mentions.length];
  while (least < most) {
    const middle = (least + most) >> 1;
    if (mentions[middle]!.start < at) least = middle + 1;
    else most = middle;
  }
  return least > 0 ? mentions[least - 1]!.start : -1;
}

/** The one of these that was named last before a place, else the first after it. */
const nearest = (candidates: readonly Group[], at: number): Group | undefined =>
  candidates.toSorted(
    (one, other) =>
      lastBefore(other.mentions, at) - lastBefore(one.mentions, at) ||
      one.mentions[0]!.start - other.mentions[0]!.start,
  )[0];

/** More names than this that share a word tell nothing of which of them is meant. */
const MOST_ALIKE = 200;

/** Groups by what a shorter name may have in common with a longer one. */
class Named {
  readonly #byFirst: Map<string, Group[]>;
  readonly #byLast: Map<string, Group[]>;
  readonly #byInitials: Map<string, Group[]>;

  constructor(groups: readonly Group[]) {
    this.#byFirst = Map.groupBy(groups, ({ key }) => firstOf(key));
    this.#byLast = Map.groupBy(groups, ({ key }) => lastOf(key));
    this.#byInitials = Map.groupBy(
      groups.filter(({ key }) => key.includes(" ")),
      ({ key }) => initialsOf(key),
    );
  }

  /** Longer names that begin with the same word. */
  beginningAs = (key: string): Group[] => longerThan(key, this.#byFirst.get(firstOf(key)));
  /** Longer names that end with the same word. */
  endingAs = (key: string): Group[] => longerThan(key, this.#byLast.get(lastOf(key)));
  /** Longer names of several words that have these initials. */
  spelling = (key: string): Group[] => longerThan(key, this.#byInitials.get(key));
}

const longerThan = (key: string, groups: readonly Group[] = []): Group[] =>
  groups.length > MOST_ALIKE ? [] : groups.filter((other) => other.key.length > key.length);

/** "Central Bank of Northland (CBN)": the text itself says what an acronym stands for. */
function explained(text: string, groups: readonly Group[]): Map<string, string> {
  const found = new Map<string, string>();
  const byKey = new Map(groups.map((group) => [group.key, group]));
  for (const { mentions, key } of groups)
    for (const { end } of mentions) {
      const bracket = /^ \(([\p{Lu}][\p{L}&.-]{1,9})\)/u.exec(text.slice(end, end + 14));
      const acronym = bracket?.[1]?.toLowerCase();
      if (acronym && byKey.has(acronym) && acronym !== key) found.set(acronym, key);
    }
  return found;
}

/** The full name that a shorter one stands for in this text. */
function fullNameOf(group: Group, named: Named, acronyms: ReadonlyMap<string, string>): string | undefined {
  const { key, typed, mentions } = group;
  if (isCountry(key) || aliasOf(key) !== undefined) return undefined;
  const said = acronyms.get(key);
  if (said) return said;
  const isWord = !key.includes(" ");
  if (isPersonLike(typed.type)) {
    const people = named.endingAs(key).filter((other) => other.typed.type === "person" && mayBeOne(key, other.key));
    const one = nearest(people, mentions[0]!.start);
    if (one) return one.key;
    const first = isWord ? named.beginningAs(key).filter((other) => other.typed.type === "person") : [];
    if (first.length === 1 && typed.type === "person") return first[0]!.key;
  }
  if (isWord && mentions.every(({ text }) => /^\p{Lu}{2,7}$/u.test(text))) {
    const spelt = named.spelling(key);
    if (spelt.length === 1) return spelt[0]!.key;
  }
  // "Northern Steel Company" is "Northern Steel" later on, and "the Ministry" the one that was named.
  if (typed.type !== "person" && typed.type !== "country" && typed.type !== "place") {
    const begun = named
      .beginningAs(key)
      .filter(
        (other) =>
          other.typed.type !== "person" &&
          !isCountry(other.key) &&
          other.key.startsWith(`${key} `) &&
          lastOf(key) !== "of" &&
          (key.includes(" ") || other.typed.type === "organisation" || other.typed.type === "unit"),
      );
    if (begun.length === 1) return begun[0]!.key;
  }
  return headOf(group, named);
}

/** "the Union", of the Agrarian Union; "the Brigade". */
function headOf({ key, mentions }: Group, named: Named): string | undefined {
  if (headType(key) === undefined || !mentions.every(({ before }) => /\bthe $/i.test(before))) return undefined;
  const ended = named.endingAs(key).filter((other) => other.typed.type !== "person");
  return nearest(ended, mentions[0]!.start)?.key;
}

const GROUPS_A_STEP = 200;

/**
 * Which mentions of a text, in order, are one: equal names, a family name for the full one, an acronym for what it
 * abbreviates.
 */
export function* joinMentions(text: string, mentions: readonly Mention[]): Steps<Joined[]> {
  const byKey = Map.groupBy(mentions, ({ key }) => key);
  const groups: Group[] = [...byKey].map(([key, own]) => ({
    key,
    mentions: own,
    typed: typeBy(own.flatMap(({ signs }) => signs)),
  }));
  yield;
  const acronyms = explained(text, groups);
  const named = new Named(groups);
  const leads = new Map<string, string>();
  for (const [at, group] of groups.entries()) {
    const full = fullNameOf(group, named, acronyms);
    if (full) leads.set(group.key, full);
    if (at % GROUPS_A_STEP === 0) yield;
  }
  const endOf = (key: string): string => {
    let at = key;
    for (let step = 0; step < 4 && leads.has(at); step += 1) at = leads.get(at)!;
    return at;
  };
  const whole = new Map<string, Mention[]>();
  for (const { key, mentions: own } of groups) {
    const known = whole.get(endOf(key));
    if (!known) whole.set(endOf(key), [...own]);
    else for (const mention of own) known.push(mention);
  }
  yield;
  return [...whole].map(([key, own]) => ({
    key,
    mentions: own.toSorted((one, other) => one.start - other.start),
    ...typeBy(own.flatMap(({ signs }) => signs)),
  }));
}
