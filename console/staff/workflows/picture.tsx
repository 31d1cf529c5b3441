import { useMemo, type ReactNode } from "react";
import { BOX, placed, type DrawnWorkflow } from "./layout.ts";

export const KIND_WORDS: Readonly<Record<string, string>> = {
  agent: "a task",
  tool: "an act",
  condition: "a condition",
  map: "for each",
  checkpoint: "a person decides",
  wait: "a pause",
  end: "the end",
  round: "a round",
};
const LONGEST = 20;
const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

/** The steps of a workflow as a picture; the table below says the same in words. */
export function WorkflowPicture({ graph }: { graph: DrawnWorkflow }): ReactNode {
  const { width, height, nodes, edges } = useMemo(() => placed(graph), [graph]);
  return (
    // Whoever has no pointer scrolls it by the arrow keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="graph" tabIndex={0} role="group" aria-label="Picture of the steps; the table says the same">
      <svg width={width} height={height} aria-hidden="true">
        {edges.map(({ key, path, state, label }) => (
          <g key={key}>
            <path d={path} className={state} />
            {label && (
              <text className="small" x={label.x} y={label.y} textAnchor="middle">
                {label.text}
              </text>
            )}
          </g>
        ))}
        {nodes.map(({ id, kind, state, items, x, y }) => (
          <g key={id} className={state} transform={`translate(${x},${y})`}>
            <rect width={BOX.width} height={BOX.height} rx={8} />
            <text x={12} y={23}>
              {short(id)}
            </text>
            <text className="small" x={12} y={42}>
              {KIND_WORDS[kind]}
              {items ? ` (${items})` : ""}: {state}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}
