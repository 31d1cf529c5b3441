import { useMemo, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Field, Form } from "../../parts/form.tsx";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { many } from "../../parts/texts.tsx";
import { shortestWay, stepsOf } from "../graph/paths.ts";
import { Found } from "../graph/found.tsx";
import { Glyph } from "../picture/glyph.tsx";
import { useTitles } from "../sets.ts";
import { SourcesOf } from "./sources.tsx";
import { Picture } from "../picture/picture.tsx";
import { entityAddress, relationWords, type EntityWhole, type GraphData } from "../vocabulary.ts";

/** So far it is looked for. */
const MOST_STEPS = 4;

/** Asks how it is connected with another one; the address keeps which. */
export function OtherEnd({ from }: { from: EntityWhole }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const asked = search.get("towards") ?? "";
  return (
    <Section title="How is it connected?">
      <Form act="Find" isInline label="Find another one" onSubmit={({ name = "" }) => setSearch({ towards: name })}>
        <Field
          label="With"
          name="name"
          type="search"
          defaultValue={asked}
          hint={`Another name: the shortest way from ${from.name} is looked for.`}
          required
        />
      </Form>
    </Section>
  );
}

/** The way to the other one; before that, which one is meant. */
export function Way({ from }: { from: EntityWhole }): ReactNode {
  const [search] = useSearchParams();
  const [asked, to] = [search.get("towards"), search.get("to")];
  if (!asked) return null;
  return (
    <Section title={to ? "The way between them" : "Which one is meant?"} acts={<Link to="?">Close</Link>}>
      {to ? (
        <Between from={from} to={to} />
      ) : (
        <Found
          query={{ name: asked, setId: from.problemSetId }}
          empty={`Nothing here is called “${asked}”.`}
          addressOf={({ id }) => `?${new URLSearchParams({ towards: asked, to: id })}`}
        />
      )}
    </Section>
  );
}

function Between({ from, to }: { from: EntityWhole; to: string }): ReactNode {
  const query = {
    ...{ problemSetId: from.problemSetId, entityId: from.id, depth: MOST_STEPS },
    ...{ nodes: 2_000, edges: 10_000 },
  };
  const around = useAnswer("GET /graph", [{ query }]);
  return (
    <Shown of={around} what="Looking for a way">
      {({ data }) => <WayShown graph={data} from={from} to={to} />}
    </Shown>
  );
}

function WayShown({ graph, from, to }: { graph: GraphData; from: EntityWhole; to: string }): ReactNode {
  const way = useMemo(() => shortestWay(graph.edges, from.id, to), [graph, from.id, to]);
  const part = useMemo(() => {
    const known = new Map(graph.nodes.map((node) => [node.id, node]));
    return {
      nodes: (way ?? []).flatMap((id) => known.get(id) ?? []),
      edges: way ? stepsOf(graph.edges, way).flat() : [],
      left: 0,
    };
  }, [graph, way]);
  const titles = useTitles(from.problemSetId);
  const named = new Map(graph.nodes.map((node) => [node.id, node]));
  if (!way)
    return (
      <Empty>
        Nothing connects the two within {MOST_STEPS} steps
        {graph.truncated ? " among the 2,000 best connected entities around it" : ""}.
      </Empty>
    );
  return (
    <>
      <p>The shortest way has {many(way.length - 1, "step")}. There may be others of that length.</p>
      <Picture isWay graph={part} label={`The way from ${from.name}`} />
      <ol className="list">
        {stepsOf(graph.edges, way).map((edges, at) => (
          <li key={way[at]}>
            {edges.map((edge) => {
              const [one, other] = [named.get(edge.from), named.get(edge.to)];
              return (
                <div key={edge.id}>
                  {one && <Glyph kind={one.type} />} <Link to={entityAddress(edge.from)}>{one?.name}</Link>{" "}
                  <strong>{relationWords(edge.relation)}</strong> {other && <Glyph kind={other.type} />}{" "}
                  <Link to={entityAddress(edge.to)}>{other?.name}</Link>{" "}
                  <small className="muted">{many(edge.voices, "independent source")}</small>
                  <SourcesOf entityId={edge.from} relationId={edge.id} setId={from.problemSetId} titles={titles} />
                </div>
              );
            })}
          </li>
        ))}
      </ol>
    </>
  );
}
