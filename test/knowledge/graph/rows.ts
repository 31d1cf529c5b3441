import { derivedId } from "../../../core/ids.ts";
import type { Row } from "../../../services/knowledge/graph/statements/statements.ts";

export const AT = "2026-03-01T08:00:00.000Z";

/** A statement as views hold it; the same id for the same words of the same source. */
export function row(said: Partial<Row> & Pick<Row, "subject" | "predicate">): Row {
  const source = said.source ?? "document:one";
  return {
    id: derivedId(JSON.stringify([source, said])),
    ...{ problemSetId: "set", compartments: [], confidence: 0.8, method: "heuristic", voice: source },
    ...{ observedAt: AT, createdAt: AT, times: 1, passages: [] },
    ...said,
    source,
  } as Row;
}
