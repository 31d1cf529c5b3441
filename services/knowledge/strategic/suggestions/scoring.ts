import { terms } from "../../../../core/text/words/terms.ts";
import { bearingOf, nearnessTo, towards } from "./meaning.ts";
import { cosine, countsOf, heaviest, MOST_STEMS, rarity, weight, type Rarity, type StemCounts } from "./stems.ts";

export interface ContainerCandidate {
  id: string;
  name: string;
  description?: string | undefined;
}
/** A document that people placed. */
export interface Example {
  documentId: string;
  containerIds: readonly string[];
  words: StemCounts;
}
/** A document that people kept out of a container: by refusing it, or by placing it otherwise after the suggestion. */
export interface KeptOutDocument {
  documentId: string;
  containerId: string;
  words: StemCounts;
  /** Refused explicitly: it is not suggested for this document again. */
  isSaid: boolean;
}

export const SUGGESTION_KINDS = ["past-placements", "words", "likeness", "meaning", "refusals", "model"] as const;
export interface Contribution {
  kind: (typeof SUGGESTION_KINDS)[number];
  /** Its part of the score; negative where it speaks against the container. */
  points: number;
  reason: string;
  /** The stems it rests on, the most important first. */
  stems: readonly string[];
  /** The documents it rests on. */
  documentIds: readonly string[];
}
export interface Suggestion {
  containerId: string;
  /** 0..100 */
  score: number;
  contributions: readonly Contribution[];
}

/** The most points of each kind; a kind without evidence adds none. */
const MOST = { "past-placements": 45, words: 40, likeness: 28, meaning: 60, refusals: 40 } as const;
/** A lower score is no suggestion. */
export const LEAST = 12;
/** A refused document counts as much against a container as this many that were placed elsewhere. */
const REFUSED_WEIGHT = 3;
const SMOOTHING = 0.4;
/** Mean log-odds per word at which past placements give all their points. */
const CLEAR_ODDS = 1;
const DESCRIBED = 0.7;
/** Distinct stems shared with a container's words that give all points. */
const ENOUGH_STEMS = 3;

/** Stems of several texts added up, for naive Bayes. */
class Model {
  readonly counts = new Map<string, number>();
  total = 0;
  documents = 0;
  constructor(texts: readonly { words: StemCounts }[], times = 1) {
    for (const { words } of texts) {
      this.documents += 1;
      for (const [one, count] of words) {
        const by = weight(count) * times;
        this.counts.set(one, (this.counts.get(one) ?? 0) + by);
        this.total += by;
      }
    }
  }
  of(one: string): number {
    return this.counts.get(one) ?? 0;
  }
}

interface Known {
  /** By container. */
  examples: ReadonlyMap<string, readonly Example[]>;
  refusals: ReadonlyMap<string, readonly KeptOutDocument[]>;
  /** Everything placed anywhere. */
  placed: Model;
  rarity: Rarity;
  vocabulary: number;
  /** The words of each container's name and description. */
  described: ReadonlyMap<string, StemCounts>;
  /** Where a text points; each is read once. */
  bearing: (words: StemCounts) => Float32Array;
}

const share = (value: number): number => Math.max(0, Math.min(1, value));
const rounded = (points: number): number => Math.round(points * 10) / 10;

