import type { ReactNode } from "react";
import { Link } from "react-router";
import { Empty, Section } from "../../parts/page.tsx";
import { Badge, many, Share, Time } from "../../parts/texts.tsx";
import { Glyph } from "../picture/glyph.tsx";
import {
  entityAddress,
  kindWords,
  relationWords,
  toneOf,
  type EntityWhole,
  type StatementSeen,
} from "../vocabulary.ts";
import type { Titles } from "./origin.tsx";
import { SourceList, SourcesOf } from "./sources.tsx";
import { pairsOf } from "./statements.ts";

interface RelationsProps {
  whole: EntityWhole;
  statements: readonly StatementSeen[];
  titles: Titles;
}

/** Whom and what it is joined with, and for each line the words that say so: the picture beside it as text. */
export function Relations({ whole, statements, titles }: RelationsProps): ReactNode {
  const pairs = pairsOf(whole.relations);
  const sources = Map.groupBy(statements, (one) => one.relationId ?? "");
  return (
    <Section title={`Relations (${pairs.length})`}>
      {!pairs.length && <Empty>No source joins {whole.name} with anything else yet.</Empty>}
      <ul className="list">
        {pairs.map(({ other, relations, isMixed }) => (
          <li key={other.id}>
            <h3>
              <Glyph kind={other.type} /> <Link to={entityAddress(other.id)}>{other.name}</Link>{" "}
              <small className="muted">{kindWords(other.type).toLowerCase()}</small>{" "}
              {isMixed && <Badge tone="warn">sources disagree</Badge>}
            </h3>
            {relations.map((one) => (
              <Related key={one.id} {...{ whole, one, titles }} said={sources.get(one.id) ?? []} />
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface RelatedProps {
  whole: EntityWhole;
  one: EntityWhole["relations"][number];
  said: readonly StatementSeen[];
  titles: Titles;
}

function Related({ whole, one, said, titles }: RelatedProps): ReactNode {
  const { id, relation, direction, entity, sign, confidence, voices, since, last } = one;
  const words = relationWords(relation);
  const [from, to] = direction === "out" ? [whole.name, entity.name] : [entity.name, whole.name];
  const tone = toneOf(sign);
  return (
    <div className="related">
      <p className="row">
        <span>
          {from} <strong>{words}</strong> {to}
        </span>
        {tone !== "neutral" && <Badge tone={tone === "hostile" ? "bad" : "good"}>{tone}</Badge>}
        <Share of={confidence} label={`Confidence that ${from} ${words} ${to}`} />
        <small className="muted">
          {many(voices, "independent source")}; <Time at={since} />
          {since !== last && (
            <>
              {" "}
              to <Time at={last} />
            </>
          )}
        </small>
      </p>
      {said.length ? (
        <SourceList said={said} setId={whole.problemSetId} titles={titles} />
      ) : (
        <SourcesOf entityId={whole.id} relationId={id} setId={whole.problemSetId} titles={titles} />
      )}
    </div>
  );
}
