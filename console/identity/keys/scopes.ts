import type { Input } from "../../api/client.ts";

export type KeyScope = NonNullable<Input<"POST /keys">["body"]["scopes"]>[number];
type Domain = Exclude<KeyScope, "read" | "write">;

/** The parts of the platform that a key can be confined to, in words; the API's own list says which there are. */
export const DOMAINS: Readonly<Record<Domain, string>> = {
  articles: "articles",
  sources: "sources",
  lists: "lists of sources",
  search: "search",
  verification: "verification",
  briefings: "briefings",
  escrow: "bounties and payments",
  "problem-sets": "problem sets",
  inheritance: "what sets inherit",
  gates: "decision gates",
  missions: "missions",
  command: "units and command",
  mdmp: "the decision process",
  dao: "votes",
  cop: "the picture",
  resources: "resources",
  personnel: "personnel",
  sensors: "sensors",
  messages: "messages",
  discovery: "discovery of devices",
  "edge-sync": "edge nodes",
  graph: "the graph",
  documents: "documents",
  design: "design of operations",
  strategic: "strategy",
  "strategic-tools": "strategy tools",
  "strategic-agents": "strategy agents",
  agents: "agents",
  "ai-staff": "the AI staff",
  assistant: "the assistant",
  orchestration: "teams of agents",
  validation: "validation of agents",
  identity: "identities",
  accounts: "blockchain accounts",
  credentials: "credentials",
  encryption: "encryption",
  users: "people's accounts",
  auth: "sign-in",
  keys: "API keys",
  "user-mode": "the mode",
  "user-profile": "profiles",
  platform: "administration",
  audit: "the audit log",
  jobs: "background jobs",
};

/** "Reads articles and search", "Reads and changes everything that you may". */
export function scopesInWords(scopes: readonly string[]): string {
  const does = scopes.includes("write") ? "Reads and changes" : "Reads";
  const of = scopes.filter((scope) => scope !== "read" && scope !== "write");
  if (!of.length) return `${does} everything that you may`;
  const words = of.map((scope) => DOMAINS[scope as Domain] ?? scope);
  const last = words.pop()!;
  return `${does} ${words.length ? `${words.join(", ")} and ${last}` : last}`;
}