/** Multinomial naive Bayes: the container against everything else that was placed, and what was kept out of it. */
function byPlacements(words: StemCounts, { id }: ContainerCandidate, known: Known): Contribution | null {
  const { placed, vocabulary } = known;
  const examples = known.examples.get(id) ?? [];
  const [inside, refused] = [new Model(examples), new Model(known.refusals.get(id) ?? [], REFUSED_WEIGHT)];
  if (!inside.documents || placed.documents - inside.documents + refused.documents <= 0) return null;
  const log = (count: number, total: number): number =>
    Math.log((count + SMOOTHING) / (total + SMOOTHING * vocabulary));
  const outside = placed.total - inside.total + refused.total;
  const odds = new Map<string, number>();
  let [all, sum] = [0, 0];
  for (const [one, count] of words) {
    all += weight(count);
    const [within, without] = [inside.of(one), Math.max(0, placed.of(one) - inside.of(one)) + refused.of(one)];
    // A stem unknown to both says nothing.
    if (!within && !without) continue;
    const by = (log(within, inside.total) - log(without, outside)) * weight(count);
    odds.set(one, by);
    sum += by;
  }
  const points = rounded(MOST["past-placements"] * share(sum / Math.max(1, all) / CLEAR_ODDS));
  if (points <= 0) return null;
  const stems = heaviest(odds);
  return {
    kind: "past-placements",
    points,
    reason: `Documents with these words were placed here: ${inside.documents} so far.`,
    stems,
    documentIds: examples
      .filter(({ words: theirs }) => stems.some((one) => theirs.has(one)))
      .slice(0, MOST_STEMS)
      .map(({ documentId }) => documentId),
  };
}

/** The words of the container's own name and description. */
function byWords(words: StemCounts, { name, description = "" }: ContainerCandidate, known: Known): Contribution | null {
  const named = new Set(terms(name));
  const described = new Set(terms(description));
  const found = new Map<string, number>();
  for (const one of new Set([...named, ...described])) {
    const count = words.get(one);
    if (count) found.set(one, known.rarity(one) * (named.has(one) ? 1 : DESCRIBED) * Math.min(2, weight(count)));
  }
  const own = [...named].map((one) => known.rarity(one)).sort((a, b) => b - a);
  const enough = own.slice(0, ENOUGH_STEMS).reduce((sum, one) => sum + one, 0) || 1;
  const points = rounded(MOST.words * share([...found.values()].reduce((sum, one) => sum + one, 0) / (enough * 1.4)));
  if (points <= 0) return null;
  const stems = heaviest(found);
  const of = [
    ...(stems.some((one) => named.has(one)) ? ["name"] : []),
    ...(stems.some((one) => !named.has(one)) ? ["description"] : []),
  ];
  return {
    kind: "words",
    points,
    reason: `The document has words of its ${of.join(" and ")}.`,
    stems,
    documentIds: [],
  };
}

