import { aliasOf, isCountry } from "../../../../core/text/statements/names.ts";
import type { EntityType } from "../statements/vocabulary.ts";
import type { Mention } from "./mentions.ts";
import { typeBy, type Typed } from "./typing.ts";

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

const lastOf = (key: string): string => key.split(" ").at(-1)!;

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

/** The one of these that was named last before a place, else the first after it. */
function nearest(candidates: readonly Group[], at: number): Group | undefined {
  const before = (group: Group) => Math.max(...group.mentions.map(({ start }) => (start < at ? start : -1)));
  return candidates.toSorted(
    (one, other) => before(other) - before(one) || one.mentions[0]!.start - other.mentions[0]!.start,
  )[0];
}

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
function fullNameOf(group: Group, groups: readonly Group[], acronyms: ReadonlyMap<string, string>): string | undefined {
  const { key, typed, mentions } = group;
  if (isCountry(key) || aliasOf(key) !== undefined) return undefined;
  const said = acronyms.get(key);
  if (said) return said;
  const longer = groups.filter((other) => other.key !== key && other.key.length > key.length);
  const isWord = !key.includes(" ");
  if (isPersonLike(typed.type)) {
    const people = longer.filter((other) => other.typed.type === "person" && mayBeOne(key, other.key));
    const one = nearest(people, mentions[0]!.start);
    if (one) return one.key;
    const first = isWord
      ? longer.filter((other) => other.typed.type === "person" && other.key.split(" ")[0] === key)
      : [];
    if (first.length === 1 && typed.type === "person") return first[0]!.key;
  }
  if (isWord && mentions.every(({ text }) => /^\p{Lu}{2,7}$/u.test(text))) {
    const spelt = longer.filter((other) => other.key.includes(" ") && initialsOf(other.key) === key);
    if (spelt.length === 1) return spelt[0]!.key;
  }
  // "Northern Steel Company" is "Northern Steel" later on, and "the Ministry" the one that was named.
  if (typed.type !== "person" && typed.type !== "country" && typed.type !== "place") {
    const begun = longer.filter(
      (other) =>
        other.typed.type !== "person" &&
        !isCountry(other.key) &&
        other.key.startsWith(`${key} `) &&
        lastOf(key) !== "of" &&
        (key.includes(" ") || other.typed.type === "organisation" || other.typed.type === "unit"),
    );
    if (begun.length === 1) return begun[0]!.key;
  }
  return undefined;
}

/** Which mentions of a text are one: equal names, a family name for the full one, an acronym for what it abbreviates. */
export function joinMentions(text: string, mentions: readonly Mention[]): Joined[] {
  const byKey = new Map<string, Mention[]>();
  for (const mention of mentions) {
    const known = byKey.get(mention.key);
    if (known) known.push(mention);
    else byKey.set(mention.key, [mention]);
  }
  const groups: Group[] = [...byKey].map(([key, own]) => ({
    key,
    mentions: own,
    typed: typeBy(own.flatMap(({ signs }) => signs)),
  }));
  const acronyms = explained(text, groups);
  const leads = new Map<string, string>();
  for (const group of groups) {
    const full = fullNameOf(group, groups, acronyms);
    if (full) leads.set(group.key, full);
  }
  const endOf = (key: string): string => {
    let at = key;
    for (let step = 0; step < 4 && leads.has(at); step += 1) at = leads.get(at)!;
    return at;
  };
  const whole = new Map<string, Mention[]>();
  for (const { key, mentions: own } of groups) whole.set(endOf(key), [...(whole.get(endOf(key)) ?? []), ...own]);
  return [...whole].map(([key, own]) => ({
    key,
    mentions: own.toSorted((one, other) => one.start - other.start),
    ...typeBy(own.flatMap(({ signs }) => signs)),
  }));
}
