import type { ListRow } from "../../../api/client.ts";

export type Task = ListRow<"GET /strategic/assignments">;

export const TASK_STATUSES = [
  ["open", "Not taken on yet"],
  ["accepted", "Taken on"],
  ["done", "Done"],
  ["declined", "Declined"],
] as const satisfies readonly (readonly [Task["status"], string])[];

export const taskWords = (status: Task["status"]): string => TASK_STATUSES.find(([name]) => name === status)![1];

/** Where what a task is about can be seen; objectives, reviews and containers have no page of their own. */
export const subjectAddress = ({ problemSetId, subjectKind, subjectId }: Task): string | undefined =>
  subjectKind === "document" ? `/workspace/${problemSetId}/documents/${subjectId}` : undefined;
