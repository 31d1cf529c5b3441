import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Shown } from "../../parts/page.tsx";
import { Glyph } from "../picture/glyph.tsx";
import { entityAddress, kindWords, type EntityKind, type EntitySeen } from "../vocabulary.ts";

const MOST = 200;

/** What a document names, by kind. */
export function Named({ documentId, setId }: { documentId: string; setId: string }): ReactNode {
  const named = useAnswer("GET /graph", [{ query: { problemSetId: setId, documentId, nodes: MOST, edges: 1 } }]);
  return (
    <Shown of={named}>
      {({ data }) => (
        <dl>
          {[...Map.groupBy(data.nodes, ({ type }) => type)].map(([kind, all]) => (
            <OfKind key={kind} kind={kind} all={all} />
          ))}
        </dl>
      )}
    </Shown>
  );
}

const OfKind = ({ kind, all }: { kind: EntityKind; all: readonly EntitySeen[] }): ReactNode => (
  <>
    <dt>
      <Glyph kind={kind} /> {kindWords(kind)}
    </dt>
    <dd>
      {all.map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ", "}
          <Link to={entityAddress(id)}>{name}</Link>
        </span>
      ))}
    </dd>
  </>
);
