import { addTypes, heaviest, isName, typeIn } from "../drafts.ts";
import type { Row } from "../statements/statements.ts";
import { RELATIONS, type EntityType, type Relation } from "../statements/vocabulary.ts";
import type { GraphEdge, GraphNode } from "../view.ts";
import type { Singletons } from "./singletons.ts";

/** Full names say more than parts of them, and acronyms. */
const nameWeight = ({ value, times, predicate }: Row): number =>
  times * (value!.includes(" ") ? 3 : 1) * (predicate === "name" ? 2 : 1);

function spanOf(rows: readonly Row[]): { since: string; last: string } {
  let [since, last] = [rows[0]!.observedAt, rows[0]!.observedAt];
  for (const { observedAt } of rows) {
    if (observedAt < since) since = observedAt;
    if (observedAt > last) last = observedAt;
  }
  return { since, last };
}

/** An entity by all that is said of it under any of its ids, the oldest of them first. */
export function nodeOf(ids: readonly string[], rows: readonly Row[], degree: number, only: Singletons): GraphNode {
  const types = new Map<EntityType, number>();
  const names = new Map<string, number>();
  addTypes(types, rows);
  let mentions = 0;
  let description: string | undefined;
  for (const row of rows)
    if (isName(row)) {
      names.set(row.value!, (names.get(row.value!) ?? 0) + nameWeight(row));
      mentions += row.times;
    } else if (row.predicate === "description" && (description === undefined || row.value! < description))
      description = row.value!;
  const [name, ...aliases] = heaviest(names);
  return {
    ...{ id: ids[0]!, ids, name: name!, aliases, type: typeIn(types), mentions, degree, rows },
    ...(description !== undefined && { description }),
    sources: only.setOf(rows, ({ source }) => source),
    voices: only.setOf(rows, ({ voice }) => voice),
    ...spanOf(rows),
  };
}

const rounded = (doubt: number): number => Math.round((1 - doubt) * 1_000) / 1_000;

/** One voice says a thing once, however often it is printed. */
function confidenceOf(rows: readonly Row[]): number {
  if (rows.length === 1) return rounded(1 - rows[0]!.confidence);
  const voices = new Map<string, number>();
  for (const { voice, confidence } of rows) voices.set(voice, Math.max(voices.get(voice) ?? 0, confidence));
  let doubt = 1;
  for (const confidence of voices.values()) doubt *= 1 - confidence;
  return rounded(doubt);
}

/** A relation by all that say so, in the order of their ids. */
export function edgeOf(id: string, from: string, to: string, rows: readonly Row[], only: Singletons): GraphEdge {
  const relation = rows[0]!.predicate as Relation;
  return {
    ...{ id, from, to, relation, rows },
    sign: RELATIONS[relation].sign,
    confidence: confidenceOf(rows),
    voices: only.setOf(rows, ({ voice }) => voice),
    ...spanOf(rows),
  };
}
