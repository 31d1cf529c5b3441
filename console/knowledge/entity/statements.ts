import { kindWords, type EntityWhole, type StatementSeen } from "../vocabulary.ts";

type Related = EntityWhole["relations"][number];

/** All that an entity is to one other. */
export interface EntityPair {
  other: Related["entity"];
  relations: readonly Related[];
  voices: number;
  /** Sources tell both friendly and hostile things of the two. */
  isMixed: boolean;
}

/** Relations by the other end, the best supported first. */
export function pairsOf(relations: readonly Related[]): EntityPair[] {
  const pairs = Map.groupBy(relations, ({ entity }) => entity.id);
  return [...pairs.values()]
    .map((all) => ({
      other: all[0]!.entity,
      relations: all,
      voices: Math.max(...all.map(({ voices }) => voices)),
      isMixed: all.some(({ sign }) => sign > 0) && all.some(({ sign }) => sign < 0),
    }))
    .sort((one, other) => other.voices - one.voices || (one.other.name < other.other.name ? -1 : 1));
}

/** What the statements say of the entity alone: each value once, with all that say so. */
export interface EntityFact {
  predicate: StatementSeen["predicate"];
  value: string;
  said: readonly StatementSeen[];
}

const SAYS: Partial<Record<StatementSeen["predicate"], string>> = {
  name: "Called",
  alias: "Also called",
  type: "Is a",
  description: "Described as",
  role: "Known as",
  identifier: "Identified by",
  occurred: "Happened",
  place: "Where",
};
export const factWords = (predicate: StatementSeen["predicate"]): string => SAYS[predicate] ?? predicate;
const ORDER = Object.keys(SAYS);

export function factsOf(statements: readonly StatementSeen[]): EntityFact[] {
  const facts = Map.groupBy(
    statements.filter(({ object, value }) => object === undefined && value !== undefined),
    ({ predicate, value }) => `${predicate} ${value}`,
  );
  return [...facts.values()]
    .map((said) => ({ predicate: said[0]!.predicate, value: said[0]!.value!, said }))
    .sort(
      (one, other) =>
        ORDER.indexOf(one.predicate) - ORDER.indexOf(other.predicate) || other.said.length - one.said.length,
    );
}

const listed = (words: readonly string[]): string => new Intl.ListFormat("en").format(words);
const differing = (facts: readonly EntityFact[], predicate: EntityFact["predicate"]): string[] => [
  ...new Set(facts.filter((fact) => fact.predicate === predicate).map(({ value }) => value)),
];

/** Where sources do not agree, in sentences. */
export function disagreementsOf(whole: EntityWhole, facts: readonly EntityFact[]): string[] {
  const { name, types, relations } = whole;
  const found: string[] = [];
  if (types.length > 1) {
    const said = types.map(({ type, statements }) => `${kindWords(type).toLowerCase()} (${statements})`);
    found.push(`Sources disagree on what ${name} is: ${listed(said)}.`);
  }
  for (const { other, isMixed } of pairsOf(relations))
    if (isMixed) found.push(`Of ${name} and ${other.name}, sources tell both friendly and hostile things.`);
  const leaders = relations.filter(({ relation, direction }) => relation === "leads" && direction === "in");
  if (leaders.length > 1)
    found.push(`More than one is said to lead ${name}: ${listed(leaders.map(({ entity }) => entity.name))}.`);
  for (const [predicate, words] of [
    ["occurred", "when it happened"],
    ["place", "where it was"],
  ] as const) {
    const values = differing(facts, predicate);
    if (values.length > 1) found.push(`Sources differ on ${words}: ${listed(values)}.`);
  }
  return found;
}
