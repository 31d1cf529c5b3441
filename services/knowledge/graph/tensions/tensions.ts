import { isActor, type GraphNode, type GraphView } from "../view.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { RELATIONS, isRelation, type Relation } from "../statements/vocabulary.ts";

const DAY_MS = 86_400_000;
export const HALF_LIFE_DAYS = 30;
export const MOST_EVIDENCE = 10;
/** Within so much of a mean, two windows are alike. */
const STEADY = 0.1;

/** What one voice said of two actors by one relation, as far as it counts. */
export interface Saying {
  statementId: string;
  relation: Relation;
  sign: number;
  at: string;
  voice: string;
  /** How much it counts: what is left of its confidence by its age. */
  weight: number;
}

export type TensionTrend = "rising" | "falling" | "steady" | "new" | "past";

export interface Tension {
  actors: readonly [GraphNode, GraphNode];
  /** Decayed mean of signs, -1 hostile … 1 friendly. */
  balance: number;
  /** 0..100: how far the balance is below nothing, as far as independent stories bear it out. */
  tension: number;
  /** Independent stories that tell of it, by how much is left of them. */
  weight: number;
  stories: number;
  trend: { direction: TensionTrend; recent: number | null; before: number | null };
  sayings: readonly Saying[];
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** One voice is one story, however many statements it makes: its sign is their mean by weight. */
function meanOf(sayings: readonly Saying[]): { mean: number; weight: number; stories: number } | null {
  const voices = new Map<string, { signed: number; total: number; most: number }>();
  for (const { voice, sign, weight } of sayings) {
    const known = voices.get(voice) ?? { signed: 0, total: 0, most: 0 };
    known.signed += sign * weight;
    known.total += weight;
    known.most = Math.max(known.most, weight);
    voices.set(voice, known);
  }
  let [signed, weight] = [0, 0];
  for (const { signed: sum, total, most } of voices.values()) {
    if (!total) continue;
    signed += (sum / total) * most;
    weight += most;
  }
  return weight > 0 ? { mean: signed / weight, weight, stories: voices.size } : null;
}

function trendOf(sayings: readonly Saying[], now: number, windowDays: number): Tension["trend"] {
  const within = (from: number, to: number) =>
    meanOf(
      sayings.filter(({ at }) => {
        const age = (now - Date.parse(at)) / (windowDays * DAY_MS);
        return age >= from && age < to;
      }),
    )?.mean;
  // What is dated ahead counts as of now.
  const [recent, before] = [within(-Infinity, 1), within(1, 2)];
  const change = recent !== undefined && before !== undefined ? before - recent : 0;
  const moved: TensionTrend = Math.abs(change) <= STEADY ? "steady" : change > 0 ? "rising" : "falling";
  const direction = recent === undefined ? "past" : before === undefined ? "new" : moved;
  const told = (value: number | undefined) => (value === undefined ? null : rounded(value));
  return { direction, recent: told(recent), before: told(before) };
}

/**
 * Friction among the actors of a view: pairs of which a source tells something hostile, the tensest first. It goes by
 * the statements of the view and by nothing else.
 */
export function* tensionsIn(
  view: GraphView,
  { now, windowDays }: { now: number; windowDays: number },
): Steps<Tension[]> {
  const pairs = new Map<string, { actors: [GraphNode, GraphNode]; sayings: Saying[] }>();
  for (const edge of view.edges) {
    yield;
    if (edge.sign === 0) continue;
    const ends = [view.nodes.get(edge.from)!, view.nodes.get(edge.to)!].sort((a, b) => order(a.id, b.id));
    if (!ends.every(isActor)) continue;
    const key = ends.map(({ id }) => id).join(" ");
    const known = pairs.get(key) ?? { actors: ends as [GraphNode, GraphNode], sayings: [] };
    pairs.set(key, known);
    for (const { id, predicate, observedAt, voice, confidence } of edge.rows) {
      const ageDays = Math.max(0, (now - Date.parse(observedAt)) / DAY_MS);
      known.sayings.push({
        ...{ statementId: id, relation: predicate as Relation, at: observedAt, voice },
        sign: isRelation(predicate) ? RELATIONS[predicate].sign : 0,
        weight: confidence * 2 ** (-ageDays / HALF_LIFE_DAYS),
      });
    }
  }
  const found: Tension[] = [];
  for (const { actors, sayings } of pairs.values()) {
    yield;
    const told = meanOf(sayings);
    if (!told || !sayings.some(({ sign }) => sign < 0)) continue;
    const { mean, weight, stories } = told;
    found.push({
      actors,
      balance: rounded(mean),
      tension: Math.round(100 * Math.max(0, -mean) * (1 - 2 ** -weight)),
      weight: rounded(weight),
      stories,
      trend: trendOf(sayings, now, windowDays),
      sayings: sayings.toSorted((a, b) => b.weight - a.weight || order(a.statementId, b.statementId)),
    });
  }
  yield;
  return found.sort(
    (a, b) =>
      b.tension - a.tension ||
      b.weight - a.weight ||
      order(a.actors[0].id, b.actors[0].id) ||
      order(a.actors[1].id, b.actors[1].id),
  );
}
