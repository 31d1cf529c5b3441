import { byText, sorted, type Steps } from "../../../../core/work/turns.ts";
import type { Judged } from "../judged.ts";
import type { GraphNode, GraphView } from "../view.ts";
import { blocked, comparableNode, type Blocked, type Comparable } from "./blocking.ts";
import { frequenciesOf, isWorthWeighing, weighed, type Weighed } from "./weighing.ts";

/** Two entities that may be the same. */
export interface Candidate extends Weighed {
  one: GraphNode;
  other: GraphNode;
  /** Only their names speak for it: a person has to look. */
  nameAlone: boolean;
  /** Others that one of the two fits about as well, while they do not fit each other. */
  ambiguous: GraphNode[];
  /** Somebody looked and could not tell. */
  unsure: boolean;
}

export interface Duplicates extends Pick<Blocked, "dropped" | "truncated"> {
  candidates: Candidate[];
  compared: number;
}

/** Bits within which two candidates are about as good. */
const CLOSE = 4;
/** Candidates that weigh less are not worth looking at, unless their names agree. */
const LEAST_WEIGHT = -8;

const keyOf = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);

/** The verdicts on pairs of entities, by the ids that the view gives them. */
function verdictsIn(view: GraphView, judged: readonly Judged[]): Map<string, Judged["verdict"]> {
  const verdicts = new Map<string, Judged["verdict"]>();
  for (const { one, other, verdict } of judged) {
    const [left, right] = [view.canonicalOf(one), view.canonicalOf(other)];
    if (left === undefined || right === undefined || left === right) continue;
    const key = keyOf(left, right);
    if (verdicts.get(key) !== "negative") verdicts.set(key, verdict);
  }
  return verdicts;
}

/** Fits two that are apart: of a candidate, others that are as near to one of its ends and not among each other. */
function* withAmbiguity(candidates: readonly Candidate[]): Steps<void> {
  const around = new Map<string, Candidate[]>();
  const known = new Set(candidates.map(({ one, other }) => keyOf(one.id, other.id)));
  for (const candidate of candidates)
    for (const { id } of [candidate.one, candidate.other]) {
      const own = around.get(id);
      if (own) own.push(candidate);
      else around.set(id, [candidate]);
    }
  for (const candidate of candidates) {
    const found = new Map<string, GraphNode>();
    for (const [end, far] of [
      [candidate.one, candidate.other],
      [candidate.other, candidate.one],
    ] as const)
      for (const rival of around.get(end.id)!) {
        const third = rival.one.id === end.id ? rival.other : rival.one;
        if (third.id === far.id || known.has(keyOf(third.id, far.id))) continue;
        if (Math.abs(rival.weight - candidate.weight) <= CLOSE) found.set(third.id, third);
      }
    candidate.ambiguous.push(...[...found.values()].slice(0, 5));
    yield;
  }
}

/**
 * Entities of a view that may be the same, the surest first; those judged apart are left out. It goes by the view and
 * the judgements given, and by nothing else.
 */
export function* duplicatesIn(view: GraphView, judged: readonly Judged[]): Steps<Duplicates> {
  const all: Comparable[] = [];
  for (const id of yield* sorted(view.nodes.keys(), byText)) {
    all.push(comparableNode(view.nodes.get(id)!));
    yield;
  }
  const { pairs, dropped, truncated } = yield* blocked(all);
  const frequencies = yield* frequenciesOf(all);
  const verdicts = verdictsIn(view, judged);
  yield;
  const found: Candidate[] = [];
  for (const [left, right] of pairs) {
    yield;
    const [one, other] = [all[left]!, all[right]!];
    if (!isWorthWeighing(one, other)) continue;
    const verdict = verdicts.get(keyOf(one.node.id, other.node.id));
    if (verdict === "negative") continue;
    const weight = weighed(view, one, other, frequencies);
    if (weight.weight < LEAST_WEIGHT && verdict !== "unsure") continue;
    const nameAlone = weight.why.every(({ feature }) => feature === "name");
    found.push({
      ...weight,
      one: one.node,
      other: other.node,
      nameAlone,
      ambiguous: [],
      unsure: verdict === "unsure",
    });
  }
  const candidates = yield* sorted(
    found,
    (a, b) => b.weight - a.weight || (keyOf(a.one.id, a.other.id) < keyOf(b.one.id, b.other.id) ? -1 : 1),
  );
  yield* withAmbiguity(candidates);
  return { candidates, compared: pairs.length, dropped, truncated };
}
