import { compareNames, SAME, type NameComparison } from "../../../../core/text/names/compare.ts";
import { WEIGHTS } from "../../../../core/text/names/parts.ts";
import type { PreparedName } from "../../../../core/text/names/prepared.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { fitting } from "../statements/vocabulary.ts";
import type { GraphNode, GraphView } from "../view.ts";
import type { Comparable } from "./blocking.ts";

export const FEATURES = ["name", "identifier", "neighbours", "sources", "type"] as const;

/** What one thing that two entities have in common, or not, speaks for; in bits (log2 m/u). */
export interface MatchEvidence {
  feature: (typeof FEATURES)[number];
  weight: number;
  because: string;
}

export interface Weighed {
  /** log2 of the odds that they are the same: prior and evidence together. */
  weight: number;
  probability: number;
  /** 0..1, of their names alone. */
  name: number;
  why: MatchEvidence[];
  whyNot: MatchEvidence[];
}

/** How frequent parts of names and neighbours are among the entities that are compared. */
export interface Frequencies {
  entities: number;
  tokens: ReadonlyMap<string, number>;
  prior: number;
}

const MOST_BITS = 14;
const rounded = (value: number): number => Math.round(value * 100) / 100;
const bits = (value: number): string => `${Math.round(value * 100)} %`;

export function* frequenciesOf(all: readonly Comparable[]): Steps<Frequencies> {
  const tokens = new Map<string, number>();
  for (const { names } of all) {
    for (const text of new Set(names.flatMap((name) => name.tokens.map((token) => token.text))))
      tokens.set(text, (tokens.get(text) ?? 0) + 1);
    yield;
  }
  // As many pairs are taken to be the same as there are entities in a hundred, of all that could be.
  return { entities: all.length, tokens, prior: -Math.log2(Math.max(100, 50 * (all.length - 1))) };
}

/** How seldom what two names agree in occurs: a rare name that agrees says more than a frequent one. */
function rarity(name: PreparedName, agreed: ReadonlySet<string>, { entities, tokens }: Frequencies): number {
  let sum = 0;
  for (const { text, weight } of name.tokens)
    if (weight > WEIGHTS.particle && agreed.has(text)) {
      const share = ((tokens.get(text) ?? 1) + 1) / (entities + 20);
      sum += -Math.log2(Math.min(0.9, share)) * Math.min(1, weight);
    }
  return Math.min(MOST_BITS, sum);
}

interface BestNames {
  one: PreparedName;
  other: PreparedName;
  told: NameComparison;
}

type Names = Comparable["names"];
/** Names that were compared once are not compared again, in whatever view they stand. */
const compared = new WeakMap<Names, WeakMap<Names, BestNames>>();

function bestNames({ names: ours }: Comparable, { names: theirs }: Comparable): BestNames {
  let known = compared.get(ours);
  if (!known) compared.set(ours, (known = new WeakMap()));
  let best = known.get(theirs);
  if (!best) known.set(theirs, (best = bestAmong(ours, theirs)));
  return best;
}

function bestAmong(ours: Names, theirs: Names): BestNames {
  let best: BestNames | undefined;
  for (const one of ours)
    for (const other of theirs) {
      const told = compareNames(one, other);
      if (!best || told.score > best.told.score) best = { one, other, told };
      if (told.score === 1) return best;
    }
  return best!;
}

const wordsIn = ({ tokens }: PreparedName): string => tokens.map(({ text }) => text).join(" ");

/** m is .95 for equal names and falls with likeness; u is how seldom the agreeing parts are. */
function byName(best: BestNames, frequencies: Frequencies): MatchEvidence {
  const { one, other, told } = best;
  const { score, pairs, isAcronym } = told;
  const alike = SAME[one.kind];
  if (score < alike)
    return {
      feature: "name",
      weight: Math.max(-12, Math.log2(Math.max(0.01, score / alike) ** 3)) - 2,
      because: told.numbersDiffer
        ? "Numbers in their names differ."
        : `Names are alike by ${bits(score)} only: ` +
          `${[...told.onlyOne, ...told.onlyOther].join(", ") || wordsIn(other)}.`,
    };
  if (isAcronym) return { feature: "name", weight: 5, because: `"${wordsIn(one)}" and "${wordsIn(other)}": initials.` };
  const agreed = new Set(pairs.flatMap((pair) => [pair.one]));
  const seldom = pairs.length ? rarity(one, agreed, frequencies) : MOST_BITS / 2;
  const sureness = (score - alike) / (1 - alike);
  return {
    feature: "name",
    weight: Math.max(0.5, seldom * (0.35 + 0.65 * sureness)),
    because:
      score === 1 ? `The same name, "${wordsIn(one)}".` : `"${wordsIn(one)}" and "${wordsIn(other)}": ${bits(score)}.`,
  };
}

