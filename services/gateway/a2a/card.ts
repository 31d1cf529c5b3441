import { VERSION } from "../../../config/version.ts";

/** The base path of the HTTP+JSON binding. */
export const A2A_PATH = "/a2a";
export const PROTOCOL = "1.0";
/** Media types that messages may contain and that artifacts have. */
export const MODES = ["text/plain", "application/json"] as const;

const APPROVALS =
  "An act that a person must approve stops a task in TASK_STATE_AUTH_REQUIRED: a person approves it on the platform, " +
  "signed in themselves; no message does.";
const HOW =
  `Have an agent work on a task in a problem set (contextId) or outside of all. ${APPROVALS} The agents that you may ` +
  "ask are the skills of the extended card; which one is meant says the tenant of a request.";

interface Skill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples?: string[];
}

/** What the card tells strangers: that the platform accepts tasks, without naming an agent. */
const ANY_TASK: Skill = {
  id: "task",
  name: "Carry out a task",
  description: HOW,
  tags: ["intelligence", "planning", "news", "tasks"],
  examples: ["List the open gates.", "What do our documents say about the northern bridge?"],
};

/** An agent as the registry shows it to the caller. */
export interface KnownAgent {
  id: string;
  name: string;
  description?: string;
  problemSetId?: string;
  capabilities: readonly string[];
  version: number;
  status: string;
}

const skillOf = ({ id, name, description, problemSetId, capabilities }: KnownAgent): Skill => ({
  id,
  name,
  description: [
    description,
    problemSetId
      ? `It works in the problem set ${problemSetId}: give that as contextId.`
      : "It works in every problem set.",
    `Give ${id} as tenant.`,
  ]
    .filter(Boolean)
    .join(" "),
  tags: [...capabilities],
});

function cardOf(
  origin: string,
  about: { name: string; description: string; version: string; tenant?: string },
  skills: Skill[],
) {
  const { name, description, version, tenant } = about;
  return {
    name,
    description,
    version,
    provider: { organization: "Signalmesh", url: origin },
    documentationUrl: `${origin}/api/docs`,
    supportedInterfaces: [
      {
        url: `${origin}${A2A_PATH}`,
        protocolBinding: "HTTP+JSON",
        protocolVersion: PROTOCOL,
        ...(tenant !== undefined && { tenant }),
      },
    ],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
    securitySchemes: {
      bearer: {
        httpAuthSecurityScheme: {
          description: "A person's token, as POST /api/auth/login answers it.",
          scheme: "Bearer",
          bearerFormat: "JWT",
        },
      },
      apiKey: {
        apiKeySecurityScheme: {
          description: "A key of a person's. It shows tasks within its scopes; it neither begins nor cancels any.",
          location: "header",
          name: "X-API-Key",
        },
      },
    },
    // An empty list of scopes is the default, which canonical cards omit.
    securityRequirements: [{ schemes: { bearer: {} } }, { schemes: { apiKey: {} } }],
    defaultInputModes: [...MODES],
    defaultOutputModes: [...MODES],
    skills,
  };
}
export type Card = ReturnType<typeof cardOf>;

const platform = {
  name: "Signalmesh",
  description: `Intelligence and planning by a staff of agents. ${HOW}`,
  version: VERSION,
};

/** The card for everybody, which names no agent. */
export const publicCard = (origin: string): Card => cardOf(origin, platform, [ANY_TASK]);

/** The card for a signed-in caller: its skills are the agents that they may see. */
export const extendedCard = (origin: string, agents: readonly KnownAgent[]): Card =>
  cardOf(origin, platform, agents.length ? agents.map(skillOf) : [ANY_TASK]);

/** The card of one agent, whose interface names it as tenant. */
export const agentCard = (origin: string, agent: KnownAgent): Card =>
  cardOf(
    origin,
    {
      name: agent.name,
      description: [agent.description, APPROVALS].filter(Boolean).join(" "),
      version: String(agent.version),
      tenant: agent.id,
    },
    [skillOf(agent)],
  );
