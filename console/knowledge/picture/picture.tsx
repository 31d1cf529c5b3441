import { useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { many } from "../../parts/texts.tsx";
import type { EntityKind } from "../vocabulary.ts";
import { linesOf, type GraphPart } from "./choosing.ts";
import { Controls } from "./controls.tsx";
import { Entities, Lines } from "./drawn.tsx";
import { Legend } from "./glyph.tsx";
import { fitted, inARow, laidOut, nextTowards, type Direction } from "./layout.ts";
import { useMoving, useWidth } from "./moving.ts";
import { placed, textsOf } from "./placing.ts";

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};
const STEP = 60;
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
  const prefix = useId();
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
  const [chosen, setChosen] = useState<string>();
  const [pointed, setPointed] = useState<string>();
  const stop = chosen !== undefined && places.has(chosen) ? chosen : (centre ?? graph.nodes[0]?.id);
  const drawn = placed(graph.nodes, places, moving.view, centre);
  const told = textsOf(drawn, lines, pointed ?? chosen, centre);

  function onKeyDown(event: KeyboardEvent<HTMLAnchorElement>): void {
    const direction = ARROWS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction && event.shiftKey) {
      const [across, down] = { left: [STEP, 0], right: [-STEP, 0], up: [0, STEP], down: [0, -STEP] }[direction];
      moving.pan(across!, down!);
    } else if (direction) {
      const next = stop && nextTowards(places, stop, direction);
      if (next) document.getElementById(`${prefix}${next}`)?.focus();
    } else if (event.key === "+" || event.key === "=") moving.zoom(1.3);
    else if (event.key === "-") moving.zoom(1 / 1.3);
    else if (event.key === "0") moving.reset();
    else return;
    event.preventDefault();
  }

  function onChosen(id: string): void {
    setChosen(id);
    const one = drawn.get(id);
    // Whoever goes by keys sees where they are, however the picture was moved.
    if (!one || (one.x > 0 && one.x < width && one.y > 0 && one.y < height)) return;
    moving.pan(width / 2 - one.x, height / 2 - one.y);
  }

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
          <Entities {...{ drawn, told, prefix, stop, centre, onChosen, onPointed: setPointed, onKeyDown }} />
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
