import { fold } from "../../../core/text/words.ts";
import type { Steps } from "../../../core/work/turns.ts";
import type { Row } from "./statements/statements.ts";
import { isRelation, type EntityType } from "./statements/vocabulary.ts";

/** What is said of one entity of one source, before it is joined with others. */
export interface Draft {
  id: string;
  since: string;
  rows: Row[];
  types: Map<EntityType, number>;
  keys: Set<string>;
  identifiers: Set<string>;
  context: Set<string>;
}

/** A step for each row would cost more than the rows: one for so many. */
const ROWS_OF_A_STEP = 64;
export function* inSteps(rows: readonly Row[], work: (row: Row) => void): Steps<void> {
  for (let from = 0; from < rows.length; from += ROWS_OF_A_STEP) {
    const end = Math.min(from + ROWS_OF_A_STEP, rows.length);
    for (let at = from; at < end; at += 1) work(rows[at]!);
    yield;
  }
}

export const isName = ({ predicate }: Row): boolean => predicate === "name" || predicate === "alias";

/** The statements by what they are about. */
export function* drafted(rows: readonly Row[]): Steps<Map<string, Draft>> {
  const drafts = new Map<string, Draft>();
  yield* inSteps(rows, (row) => {
    if (isRelation(row.predicate)) return;
    let draft = drafts.get(row.subject);
    if (!draft) {
      const empty = { rows: [], types: new Map(), keys: new Set<string>(), identifiers: new Set<string>() };
      drafts.set(row.subject, (draft = { id: row.subject, since: row.createdAt, context: new Set(), ...empty }));
    }
    draft.rows.push(row);
    if (row.createdAt < draft.since) draft.since = row.createdAt;
    if (row.predicate === "type") {
      const type = row.value as EntityType;
      draft.types.set(type, (draft.types.get(type) ?? 0) + row.confidence);
    } else if (row.predicate === "identifier") draft.identifiers.add(row.value!);
    else if (isName(row)) draft.keys.add(fold(row.value!));
  });
  // Without a name there is nothing to show: a type or a role of somebody whose name lies out of sight.
  for (const [id, { keys }] of drafts) {
    if (!keys.size) drafts.delete(id);
    yield;
  }
  return drafts;
}

/** What stands in one sentence of a source with each, and what it is related to. */
export function* inContext(rows: readonly Row[], drafts: ReadonlyMap<string, Draft>): Steps<void> {
  const together = new Map<string, Set<Draft>>();
  yield* inSteps(rows, (row) => {
    const draft = drafts.get(row.subject);
    if (draft && isName(row))
      for (const passage of row.passages) {
        const key = `${row.source} ${passage}`;
        const there = together.get(key);
        if (there) there.add(draft);
        else together.set(key, new Set([draft]));
      }
    const other = row.object && drafts.get(row.object);
    if (draft && other) {
      for (const key of other.keys) draft.context.add(key);
      for (const key of draft.keys) other.context.add(key);
    }
  });
  for (const [, there] of together) {
    for (const one of there)
      for (const other of there) if (one !== other) for (const key of other.keys) one.context.add(key);
    yield;
  }
}
