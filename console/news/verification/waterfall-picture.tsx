import { useId, type ReactNode } from "react";
import { HIGH_FROM, inPoints, levelOf, MEDIUM_FROM, signed } from "./scales.ts";
import type { WaterfallBar } from "./waterfall.ts";

interface WaterfallPictureProps {
  steps: readonly { name: string; points: number; bar: WaterfallBar }[];
  total: number;
  at(score: number): number;
}

/** Pixels down: the head with the scale's words, and one row for each step, whose name stands above its bar. */
const HEAD = 22;
const ROW = 46;
const BAR = { top: 20, height: 16 };
const FOOT = 22;
/** A step that adds nothing is still seen. */
const LEAST_WIDTH = 0.6;
const percent = (value: number): string => `${value}%`;

/** Across, everything is in percent of the width: so it fits a phone and a desk, with letters of one size. */
export function WaterfallPicture({ steps, total, at }: WaterfallPictureProps): ReactNode {
  const id = useId();
  const bottom = HEAD + ROW * (steps.length + 1);
  const all = steps.map(({ name, points }) => `${name} ${signed(points)}`).join(", ");
  return (
    <svg className="waterfall" role="img" aria-labelledby={id} width="100%" height={bottom + FOOT}>
      <title id={id}>{`A confidence of ${inPoints(total)} of 100: ${all}`}</title>
      <Scale at={at} bottom={bottom} />
      {steps.map((step, index) => (
        // Steps stand in their order.
        // oxlint-disable-next-line react/no-array-index-key
        <StepRow key={index} {...step} y={HEAD + ROW * index} joinsAt={at(step.bar.to)} />
      ))}
      <Total total={total} at={at} y={HEAD + ROW * steps.length} />
    </svg>
  );
}

interface ScaleProps {
  at(score: number): number;
  bottom: number;
}

/** The levels as bands, with their words above and their bounds below. */
function Scale({ at, bottom }: ScaleProps): ReactNode {
  const bands = [
    ["low", 0, MEDIUM_FROM],
    ["medium", MEDIUM_FROM, HIGH_FROM],
    ["high", HIGH_FROM, 100],
  ] as const;
  return (
    <>
      {bands.map(([level, from, to]) => (
        <g key={level} className={`band ${level}`}>
          <rect x={percent(at(from))} width={percent(at(to) - at(from))} y={HEAD} height={bottom - HEAD} />
          <text x={percent((at(from) + at(to)) / 2)} y={15} textAnchor="middle">
            {level}
          </text>
        </g>
      ))}
      {[0, MEDIUM_FROM, HIGH_FROM, 100].map((bound) => (
        <text
          key={bound}
          className="bound"
          x={percent(at(bound))}
          y={bottom + 16}
          textAnchor={bound === 0 ? "start" : bound === 100 ? "end" : "middle"}
        >
          {bound}
        </text>
      ))}
    </>
  );
}

interface StepRowProps {
  name: string;
  points: number;
  bar: WaterfallBar;
  y: number;
  /** Where the next bar begins. */
  joinsAt: number;
}

function StepRow({ name, points, bar, y, joinsAt }: StepRowProps): ReactNode {
  const top = y + BAR.top;
  const isStart = bar.from === 0 && y === HEAD;
  return (
    <g className={isStart ? "step start" : `step ${bar.direction}`}>
      <text x="4" y={y + 15}>
        {name}
        <tspan className="points" dx="8">
          {isStart ? inPoints(points) : signed(points)}
        </tspan>
      </text>
      <rect
        x={percent(bar.left)}
        width={percent(Math.max(bar.width, LEAST_WIDTH))}
        y={top}
        height={BAR.height}
        rx="2"
      />
      <line x1={percent(joinsAt)} x2={percent(joinsAt)} y1={top + BAR.height} y2={y + ROW + BAR.top} />
    </g>
  );
}

interface TotalProps {
  total: number;
  at(score: number): number;
  y: number;
}
const Total = ({ total, at, y }: TotalProps): ReactNode => (
  <g className={`step total ${levelOf(total)}`}>
    <text x="4" y={y + 15}>
      Confidence
      <tspan className="points" dx="8">
        {inPoints(total)}: {levelOf(total)}
      </tspan>
    </text>
    <rect x={percent(at(0))} width={percent(at(total) - at(0))} y={y + BAR.top} height={BAR.height} rx="2" />
  </g>
);
