import { z } from "zod";
import { ACTION_CLASSES, type ActionClass } from "../../../../config/safety.ts";
import { TOOL_NAMES, TOOLS, type ToolName } from "../../../../config/tools.ts";
import { Compartments } from "../../../../core/access/place.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { conflict, type Detail } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

export const ToolChoice = z.enum(TOOL_NAMES);
export const CIRCUITS = ["closed", "open", "probing"] as const;
/** Agents that lie in no problem set: whoever is signed in knows of them. */
const EVERYWHERE = "platform";

export const Agent = entity("agents", {
  title: "agent",
  fields: {
    problemSetId: TextId.optional().describe("The problem set that it may be used in; in every one without it."),
    compartments: Compartments,
    scope: z.literal(EVERYWHERE).optional(),
    did: z.string().describe("Its own identifier, of the entity type `agent`."),
    name: z.string().trim().min(1).max(120),
    description: z.string().max(2_000).optional(),
    character: z
      .string()
      .max(8_000)
      .default("")
      .describe("What it is told of itself and its work before every task; whoever enrols it vouches for this text."),
    model: z.string().max(200).optional().describe("The model it should think by; the installation's without it."),
    tools: z
      .array(ToolChoice)
      .max(TOOL_NAMES.length)
      .default([])
      .overwrite((names) => [...new Set(names)].sort())
      .describe("What it may use at the most; a delegation narrows this further."),
    raised: z
      .partialRecord(ToolChoice, z.enum(ACTION_CLASSES))
      .optional()
      .describe("Tools that count as of a higher class of the safety matrix than their own."),
    teams: z
      .array(z.string().trim().min(1).max(60))
      .max(20)
      .default([])
      .overwrite((names) => [...new Set(names)].sort()),
    autonomy: z
      .int()
      .min(0)
      .max(4)
      .default(1)
      .describe("0 a person does it; 1 it proposes; 2 it acts and a person watches; 3 within limits; 4 alone."),
    version: z.int().describe("Rises with every change of what it is; an approval holds for one version."),
    status: z.enum(["active", "deactivated"]).describe("Set by persons."),
    circuit: z.enum(CIRCUITS).describe("Set by measurement: `open` lets it do nothing."),
    deactivatedBy: PersonId.optional(),
    deactivatedAt: Instant.optional(),
    reason: z.string().optional().describe("Why it was switched off."),
  },
  readonly: ["scope", "did", "version", "status", "circuit", "deactivatedBy", "deactivatedAt", "reason"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["scope"],
  filter: ["problemSetId", "status"],
  sort: ["name"],
  barrier: { set: "problemSetId", compartments: "compartments", outside: () => [{ scope: EVERYWHERE }] },
  most: {
    count: 200,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A problem set has at most ${count} agents of its own.`),
  },
  lists: [{ by: ["problemSetId"] }, { by: ["scope"] }],
  indexes: [{ fields: ["createdBy"] }],
});
export type Agent = Item<typeof Agent>;

/** Where a new one lies: in its problem set, or outside all of them. */
export const scopeOf = (problemSetId: string | undefined) => (problemSetId ? {} : { scope: EVERYWHERE });

/** The class that counts for an agent's use of a tool: the tool's own, or the higher one it was raised to. */
export const classOf = (tool: ToolName, { raised }: Pick<Agent, "raised">): ActionClass =>
  raised?.[tool] ?? TOOLS[tool].class;

/** A tool's class may be raised, never lowered. */
export const loweredIn = (raised: Agent["raised"] = {}): Detail[] =>
  Object.entries(raised)
    .filter(([tool, to]) => ACTION_CLASSES.indexOf(to!) < ACTION_CLASSES.indexOf(TOOLS[tool as ToolName].class))
    .map(([tool]) => ({
      path: `raised.${tool}`,
      message: `Its own class is ${TOOLS[tool as ToolName].class}, which is higher.`,
    }));

/** Why an agent does nothing at the moment; undefined where it may. One that is probed works for validation alone. */
export const pauseOf = (
  { status, circuit }: Pick<Agent, "status" | "circuit">,
  { training = false }: { training?: boolean } = {},
): string | undefined => {
  if (status === "deactivated") return "AGENT_DEACTIVATED";
  return circuit === "closed" || (training && circuit === "probing") ? undefined : "CIRCUIT_OPEN";
};

export interface Team {
  id: string;
  name: string;
  agentIds: string[];
}
/** The teams that agents say they belong to. */
export function teamsOf(agents: readonly Pick<Agent, "id" | "teams">[]): Team[] {
  const names = [...new Set(agents.flatMap(({ teams }) => teams))].sort();
  return names.map((name) => ({
    id: name,
    name,
    agentIds: agents.filter(({ teams }) => teams.includes(name)).map(({ id }) => id),
  }));
}
