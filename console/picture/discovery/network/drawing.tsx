import { useMemo, useRef, type ReactNode } from "react";
import { Link } from "react-router";
import { Controls } from "../../../knowledge/picture/controls.tsx";
import { shortened, withRoom } from "../../../knowledge/picture/labels.ts";
import { fitted, laidOut, onPage, type Point } from "../../../knowledge/picture/layout.ts";
import { useMoving, useWidth } from "../../../knowledge/picture/moving.ts";
import { useStepping, type Stepping } from "../../../knowledge/picture/stepping.ts";
import { many } from "../../../parts/texts.tsx";
import { drawnPart, linkKey, nodeName, type NetworkLink, type NetworkNode, type Topology } from "./network-words.ts";

const NARROW = 560;
const RADIUS = 9;
const NOBODY: readonly string[] = [];

interface DrawingProps {
  graph: Topology;
  /** Nodes of a way that stands out, in order. */
  way?: readonly string[];
  addressOf(node: NetworkNode): string;
}

/** What is linked to what, as a picture: one stop for the Tab key, arrows go from one to the next, Enter opens it. */
export function NetworkDrawing({ graph, way = NOBODY, addressOf }: DrawingProps): ReactNode {
  const [frame, svg] = [useRef<HTMLDivElement>(null), useRef<SVGSVGElement>(null)];
  const width = useWidth(frame, 800);
  const isTall = width < NARROW;
  const { nodes, edges, left } = useMemo(() => drawnPart(graph, way), [graph, way]);
  const height = Math.min(isTall ? 480 : 560, 240 + 12 * nodes.length);
  const places = useMemo(
    () =>
      laidOut(
        nodes.map(({ id }) => id),
        edges,
        { isTall },
      ),
    [nodes, edges, isTall],
  );
  const fit = useMemo(() => fitted(places.values(), { width, height }), [places, width, height]);
  const moving = useMoving(fit, { width, height }, svg);
  const steps = useStepping(places, { width, height }, moving, nodes[0]?.id);
  const at = new Map([...places].map(([id, place]) => [id, onPage(place, moving.view)]));

  return (
    <figure className="network">
      <div ref={frame} className="network-frame">
        <svg
          ref={svg}
          viewBox={`0 0 ${width} ${height}`}
          height={height}
          role="group"
          aria-label={`The network: ${many(nodes.length, "node")}, ${many(edges.length, "link")}. Arrow keys go from one to the next, Enter opens it.`}
          {...moving.drag}
        >
          <LinkLines edges={edges} at={at} way={way} />
          <NodeMarks {...{ nodes, at, way, addressOf, ...steps }} />
        </svg>
      </div>
      <figcaption>
        <Controls {...moving} />
        <p className="muted">
          Circles are devices, the square is this platform, diamonds are what links name and nobody has seen. A broken
          line is told of by one end alone.
          {left > 0 && ` ${many(left, "more node is", "more nodes are")} not drawn: the best connected are.`}
        </p>
      </figcaption>
    </figure>
  );
}

type Places = ReadonlyMap<string, Readonly<Point>>;

/** The lines, for eyes alone: the table says the same in words. */
function LinkLines({
  edges,
  at,
  way,
}: {
  edges: readonly NetworkLink[];
  at: Places;
  way: readonly string[];
}): ReactNode {
  const steps = new Set(way.slice(1).map((to, before) => linkKey({ from: way[before]!, to })));
  return (
    <g aria-hidden="true">
      {edges.map((edge) => {
        const [one, other] = [at.get(edge.from)!, at.get(edge.to)!];
        const key = linkKey(edge);
        const kinds = ["network-line", edge.isOneSided && "one-sided", steps.has(key) && "on-way"];
        return (
          <path
            key={key}
            className={kinds.filter(Boolean).join(" ")}
            d={`M${one.x.toFixed(1)} ${one.y.toFixed(1)}L${other.x.toFixed(1)} ${other.y.toFixed(1)}`}
          />
        );
      })}
    </g>
  );
}

interface MarksProps extends Omit<Stepping, "chosen"> {
  nodes: readonly NetworkNode[];
  at: Places;
  way: readonly string[];
  addressOf(node: NetworkNode): string;
}

function NodeMarks({ nodes, at, way, prefix, stop, addressOf, onChosen, onKeyDown }: MarksProps): ReactNode {
  const told = withRoom(
    nodes.map((node) => {
      const { x, y } = at.get(node.id)!;
      const text = shortened(nodeName(node));
      return {
        id: node.id,
        text,
        places: [
          { x, y: y + RADIUS + 13 },
          { x, y: y - RADIUS - 6 },
        ],
      };
    }),
    nodes.map(({ id }) => ({ ...at.get(id)!, radius: RADIUS })),
  );
  return nodes.map((node) => {
    const { id, kind, state } = node;
    const { x, y } = at.get(id)!;
    const label = told.get(id);
    return (
      <Link
        key={id}
        id={`${prefix}${id}`}
        to={addressOf(node)}
        className={way.includes(id) ? "network-node on-way" : "network-node"}
        tabIndex={id === stop ? 0 : -1}
        aria-label={[nodeName(node), state].filter(Boolean).join(", ")}
        onFocus={() => onChosen(id)}
        onKeyDown={onKeyDown}
      >
        <g transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
          <title>{nodeName(node)}</title>
          <circle className="reach" r={13} />
          <Mark kind={kind} state={state} />
          {label && <text y={label.y - y}>{shortened(nodeName(node))}</text>}
        </g>
      </Link>
    );
  });
}

const Mark = ({ kind, state = "" }: { kind: NetworkNode["kind"]; state: string | undefined }): ReactNode =>
  kind === "device" ? (
    <circle className={`network-mark is-${state}`} r={RADIUS} />
  ) : (
    <rect
      className={`network-mark is-${kind}`}
      x={-7}
      y={-7}
      width={14}
      height={14}
      {...(kind === "unidentified" && { transform: "rotate(45)" })}
    />
  );
