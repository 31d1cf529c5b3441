import {
  isMutual,
  relationWords,
  toneOf,
  type EntitySeen,
  type RelationSeen,
  type RelationTone,
} from "../vocabulary.ts";

/** More are not drawn at once: the rest is told in words. */
export const MOST_DRAWN = 150;

export interface GraphPart {
  nodes: readonly EntitySeen[];
  edges: readonly RelationSeen[];
  /** Entities that are there and not drawn. */
  left: number;
}

/** Neighbours of each entity. */
export function neighbours(edges: readonly Pick<RelationSeen, "from" | "to">[]): Map<string, Set<string>> {
  const around = new Map<string, Set<string>>();
  const add = (one: string, other: string): void => {
    const known = around.get(one);
    if (known) known.add(other);
    else around.set(one, new Set([other]));
  };
  for (const { from, to } of edges) {
    add(from, to);
    add(to, from);
  }
  return around;
}

/** The part that is drawn: the centre first, then ring by ring, in each the best connected first. */
export function chosenAround(
  { nodes, edges, total }: { nodes: readonly EntitySeen[]; edges: readonly RelationSeen[]; total: { nodes: number } },
  centre?: string,
  most = MOST_DRAWN,
): GraphPart {
  const around = neighbours(edges);
  const rings = new Map<string, number>(centre === undefined ? [] : [[centre, 0]]);
  let rim = [...rings.keys()];
  for (let ring = 1; rim.length; ring += 1) {
    rim = rim.flatMap((id) => [...(around.get(id) ?? [])]).filter((id) => !rings.has(id) && rings.set(id, ring));
  }
  const chosen = nodes
    .toSorted(
      (one, other) =>
        (rings.get(one.id) ?? Infinity) - (rings.get(other.id) ?? Infinity) ||
        other.degree - one.degree ||
        (one.id < other.id ? -1 : 1),
    )
    .slice(0, most);
  const ids = new Set(chosen.map(({ id }) => id));
  return {
    nodes: chosen,
    edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)),
    left: Math.max(0, total.nodes - chosen.length),
  };
}

/** All that two entities are to one another, as one line of the picture. */
export interface GraphLine {
  id: string;
  from: string;
  to: string;
  words: string;
  tone: RelationTone;
  /** Sources tell both friendly and hostile things of the two. */
  isMixed: boolean;
  voices: number;
  /** An arrow at `to`: all of it goes that way. */
  isDirected: boolean;
}

const MOST_WORDS = 2;

function lineOf(all: readonly RelationSeen[]): GraphLine {
  const { from, to } = all[0]!;
  const sum = all.reduce((signed, { sign }) => signed + sign, 0);
  const words = [...new Set(all.map(({ relation }) => relationWords(relation)))];
  const more = words.length - MOST_WORDS;
  return {
    ...{ id: `${from} ${to}`, from, to, tone: toneOf(sum) },
    words: words.slice(0, MOST_WORDS).join(", ") + (more > 0 ? ` +${more}` : ""),
    isMixed: all.some(({ sign }) => sign > 0) && all.some(({ sign }) => sign < 0),
    voices: Math.max(...all.map(({ voices }) => voices)),
    isDirected: all.every((one) => one.from === from && !isMutual(one.relation)),
  };
}

/** One line for each pair. */
export function linesOf(edges: readonly RelationSeen[]): GraphLine[] {
  const pairs = Map.groupBy(edges, ({ from, to }) => [from, to].sort().join(" "));
  return [...pairs.values()].map(lineOf);
}
