import type { ReactNode } from "react";
import { Section } from "../../parts/page.tsx";
import { Kind } from "../picture/glyph.tsx";
import { kindWords, type EntityKind, type EntityWhole } from "../vocabulary.ts";
import type { Titles } from "./origin.tsx";
import { SourceList } from "./sources.tsx";
import { disagreementsOf, factWords, type EntityFact } from "./statements.ts";

interface FactsProps {
  whole: EntityWhole;
  facts: readonly EntityFact[];
  titles: Titles;
}

/** What is said of it, each with the words behind it. */
export const Facts = ({ whole, facts, titles }: FactsProps): ReactNode => (
  <Section title="What is said">
    <Disagreements sentences={disagreementsOf(whole, facts)} />
    <dl className="facts">
      {facts.map(({ predicate, value, said }) => (
        <div key={`${predicate} ${value}`}>
          <dt>{factWords(predicate)}</dt>
          <dd>
            {predicate === "type" ? <Kind kind={value as EntityKind} /> : value}
            <SourceList said={said} setId={whole.problemSetId} titles={titles} first={0} />
          </dd>
        </div>
      ))}
    </dl>
    {!facts.length && <p className="empty">Only its name is known: {kindWords(whole.type).toLowerCase()}.</p>}
  </Section>
);

/** Where sources contradict one another. */
export function Disagreements({ sentences }: { sentences: readonly string[] }): ReactNode {
  if (!sentences.length) return null;
  return (
    <div className="disagreement" role="note" aria-label="Where sources disagree">
      <strong>Sources disagree</strong>
      <ul>
        {sentences.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </div>
  );
}
