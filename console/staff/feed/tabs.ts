import type { ListRow } from "../../api/client.ts";

export type StaffTab = ListRow<"GET /ai-staff/{problemSetId}/routing">["tab"];
/** What of a workspace something is about; an agent can serve each. The compiler finds one that is missing. */
export const TABS = Object.keys({
  overview: true,
  news: true,
  documents: true,
  objectives: true,
  design: true,
  plan: true,
  missions: true,
  gates: true,
  governance: true,
  picture: true,
  resources: true,
  messages: true,
} satisfies Record<StaffTab, true>) as readonly StaffTab[];
