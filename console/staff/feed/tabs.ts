import type { ListRow } from "../../api/client.ts";

export type StaffTab = ListRow<"GET /ai-staff/{problemSetId}/routing">["tab"];
/** What of a workspace something is about; an agent can serve each. */
export const TABS: readonly StaffTab[] = [
  "overview",
  "news",
  "documents",
  "objectives",
  "design",
  "plan",
  "missions",
  "gates",
  "governance",
  "picture",
  "resources",
  "messages",
];
