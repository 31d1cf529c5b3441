import { z } from "zod";
import { ACTION_CLASSES, type ActionClass } from "../../../../config/safety.ts";
import { barrier as inPlace, Compartments } from "../../../../core/access/place.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { PHASES } from "../../../workspace/mdmp/client.ts";
import { CAPABILITY_IDS } from "../builder/capabilities.ts";
import { TEMPLATE_IDS } from "../builder/templates.ts";
import { higher, ToolChoice } from "../tools/tools.ts";

export const CIRCUITS = ["closed", "open", "probing"] as const;
/** What lies outside all problem sets is visible to every signed-in user. */
export const EVERYWHERE = "platform";
/** In a problem set and its compartments, or outside all of them and visible to everybody. */
export const barrier = { ...inPlace, outside: () => [{ scope: EVERYWHERE }] };
/** Tools of one agent, those of its capabilities included. */
export const MOST_ASSIGNED = 100;

const distinct = <T extends string>(names: readonly T[]): T[] => [...new Set(names)];
const unique = <T extends string>(names: readonly T[]): T[] => distinct(names).sort();

/** The default limits of a run. */
export const Budget = z
  .strictObject({
    calls: z.int().min(1).max(50).optional(),
    tokens: z.int().min(1).max(200_000).optional(),
    cost: z.number().positive().optional(),
  })
  .meta({ id: "AgentBudget" });

const Price = z.number().min(0).max(1_000_000).optional();
/** An agent's model and its settings; missing fields come from the template, then the installation. */
export const MODEL_FIELDS = {
  model: z.string().min(1).max(200).optional().describe("The model it uses; without it, the installation's."),
  priceIn: Price.describe("Of 1,000,000 tokens of its prompts, where its model costs other than the installation's."),
  priceOut: Price.describe("Of 1,000,000 tokens of its answers, likewise."),
  maxTokens: z.int().min(64).max(8_192).optional().describe("Most tokens in an answer of the model."),
  temperature: z.number().min(0).max(2).optional().describe("Use 0 for the most reproducible answers."),
  budget: Budget.optional().describe("Most tokens of a run."),
};

export const Agent = entity("agents", {
  title: "agent",
  fields: {
    problemSetId: TextId.optional().describe("The problem set that it may be used in; without it, every one."),
    compartments: Compartments,
    scope: z.literal(EVERYWHERE).optional(),
    did: z.string().describe("Its own identifier, of the entity type `agent`."),
    name: z.string().trim().min(1).max(120),
    description: z.string().max(2_000).optional(),
    templateId: z.enum(TEMPLATE_IDS).optional().describe("The template for whatever the agent does not define itself."),
    character: z
      .string()
      .max(8_000)
      .default("")
      .describe(
        "Instructions about itself and its work, given before every task; whoever enrols it is " +
          "responsible for this text.",
      ),
    ...MODEL_FIELDS,
    capabilities: z
      .array(z.enum(CAPABILITY_IDS))
      .max(CAPABILITY_IDS.length)
      .default([])
      .overwrite(unique)
      .describe("Its capabilities; adding one assigns its tools."),
    phases: z
      .array(z.enum(PHASES))
      .max(PHASES.length)
      .default([])
      .overwrite((phases) => PHASES.filter((phase) => phases.includes(phase)))
      .describe("Phases of the decision-making process that it takes part in."),
    tools: z
      .array(ToolChoice)
      .max(MOST_ASSIGNED)
      .default([])
      // The order is kept until they are stored: error messages name an element's position.
      .overwrite(distinct)
      .describe("Limits on its usage; a delegation can narrow them further."),
    raised: z
      .record(ToolChoice, z.enum(ACTION_CLASSES))
      .optional()
      .describe("Tools that are given a higher class of the safety matrix than their own."),
    autonomy: z
      .int()
      .min(0)
      .max(4)
      .default(1)
      .describe(
        "0: a person acts; 1: it proposes; 2: it acts and a person watches; 3: it acts within limits; 4: " +
          "it acts alone.",
      ),
    version: z.int().describe("Rises with every change of what it is; an approval holds for one version."),
    status: z.enum(["active", "deactivated"]).describe("Set by people."),
    circuit: z.enum(CIRCUITS).describe("Set by measurement: `open` lets it do nothing."),
    deactivatedBy: PersonId.optional(),
    deactivatedAt: Instant.optional(),
    reason: z.string().optional().describe("Why it was deactivated."),
  },
  // Prices are administrators', with the model's settings: who enrols an agent does not say what it costs.
  readonly: [
    "scope",
    "did",
    "priceIn",
    "priceOut",
    "version",
    "status",
    "circuit",
    "deactivatedBy",
    "deactivatedAt",
    "reason",
  ],
  immutable: ["problemSetId", "compartments"],
  hidden: ["scope"],
  filter: ["problemSetId", "status"],
  sort: ["name"],
  barrier,
  most: {
    count: 200,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A problem set has at most ${count} agents of its own in the same compartments.`),
  },
  lists: [{ by: ["problemSetId"] }, { by: ["scope"] }],
  indexes: [{ fields: ["createdBy"] }, { fields: ["tools"] }],
});
export type Agent = Item<typeof Agent>;

/** The place of a new one: its problem set, or outside all of them. */
export const agentScope = (problemSetId: string | undefined) => (problemSetId ? {} : { scope: EVERYWHERE });

/** The class of an agent's use of a tool: the tool's own, or the higher one set for this agent. */
export const classOf = (tool: { name: string; class: ActionClass }, { raised }: Pick<Agent, "raised">): ActionClass =>
  higher(tool.class, raised?.[tool.name] ?? tool.class);

/** Why an agent does nothing at the moment; undefined where it may act. A probed agent works for validation alone. */
export const pauseOf = (
  { status, circuit }: Pick<Agent, "status" | "circuit">,
  { training = false }: { training?: boolean } = {},
): string | undefined => {
  if (status === "deactivated") return "AGENT_DEACTIVATED";
  return circuit === "closed" || (training && circuit === "probing") ? undefined : "CIRCUIT_OPEN";
};
