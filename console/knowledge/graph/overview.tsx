import { useMemo, type ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { many } from "../../parts/texts.tsx";
import { chosenAround, type GraphPart } from "../picture/choosing.ts";
import { Picture } from "../picture/picture.tsx";
import { entityAddress, relationWords } from "../vocabulary.ts";

/** A first look has so many: more would be a ball of wool. They are chosen from more, so that they hang together. */
const MOST_OVERVIEW = 60;
const CHOSEN_FROM = 300;

interface OverviewProps {
  setId?: string;
  at?: string;
  documentId?: string;
  workspaceId?: string;
}

/** The best connected part of a graph, as a picture and as a list. */
export function Overview({ setId, at, documentId, workspaceId }: OverviewProps): ReactNode {
  const query = {
    ...(setId && { problemSetId: setId }),
    ...(at && { at }),
    ...(documentId && { documentId }),
    ...(workspaceId && { workspaceId }),
    ...{ nodes: CHOSEN_FROM, edges: 1_500 },
  };
  const graph = useAnswer("GET /graph", [{ query }], { keepsShown: true });
  const data = graph.data?.data;
  // The API answers the best connected first.
  const part = useMemo(() => data && chosenAround(data, data.nodes[0]?.id, MOST_OVERVIEW), [data]);
  return (
    <Section
      title={
        data ? `${many(data.total.nodes, "entity", "entities")}, ${many(data.total.edges, "relation")}` : "The graph"
      }
    >
      <Shown of={graph} what="Drawing the graph">
        {() =>
          part?.nodes.length ? (
            <>
              <Picture graph={part} label="The best connected part of the graph" />
              <AsList part={part} />
            </>
          ) : (
            <p className="empty">
              {at
                ? "Nothing was known then. Choose a later day, or empty the field."
                : workspaceId
                  ? "Nothing is in it that you may see: what its documents and entities bring into the graph comes in by itself."
                  : "Nothing is in this graph yet: reports and news that are read in put their names and relations here."}{" "}
              {!at && !workspaceId && (
                <Link to={setId ? `/knowledge/feed?set=${setId}` : "/knowledge/feed"}>Add a report or news</Link>
              )}
            </p>
          )
        }
      </Shown>
    </Section>
  );
}

/** What a picture shows, in words. */
function AsList({ part: { nodes, edges } }: { part: GraphPart }): ReactNode {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  return (
    <details>
      <summary>The same as a list of {many(edges.length, "relation")}</summary>
      <ul className="list dense">
        {edges.map(({ id, from, to, relation, voices }) => (
          <li key={id}>
            <Link to={entityAddress(from)}>{names.get(from)}</Link> {relationWords(relation)}{" "}
            <Link to={entityAddress(to)}>{names.get(to)}</Link>{" "}
            <small className="muted">{many(voices, "independent source")}</small>
          </li>
        ))}
      </ul>
    </details>
  );
}
