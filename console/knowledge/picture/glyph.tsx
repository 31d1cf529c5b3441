import type { ReactNode } from "react";
import { kindWords, type EntityKind, type RelationTone } from "../vocabulary.ts";

/** Corners on a circle of radius 1, the first one turned so far from the top. */
const corners = (count: number, turn = 0): string =>
  `M${Array.from({ length: count }, (_none, at) => {
    const angle = (2 * Math.PI * at) / count + turn - Math.PI / 2;
    return `${Math.cos(angle).toFixed(3)} ${Math.sin(angle).toFixed(3)}`;
  }).join("L")}Z`;
function star(points: number): string {
  return `M${Array.from({ length: points * 2 }, (_none, at) => {
    const angle = (Math.PI * at) / points - Math.PI / 2;
    const far = at % 2 ? 0.5 : 1.15;
    return `${(far * Math.cos(angle)).toFixed(3)} ${(far * Math.sin(angle)).toFixed(3)}`;
  }).join("L")}Z`;
}
const CIRCLE = "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z";
const FLAG = "M-1 -0.75H1V0.75H-1Z";
const CROSS = "M-0.35 -1H0.35V-0.35H1V0.35H0.35V1H-0.35V0.35H-1V-0.35H-0.35Z";
const PAGE = "M-0.75 -1H0.35L0.75 -0.6V1H-0.75Z";

/** A shape for each kind, so that no kind is told by its colour alone; within a radius of about 1. */
const SHAPES: Readonly<Record<EntityKind, string>> = {
  person: CIRCLE,
  organisation: corners(4, Math.PI / 4),
  unit: corners(4),
  group: corners(6),
  country: FLAG,
  place: corners(3),
  facility: corners(5),
  event: star(5),
  equipment: CROSS,
  document: PAGE,
  fact: corners(8),
  theme: corners(3, Math.PI),
  other: CIRCLE,
};

/** The shape of a kind, within a picture. */
export const Shape = ({ kind, size }: { kind: EntityKind; size: number }): ReactNode => (
  <path className={`glyph kind-${kind}`} d={SHAPES[kind]} transform={`scale(${size})`} />
);

/** The shape of a kind in a line of text, where the kind stands in words beside it. */
export const Glyph = ({ kind }: { kind: EntityKind }): ReactNode => (
  <svg className="glyph-inline" viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">
    <Shape kind={kind} size={1} />
  </svg>
);

/** A kind in words, with its shape. */
export const Kind = ({ kind }: { kind: EntityKind }): ReactNode => (
  <span className="kind">
    <Glyph kind={kind} /> {kindWords(kind)}
  </span>
);

interface LegendProps {
  kinds: readonly EntityKind[];
  tones: ReadonlySet<RelationTone>;
}

/** What the shapes and lines of a picture stand for. */
export const Legend = ({ kinds, tones }: LegendProps): ReactNode => (
  <ul className="legend" aria-label="What shapes and lines stand for">
    {kinds.map((kind) => (
      <li key={kind}>
        <Kind kind={kind} />
      </li>
    ))}
    {[...tones].sort().map((tone) => (
      <li key={tone}>
        <svg className="line-inline" viewBox="0 0 24 8" aria-hidden="true">
          <path className={`graph-line ${tone}`} d="M0 4H24" />
        </svg>{" "}
        {tone} relation
      </li>
    ))}
  </ul>
);
