import type { ListRow } from "../../api/client.ts";

export type KnownObjective = ListRow<"GET /strategic/objectives">;
export type ObjectiveKind = NonNullable<KnownObjective["kind"]>;

export const objectiveAddress = (id: string): string => `/knowledge/strategy/${id}`;

/** From the widest to the narrowest. */
export const OBJECTIVE_KINDS = ["end-state", "goal", "objective", "task"] as const satisfies readonly ObjectiveKind[];

export const KIND_WORDS: Readonly<Record<ObjectiveKind, string>> = {
  "end-state": "End state",
  goal: "Goal",
  objective: "Objective",
  task: "Task",
};

/** An objective with what stands under it in its document: nothing says which belongs to which but their order and kind. */
export interface ObjectiveBranch {
  objective: KnownObjective;
  under: ObjectiveBranch[];
}
export interface ObjectiveTree {
  /** Absent for those that were written by hand. */
  documentId: string | undefined;
  branches: ObjectiveBranch[];
}

const widthOf = ({ kind }: KnownObjective): number => OBJECTIVE_KINDS.indexOf(kind ?? "objective");
const placeOf = ({ citations, createdAt }: KnownObjective): [number, string] => [citations[0]?.start ?? 0, createdAt];

function inOrder(one: KnownObjective, other: KnownObjective): number {
  const [[start, made], [otherStart, otherMade]] = [placeOf(one), placeOf(other)];
  return start - otherStart || (made < otherMade ? -1 : 1);
}

/** As an outline is read: what is narrower stands under the last wider one before it. */
function branchesOf(objectives: readonly KnownObjective[]): ObjectiveBranch[] {
  const top: ObjectiveBranch[] = [];
  const open: ObjectiveBranch[] = [];
  for (const objective of objectives.toSorted(inOrder)) {
    const branch = { objective, under: [] };
    while (open.length && widthOf(open.at(-1)!.objective) >= widthOf(objective)) open.pop();
    (open.at(-1)?.under ?? top).push(branch);
    open.push(branch);
  }
  return top;
}

/** Objectives by the documents that they come from, each as an outline. */
export const treesOf = (objectives: readonly KnownObjective[]): ObjectiveTree[] =>
  [...Map.groupBy(objectives, ({ documentId }) => documentId)].map(([documentId, all]) => ({
    documentId,
    branches: branchesOf(all),
  }));

/** How far it has got from where it began to where it must get, 0 to 1. */
export function progressOf(
  { measure }: Pick<KnownObjective, "measure">,
  value: number | undefined,
): number | undefined {
  if (!measure || value === undefined) return undefined;
  const { baseline = 0, target } = measure;
  if (target === baseline) return value === target ? 1 : 0;
  return Math.min(1, Math.max(0, (value - baseline) / (target - baseline)));
}
