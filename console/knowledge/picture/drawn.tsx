import type { ReactNode } from "react";
import { Link } from "react-router";
import { many } from "../../parts/texts.tsx";
import { entityAddress, kindWords } from "../vocabulary.ts";
import type { GraphLine } from "./choosing.ts";
import { Shape } from "./glyph.tsx";
import { shortened } from "./labels.ts";
import type { Point } from "./layout.ts";
import { middle, type PlacedEntity } from "./placing.ts";
import type { Stepping } from "./stepping.ts";

type Drawn = ReadonlyMap<string, PlacedEntity>;

/** From rim to rim, so that an arrow's head is seen. */
function between(one: PlacedEntity, other: PlacedEntity): string {
  const [dx, dy] = [other.x - one.x, other.y - one.y];
  const length = Math.hypot(dx, dy) || 1;
  const [from, to] = [(one.radius + 2) / length, (other.radius + 5) / length];
  const at = (part: number): string => `${(one.x + dx * part).toFixed(1)} ${(one.y + dy * part).toFixed(1)}`;
  return length > one.radius + other.radius + 8 ? `M${at(from)}L${at(1 - to)}` : "";
}

interface LinesProps {
  lines: readonly GraphLine[];
  drawn: Drawn;
  told: ReadonlyMap<string, Readonly<Point>>;
  lit: string | undefined;
}

/** The lines: for eyes alone, since lists beside the picture say the same in words. */
export const Lines = ({ lines, drawn, told, lit }: LinesProps): ReactNode => (
  <g aria-hidden="true">
    <defs>
      {["friendly", "hostile", "neutral"].map((tone) => (
        <marker
          key={tone}
          id={`arrow-${tone}`}
          viewBox="0 0 8 8"
          refX="6"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path className={`arrow ${tone}`} d="M0 0L8 4L0 8Z" />
        </marker>
      ))}
    </defs>
    {lines.map(({ id, from, to, tone, words, voices, isDirected }) => {
      const [one, other] = [drawn.get(from), drawn.get(to)];
      if (!one || !other) return null;
      const isLit = lit === from || lit === to;
      const { x, y } = middle(one, other);
      return (
        <g key={id} className={isLit ? "lit" : undefined}>
          <path
            className={`graph-line ${tone}`}
            d={between(one, other)}
            strokeWidth={Math.min(4, 1 + voices / 2)}
            {...(isDirected && { markerEnd: `url(#arrow-${tone})` })}
          />
          {told.has(id) && (
            <text className="line-words" x={x} y={y}>
              {words}
            </text>
          )}
        </g>
      );
    })}
  </g>
);

interface EntitiesProps extends Omit<Stepping, "chosen"> {
  drawn: Drawn;
  told: ReadonlyMap<string, Readonly<Point>>;
  centre: string | undefined;
  onPointed(id: string | undefined): void;
}

export const Entities = ({
  drawn,
  told,
  prefix,
  stop,
  centre,
  onChosen,
  onPointed,
  onKeyDown,
}: EntitiesProps): ReactNode =>
  [...drawn.values()].map(({ entity: { id, name, type, degree }, x, y, radius }) => (
    <Link
      key={id}
      id={`${prefix}${id}`}
      to={entityAddress(id)}
      className={id === centre ? "node centre" : "node"}
      tabIndex={id === stop ? 0 : -1}
      aria-label={`${name}, ${kindWords(type).toLowerCase()}, ${many(degree, "neighbour")}`}
      onFocus={() => onChosen(id)}
      onKeyDown={onKeyDown}
      onPointerEnter={() => onPointed(id)}
      onPointerLeave={() => onPointed(undefined)}
    >
      <g transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
        <title>{name}</title>
        <circle className="reach" r={Math.max(radius, 12)} />
        <Shape kind={type} size={radius} />
        {told.has(id) && (
          <text className="node-name" y={told.get(id)!.y - y}>
            {shortened(name)}
          </text>
        )}
      </g>
    </Link>
  ));
