/**
 * Pages of the console by the domain of an operation, or by domain and noun where a noun has a page of its own, as paths;
 * `:set` stands for the problem set that is spoken of.
 */
const PAGES: Readonly<Record<string, readonly [to: string, words: string]>> = {
  accounts: ["/identity", "Account"],
  admin: ["/platform", "Administration"],
  agents: ["/staff/agents", "Agents"],
  "agents.assignments": ["/staff/tools", "Agents: Tools"],
  "agents.members": ["/staff/teams", "Agents: Teams"],
  "agents.teams": ["/staff/teams", "Agents: Teams"],
  "agents.tools": ["/staff/tools", "Agents: Tools"],
  "ai-staff": ["/staff/feed", "Assistant: Feed"],
  articles: ["/news/articles", "Articles"],
  assistant: ["/staff", "Assistant"],
  audit: ["/platform/audit", "Administration: Audit log"],
  auth: ["/identity/sign-in", "Account: Signing in"],
  briefings: ["/news/briefings", "Briefings"],
  command: ["/workspace/:set/units", "Missions: Units"],
  cop: ["/picture", "Picture"],
  credentials: ["/identity/credentials", "Account: Credentials"],
  dao: ["/workspace/:set/dao", "DAOs"],
  design: ["/workspace/:set/design", "Direction: Design"],
  discovery: ["/picture/discovery", "Picture: Devices"],
  documents: ["/workspace/:set/documents", "Documents"],
  "edge-sync": ["/picture/edge", "Picture: Edge nodes"],
  encryption: ["/identity/encryption", "Account: Encryption"],
  escrow: ["/news/escrow", "Bounties"],
  "escrow.subscriptions": ["/news/escrow/subscriptions", "Bounties: Subscriptions"],
  gates: ["/workspace/:set/gates", "Gates"],
  graph: ["/knowledge", "Graph"],
  identity: ["/identity/credentials", "Account: Credentials"],
  inheritance: ["/workspace/:set/direction", "Direction"],
  "inheritance.rfis": ["/workspace/:set/rfis", "Requests"],
  jobs: ["/platform/jobs", "Administration: Jobs"],
  keys: ["/identity/keys", "Account: API keys"],
  mdmp: ["/workspace/:set/missions", "Missions"],
  messages: ["/workspace/:set/messages", "Messages"],
  missions: ["/workspace/:set/missions", "Missions"],
  orchestration: ["/staff/workflows", "Workflows"],
  "problem-sets": ["/workspace", "Problem sets"],
  resources: ["/picture/resources", "Picture: Resources"],
  "resources.consumables": ["/picture/resources/supplies", "Picture: Supplies"],
  "resources.groups": ["/picture/resources/groups", "Picture: Groups of resources"],
  "resources.members": ["/picture/resources/groups", "Picture: Groups of resources"],
  search: ["/news/articles", "Articles"],
  sensors: ["/picture/sensors", "Picture: Sensors"],
  "source-lists": ["/news/sources/lists", "Sources: Lists"],
  sources: ["/news/sources", "Sources"],
  strategic: ["/knowledge/strategy", "Graph: Strategy"],
  "strategic-agents": ["/knowledge/intelligence", "Graph: Intelligence"],
  "strategic-agents.monitors": ["/knowledge/intelligence/monitors", "Graph: Monitors and alerts"],
  "strategic-agents.alerts": ["/knowledge/intelligence/monitors", "Graph: Monitors and alerts"],
  "strategic-agents.checkpoints": ["/knowledge/intelligence/cycles", "Graph: Intelligence cycles"],
  "strategic-agents.cycles": ["/knowledge/intelligence/cycles", "Graph: Intelligence cycles"],
  "strategic-tools": ["/workspace/:set/documents/topics", "Documents: What they are about"],
  "strategic.containerAgents": ["/workspace/:set/containers", "Documents: Containers"],
  "strategic.agentRuns": ["/workspace/:set/containers", "Documents: Containers"],
  "strategic.assignments": ["/workspace/:set/tasks", "Documents: Tasks"],
  "strategic.categories": ["/workspace/:set/containers", "Documents: Containers"],
  "strategic.containers": ["/workspace/:set/containers", "Documents: Containers"],
  "strategic.placements": ["/workspace/:set/containers", "Documents: Containers"],
  "strategic.suggestions": ["/workspace/:set/containers", "Documents: Containers"],
  "user-mode": ["/identity", "Account"],
  "user-profile": ["/identity", "Account"],
  validation: ["/staff/validation", "Validation"],
  verification: ["/news/articles", "Articles"],
  webhooks: ["/news/webhooks", "Webhooks"],
};

/**
 * The page of the console that has to do with an operation (`sources.create`): its address and its words. Undefined where
 * there is none; pages of a problem set lead to the list of sets where none is spoken of.
 */
export function operationPlace(
  operation: string,
  setId: string | undefined,
): { to: string; words: string } | undefined {
  const [domain = "", noun] = operation.split(".");
  const found = PAGES[`${domain}.${noun}`] ?? PAGES[domain];
  if (!found) return undefined;
  const [to, words] = found;
  if (setId !== undefined) return { to: to.replace(":set", setId), words };
  return to.includes(":set") ? { to: "/workspace", words: `Problem sets, then ${words}` } : { to, words };
}
