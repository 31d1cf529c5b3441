import type { ToolName } from "../../../../config/tools.ts";

/** Something an agent can be good at, and the tools that it needs. */
export interface Capability {
  id: string;
  version: number;
  name: string;
  description: string;
  tools: readonly ToolName[];
}

export const AGENT_CAPABILITIES = [
  {
    id: "news-reading",
    version: 1,
    name: "Reading the news",
    description: "Finds articles and briefings, and reads them.",
    tools: ["list_articles", "read_article", "search_articles", "list_briefings", "read_briefing"],
  },
  {
    id: "fact-checking",
    version: 1,
    name: "Checking claims",
    description: "Takes claims out of articles, and shows what supports or contradicts them.",
    tools: ["read_article", "read_claims", "verification_summary", "extract_claims", "analyse_bias"],
  },
  {
    id: "document-reading",
    version: 1,
    name: "Reading documents",
    description: "Finds documents of the problem set and reads their text.",
    tools: ["list_documents", "show_document", "read_document"],
  },
  {
    id: "mission-tracking",
    version: 1,
    name: "Following missions",
    description: "Knows which missions there are, how they stand and when they are due.",
    tools: ["list_missions", "show_mission"],
  },
  {
    id: "governance-watch",
    version: 1,
    name: "Watching gates and votes",
    description: "Sees which gates are open, which are late, and what is being voted on.",
    tools: ["list_gates", "show_gate", "list_daos", "list_proposals"],
  },
  {
    id: "messaging",
    version: 1,
    name: "Writing to members",
    description: "Reads the message board of the problem set and writes there.",
    tools: ["list_messages", "publish_message"],
  },
  {
    id: "mission-planning",
    version: 1,
    name: "Planning missions",
    description: "Opens missions and keeps them up to date; a person approves each.",
    tools: ["list_missions", "show_mission", "open_mission", "edit_mission"],
  },
] as const satisfies readonly Capability[];

export type CapabilityId = (typeof AGENT_CAPABILITIES)[number]["id"];
export const CAPABILITY_IDS = AGENT_CAPABILITIES.map(({ id }) => id) as [CapabilityId, ...CapabilityId[]];

/** The tools of capabilities, each once. */
export const toolsOf = (capabilities: readonly string[]): string[] => [
  ...new Set(
    AGENT_CAPABILITIES.filter(({ id }) => capabilities.includes(id)).flatMap(({ tools }) => [...tools] as string[]),
  ),
];
