import { useMemo, useRef, useState, type ReactNode } from "react";
import { many } from "../../parts/texts.tsx";
import type { EntityKind } from "../vocabulary.ts";
import { linesOf, type GraphPart } from "./choosing.ts";
import { Controls } from "./controls.tsx";
import { Entities, Lines } from "./drawn.tsx";
import { Legend } from "./glyph.tsx";
import { fitted, inARow, laidOut } from "./layout.ts";
import { useMoving, useWidth } from "./moving.ts";
import { placed, textsOf } from "./placing.ts";
import { useStepping } from "./stepping.ts";

const NARROW = 560;

interface PictureProps {
  graph: GraphPart;
  /** What it is a picture of, in words. */
  label: string;
  centre?: string;
  /** Drawn one after the other, in the order of the entities: a way. */
  isWay?: boolean;
}

/** A part of a graph as a picture: one stop for the Tab key, arrows go from one entity to the next, Enter opens it. */
export function Picture({ graph, label, centre, isWay = false }: PictureProps): ReactNode {
  const [frame, svg] = [useRef<HTMLDivElement>(null), useRef<SVGSVGElement>(null)];
  const width = useWidth(frame, 800);
  const isTall = width < NARROW;
  const height = isWay && !isTall ? 200 : Math.min(isTall ? 480 : 560, 320 + 12 * graph.nodes.length);
  const places = useMemo(() => {
    const ids = graph.nodes.map(({ id }) => id);
    return isWay ? inARow(ids, isTall) : laidOut(ids, graph.edges, { centre, isTall });
  }, [graph, centre, isTall, isWay]);
  const lines = useMemo(() => linesOf(graph.edges), [graph]);
  const fit = useMemo(() => fitted(places.values(), { width, height }), [places, width, height]);
  const moving = useMoving(fit, { width, height }, svg);
  const { chosen, ...steps } = useStepping(places, { width, height }, moving, centre ?? graph.nodes[0]?.id);
  const [pointed, setPointed] = useState<string>();
  const drawn = placed(graph.nodes, places, moving.view, centre);
  const told = textsOf(drawn, lines, pointed ?? chosen, centre);
  const kinds = [...new Set<EntityKind>(graph.nodes.map(({ type }) => type))];
  return (
    <figure className="graph-picture">
      <div ref={frame} className="graph-frame">
        <svg
          ref={svg}
          viewBox={`0 0 ${width} ${height}`}
          height={height}
          role="group"
          aria-label={`${label}: ${many(graph.nodes.length, "entity", "entities")}, ${many(lines.length, "line")}. Arrow keys go from one to the next, Enter opens it.`}
          className={moving.isMoved ? "moved" : undefined}
          {...moving.drag}
        >
          <Lines lines={lines} drawn={drawn} told={told} lit={pointed ?? chosen} />
          <Entities {...{ drawn, told, centre, ...steps, onPointed: setPointed }} />
        </svg>
      </div>
      <figcaption>
        <Controls {...moving} />
        <Legend kinds={kinds} tones={new Set(lines.map(({ tone }) => tone))} />
        {graph.left > 0 && (
          <p className="muted">
            {many(graph.left, "more entity is", "more entities are")} not drawn: the best connected are.
          </p>
        )}
      </figcaption>
    </figure>
  );
}
