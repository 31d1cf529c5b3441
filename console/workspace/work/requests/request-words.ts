import type { Data, ListRow } from "../../../api/client.ts";

export type InformationRequest = ListRow<"GET /inheritance/{id}/rfis">;
export type RequestShown = Data<"GET /inheritance/{id}/rfis/{rfiId}">;
export type RequestStatus = InformationRequest["status"];
export type RequestPriority = InformationRequest["priority"];
/** Asked of the set above, or by the sets below. */
export type RequestDirection = "sent" | "received";

export const REQUEST_STATUSES = [
  ["open", "Open: waits for an answer"],
  ["answered", "Answered: whoever asked is to look at it"],
  ["closed", "Closed: the answer is enough"],
  ["withdrawn", "Withdrawn"],
] as const satisfies readonly (readonly [RequestStatus, string])[];

export const REQUEST_PRIORITIES = [
  ["routine", "Routine"],
  ["priority", "Priority: before others"],
  ["immediate", "Immediate: at once"],
] as const satisfies readonly (readonly [RequestPriority, string])[];

/** Whether somebody has still to do something about it. */
export const isPending = ({ status }: Pick<InformationRequest, "status">): boolean =>
  status === "open" || status === "answered";