interface Near {
  documentId: string;
  value: number;
  shared: Map<string, number>;
}
const nearest = (
  words: StemCounts,
  others: readonly { documentId: string; words: StemCounts }[],
  rare: Rarity,
): Near[] =>
  others
    .map(({ documentId, words: theirs }) => ({ documentId, ...cosine(words, theirs, rare) }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value);

/** Similarity of two documents that gives all points. */
const ALIKE = 0.35;

function byLikeness(
  words: StemCounts,
  { id }: ContainerCandidate,
  { examples, rarity: rare }: Known,
): Contribution | null {
  const near = nearest(words, examples.get(id) ?? [], rare).slice(0, 2);
  const [first, second = first] = near;
  if (!first) return null;
  const points = rounded(MOST.likeness * share((0.7 * first.value + 0.3 * second!.value) / ALIKE));
  if (points <= 0) return null;
  const documentIds = near.map(({ documentId }) => documentId);
  return {
    kind: "likeness",
    points,
    reason: "It is like documents that lie here.",
    stems: heaviest(first.shared),
    documentIds,
  };
}

/**
 * Nearness in meaning from which on it counts, and that which gives all points: to a name and a description alone, a line
 * of text, nothing is as near as to papers that lie there.
 */
const NEAR = { described: { from: 0.27, whole: 0.6 }, placed: { from: 0.4, whole: 0.8 } };

/** By the meanings of words: what a container is called and holds, in other words than the document's. */
function byMeaning(words: StemCounts, { id }: ContainerCandidate, known: Known): Contribution | null {
  const { described, examples, rarity: rare, bearing } = known;
  const others = [described.get(id)!, ...(examples.get(id) ?? []).map((one) => one.words)].map(bearing);
  const near = nearnessTo(bearing(words), others);
  const { from, whole } = others.length > 1 ? NEAR.placed : NEAR.described;
  const points = rounded(MOST.meaning * share((near - from) / (whole - from)));
  if (points <= 0) return null;
  const stems = new Map([...words.keys()].map((stem) => [stem, towards(stem, others) * rare(stem)] as const));
  return {
    kind: "meaning",
    points,
    reason: "What it speaks of is near to what this container is for.",
    stems: heaviest(stems),
    documentIds: [],
  };
}

/** Similar documents that were kept out of the container. */
function byRefusals(
  words: StemCounts,
  { id }: ContainerCandidate,
  { refusals, rarity: rare }: Known,
): Contribution | null {
  const [first] = nearest(words, refusals.get(id) ?? [], rare);
  const points = first && rounded(-MOST.refusals * share(first.value / ALIKE));
  if (!points) return null;
  const reason = "Documents like it were kept out of this one.";
  return { kind: "refusals", points, reason, stems: heaviest(first.shared), documentIds: [first.documentId] };
}

/** One shared word may be chance, unless it is the container's own. */
const isHeld = ({ contributions }: Suggestion): boolean => {
  const speaking = contributions.filter(({ points }) => points > 0);
  return speaking.some(({ kind }) => kind === "words") || new Set(speaking.flatMap(({ stems }) => stems)).size > 1;
};

function byContainer<T>(rows: readonly (readonly [id: string, T])[]): Map<string, T[]> {
  const grouped = new Map<string, T[]>();
  for (const [id, one] of rows) grouped.set(id, [...(grouped.get(id) ?? []), one]);
  return grouped;
}

const JUDGES = [byPlacements, byWords, byLikeness, byMeaning, byRefusals];

/**
 * The containers in which a document may belong, the best first, each with the evidence for and against. A container
 * refused for this document is not suggested again.
 */
export function suggest(
  document: { id: string; words: StemCounts },
  candidates: readonly ContainerCandidate[],
  examples: readonly Example[],
  refusals: readonly KeptOutDocument[],
): Suggestion[] {
  const others = examples.filter(({ documentId }) => documentId !== document.id);
  const described = new Map(
    candidates.map(({ id, name, description = "" }) => [id, countsOf(`${name} ${name} ${description}`)] as const),
  );
  const texts = [...others.map(({ words }) => words), ...described.values(), document.words];
  const kept = refusals.filter(({ documentId }) => documentId !== document.id);
  const rare = rarity(texts);
  const bearings = new Map<StemCounts, Float32Array>();
  const bearing = (words: StemCounts): Float32Array => {
    const found = bearings.get(words) ?? bearingOf(words, rare);
    bearings.set(words, found);
    return found;
  };
  const known: Known = {
    examples: byContainer(others.flatMap((one) => one.containerIds.map((id) => [id, one] as const))),
    refusals: byContainer(kept.map((one) => [one.containerId, one] as const)),
    placed: new Model(others),
    rarity: rare,
    vocabulary: new Set(texts.flatMap((text) => [...text.keys()])).size,
    described,
    bearing,
  };
  const isRefused = (id: string): boolean =>
    refusals.some((one) => one.isSaid && one.documentId === document.id && one.containerId === id);
  return candidates
    .filter(({ id }) => !isRefused(id))
    .map((candidate): Suggestion => {
      const contributions = JUDGES.flatMap((judge) => judge(document.words, candidate, known) ?? []);
      const points = contributions.reduce((sum, one) => sum + one.points, 0);
      return { containerId: candidate.id, score: Math.round(Math.max(0, Math.min(100, points))), contributions };
    })
    .filter((one) => one.score >= LEAST && isHeld(one))
    .sort((one, other) => other.score - one.score || (one.containerId < other.containerId ? -1 : 1));
}
