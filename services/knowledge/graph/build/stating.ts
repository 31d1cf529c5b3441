import type { Origin, SourceKey, Statement } from "../statements/statements.ts";
import { entityIdOf, statementIdOf } from "../statements/statements.ts";
import type { NewStatement } from "../statements/keeping.ts";
import { EXTRACTOR, type ExtractedGraph } from "./extraction.ts";

/** Where a text comes from, as its statements say it. */
export interface Text {
  problemSetId: string;
  compartments: string[];
  source: SourceKey;
  version: number;
  voice: string;
  observedAt: string;
  articleId?: number;
  /** The origin of a part of it. */
  cited(span: { start: number; end: number }): Origin;
}

type Said = Pick<Statement, "subject" | "predicate" | "confidence" | "method"> &
  Partial<Pick<Statement, "object" | "value" | "reason" | "times" | "passages" | "validFrom" | "validTo">>;

/** A statement of a text, under the id that it always has. */
export function stated(text: Text, said: Said, origin: Origin): NewStatement {
  const { cited: _cited, ...place } = text;
  // Several texts of one source may say the same: each says it by itself.
  const teller: SourceKey = text.articleId === undefined ? text.source : `${text.source}#${text.articleId}`;
  const about = { subject: said.subject, predicate: said.predicate, object: said.object, value: said.value };
  return { id: statementIdOf(teller, text.version, about), ...place, ...said, origin, extractor: EXTRACTOR };
}

/** What a text says, as statements. */
export function statementsOf(text: Text, { entities, relations }: ExtractedGraph): NewStatement[] {
  const idOf = (key: string): string => entityIdOf(text.problemSetId, text.source, key);
  const named = entities.flatMap((entity) => {
    const subject = idOf(entity.key);
    const { method, type, confidence, reason } = entity;
    const [first] = entity.forms;
    return [
      ...entity.forms.map(({ text: value, times, passages, ...span }, at) => {
        const predicate = at === 0 ? ("name" as const) : ("alias" as const);
        return stated(text, { subject, predicate, value, confidence: 0.9, method, times, passages }, text.cited(span));
      }),
      stated(text, { subject, predicate: "type", value: type, confidence, method, reason }, text.cited(first!)),
      ...entity.roles.map(({ value, ...span }) =>
        stated(text, { subject, predicate: "role", value, confidence: 0.7, method }, text.cited(span)),
      ),
    ];
  });
  const related = relations.map(({ from, to, relation, confidence, reason, times, passages, ...span }) => {
    const ends = { subject: idOf(from), predicate: relation, object: idOf(to) };
    const said = { ...ends, confidence, reason, times, passages, method: "heuristic" as const };
    return stated(text, said, text.cited(span));
  });
  return [...named, ...related];
}
