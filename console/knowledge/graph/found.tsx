import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/texts.tsx";
import { Glyph, Kind } from "../picture/glyph.tsx";
import { entityAddress, type EntityKind, type EntitySeen } from "../vocabulary.ts";
import { isActorKind, merged } from "./finding.ts";

export interface EntityQuestion {
  name?: string;
  kind?: EntityKind;
  setId?: string;
  /** As it was known at that moment. */
  at?: string;
  /** Only what this document names. */
  documentId?: string;
}

interface FoundProps {
  query: EntityQuestion;
  empty: ReactNode;
  addressOf?: (entity: EntitySeen) => string;
}
const MOST = 50;

const columnsTo = (addressOf: (entity: EntitySeen) => string): readonly Column<EntitySeen>[] => [
  {
    head: "Name",
    cell: (one) => (
      <>
        <Glyph kind={one.type} /> <Link to={addressOf(one)}>{one.name}</Link>{" "}
        {one.aliases.length > 0 && <small className="muted">also {one.aliases.slice(0, 3).join(", ")}</small>}
      </>
    ),
  },
  { head: "Kind", cell: ({ type }) => <Kind kind={type} /> },
  { head: "Neighbours", cell: ({ degree }) => degree, isFigure: true },
  { head: "Sources", cell: ({ sources }) => sources, isFigure: true },
  { head: "Last named", cell: ({ last }) => <Time at={last} /> },
];
/** Entities that fit a question: by a part of the name, and actors by names that are typed or written differently too. */
export function Found({ query, empty, addressOf = ({ id }) => entityAddress(id) }: FoundProps): ReactNode {
  const { name, kind, setId, at, documentId } = query;
  const place = setId ? { problemSetId: setId } : {};
  const within = { ...place, ...(at && { at }), ...(documentId && { documentId }) };
  const exact = useAnswer(
    "GET /graph",
    [{ query: { ...within, ...(name && { q: name }), ...(kind && { type: kind }), nodes: MOST, edges: 1 } }],
    { keepsShown: true },
  );
  const isFuzzy = name !== undefined && !at && !documentId && (kind === undefined || isActorKind(kind));
  const alike = useAnswer(
    "GET /graph/actors/search/{query}",
    [{ path: { query: name ?? "" }, query: { ...place, ...(kind && { type: kind as "person" }), limit: 10 } }],
    { enabled: isFuzzy, keepsShown: true },
  );
  return (
    <Shown of={exact}>
      {({ data }) => (
        <>
          <Table
            label="Entities found"
            rows={merged(data.nodes, isFuzzy ? (alike.data?.data ?? []) : [])}
            keyOf={({ id }) => id}
            columns={columnsTo(addressOf)}
            empty={isFuzzy && alike.isPending ? "Looking for names that are alike…" : empty}
          />
          {data.total.nodes > MOST && (
            <p className="muted">
              The {MOST} best connected of {data.total.nodes.toLocaleString("en")} are shown; more of the name finds
              fewer.
            </p>
          )}
        </>
      )}
    </Shown>
  );
}