function byIdentifier(one: Comparable, other: Comparable): MatchEvidence[] {
  if (!one.identifiers.size || !other.identifiers.size) return [];
  const shared = [...one.identifiers].filter((id) => other.identifiers.has(id));
  if (shared.length) return [{ feature: "identifier", weight: MOST_BITS, because: `Both have ${shared[0]}.` }];
  const scheme = (id: string): string => id.split(":")[0]!;
  const [ours, theirs] = [[...one.identifiers].map(scheme), [...other.identifiers].map(scheme)];
  return ours.some((kind) => theirs.includes(kind))
    ? [{ feature: "identifier", weight: -6, because: "Identifiers of one kind differ." }]
    : [];
}

const neighboursOf = (view: GraphView, id: string): Set<string> =>
  new Set(view.edgesOf(id).map(({ from, to }) => (from === id ? to : from)));

/** Whom both are joined with; somebody whom nearly all are joined with says next to nothing. */
function byNeighbours(view: GraphView, one: GraphNode, other: GraphNode): MatchEvidence[] {
  const theirs = neighboursOf(view, other.id);
  const evidence: MatchEvidence[] = [];
  const shared = [...neighboursOf(view, one.id)].filter((id) => theirs.has(id));
  if (theirs.has(one.id))
    evidence.push({ feature: "neighbours", weight: -5, because: "A source relates them to each other." });
  if (!shared.length) return evidence;
  const seldom = shared
    .map((id) => ({ id, idf: Math.log2(view.nodes.size / (1 + view.nodes.get(id)!.degree)) }))
    .filter(({ idf }) => idf > 0.5)
    .sort((a, b) => b.idf - a.idf || (a.id < b.id ? -1 : 1));
  const weight = Math.min(8, seldom.slice(0, 5).reduce((sum, { idf }, at) => sum + idf / 2 ** at, 0) / 1.5);
  if (weight > 0)
    evidence.push({
      feature: "neighbours",
      weight,
      because: `Both are joined with ${seldom
        .slice(0, 3)
        .map(({ id }) => view.nodes.get(id)!.name)
        .join(", ")}.`,
    });
  return evidence;
}

/** A source that names both, by different names, takes them for two. */
function bySources(one: GraphNode, other: GraphNode, score: number): MatchEvidence[] {
  const shared = [...one.sources].filter((source) => other.sources.has(source));
  if (!shared.length) return [];
  const weight = score === 1 ? -1 : -3;
  return [{ feature: "sources", weight, because: `${shared.length} of their sources name both, apart.` }];
}

/** Types that rules confuse, as a company and its unit, say less against it than a person and a place. */
function byType({ type: one }: GraphNode, { type: other }: GraphNode): MatchEvidence[] {
  if (one === other) return [];
  return [{ feature: "type", weight: fitting(one, other) ? -1 : -4, because: `${one} and ${other}.` }];
}

/** Whether there is enough to weigh them by: names that may be one, or an identifier that both have. */
export function isWorthWeighing(one: Comparable, other: Comparable): boolean {
  if (rounded(bestNames(one, other).told.score) >= SAME[one.names[0]!.kind]) return true;
  for (const id of one.identifiers) if (other.identifiers.has(id)) return true;
  return false;
}

/** Two entities, by the model of Fellegi and Sunter: weights of evidence are added to the prior odds. */
export function weighed(view: GraphView, one: Comparable, other: Comparable, frequencies: Frequencies): Weighed {
  const best = bestNames(one, other);
  const evidence = [
    byName(best, frequencies),
    ...byIdentifier(one, other),
    ...byNeighbours(view, one.node, other.node),
    ...bySources(one.node, other.node, best.told.score),
    ...byType(one.node, other.node),
  ].map((part) => ({ ...part, weight: rounded(part.weight) }));
  const weight = rounded(evidence.reduce((sum, part) => sum + part.weight, frequencies.prior));
  const strongest = (a: MatchEvidence, b: MatchEvidence) => Math.abs(b.weight) - Math.abs(a.weight);
  return {
    weight,
    probability: Math.round((1 / (1 + 2 ** -weight)) * 1e6) / 1e6,
    name: rounded(best.told.score),
    why: evidence.filter((part) => part.weight > 0).sort(strongest),
    whyNot: evidence.filter((part) => part.weight < 0).sort(strongest),
  };
}
