import type { Data } from "../../api/client.ts";

export type DrawnWorkflow = Data<"GET /orchestration/executions/{executionId}/graph">;
type Node = DrawnWorkflow["nodes"][number];

export const BOX = { width: 160, height: 56 } as const;
const GAP = { x: 56, y: 24 } as const;
const MARGIN = 16;

export interface PlacedNode extends Node {
  x: number;
  y: number;
}
export interface PlacedEdge {
  key: string;
  path: string;
  state: DrawnWorkflow["edges"][number]["state"];
  /** Where the edge's word stands; absent for the ordinary "done". */
  label?: { text: string; x: number; y: number };
}
export interface PlacedGraph {
  width: number;
  height: number;
  nodes: PlacedNode[];
  edges: PlacedEdge[];
}

/** Steps in columns by level, those of a level below each other and centred; edges run from right to left sides. */
export function placed({ nodes, edges }: DrawnWorkflow): PlacedGraph {
  const columns = new Map<number, Node[]>();
  for (const node of nodes) columns.set(node.level, [...(columns.get(node.level) ?? []), node]);
  const tallest = Math.max(1, ...[...columns.values()].map(({ length }) => length));
  const heightOf = (count: number): number => count * BOX.height + (count - 1) * GAP.y;
  const at = new Map<string, PlacedNode>();
  for (const [level, column] of columns) {
    const top = MARGIN + (heightOf(tallest) - heightOf(column.length)) / 2;
    column.forEach((node, row) =>
      at.set(node.id, {
        ...node,
        x: MARGIN + level * (BOX.width + GAP.x),
        y: top + row * (BOX.height + GAP.y),
      }),
    );
  }
  const levels = Math.max(0, ...columns.keys()) + 1;
  return {
    width: 2 * MARGIN + levels * BOX.width + (levels - 1) * GAP.x,
    height: 2 * MARGIN + heightOf(tallest),
    nodes: [...at.values()],
    edges: edges.flatMap((edge) => placedEdge(edge, at.get(edge.from), at.get(edge.to))),
  };
}

function placedEdge(
  { from, to, on, state }: DrawnWorkflow["edges"][number],
  start: PlacedNode | undefined,
  end: PlacedNode | undefined,
): PlacedEdge[] {
  if (!start || !end) return [];
  const [x1, y1] = [start.x + BOX.width, start.y + BOX.height / 2];
  const [x2, y2] = [end.x, end.y + BOX.height / 2];
  const bend = Math.max(GAP.x / 2, (x2 - x1) / 2);
  const path = `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
  const label = on === "done" ? undefined : { text: on, x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 4 };
  return [{ key: `${from} ${on} ${to}`, path, state, ...(label && { label }) }];
}
