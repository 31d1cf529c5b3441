import type { ListRow } from "../../api/client.ts";

export type Remark = ListRow<"GET /inheritance/{id}/annotations">;
export type RemarkKind = Remark["kind"];

export const REMARK_KINDS = [
  ["note", "note"],
  ["question", "question"],
  ["concern", "concern: it cannot be done so, or harms"],
  ["agreement", "agreement"],
] as const satisfies readonly (readonly [RemarkKind, string])[];
export const remarkTone = (kind: RemarkKind): "warn" | "good" | "info" | "plain" =>
  kind === "concern" ? "warn" : kind === "agreement" ? "good" : kind === "question" ? "info" : "plain";
