import { z } from "zod";
import { ACTION_CLASSES, SAFETY_VERDICTS } from "../../../../config/safety.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { PHASES, TITLES } from "../../../workspace/mdmp/client.ts";
import { toolsNamed } from "../gate/definitions.ts";
import { administering } from "../registry/administering.ts";
import { Agent, MODEL_FIELDS } from "../registry/agents.ts";
import { demandTools, startingFrom } from "../registry/enrolling.ts";
import { AGENT_CAPABILITIES } from "./capabilities.ts";
import { BuilderFinding, findingsOf, isHarmless } from "./findings.ts";
import { LEVELS } from "./levels.ts";
import { previewOf } from "./preview.ts";
import { TEMPLATES } from "./templates.ts";

const PHASES_VERSION = 1;
const version = z.int().describe("Rises with every change of it.");
const Named = { id: z.string(), version, name: z.string(), description: z.string() };

const TemplateView = z
  .object({
    ...Named,
    character: z.string(),
    capabilities: z.array(z.string()),
    phases: z.array(z.string()),
    autonomy: z.int(),
    maxTokens: MODEL_FIELDS.maxTokens,
    temperature: MODEL_FIELDS.temperature,
    budget: MODEL_FIELDS.budget,
  })
  .meta({ id: "AgentTemplate" });
const CapabilityView = z.object({ ...Named, tools: z.array(z.string()) }).meta({ id: "AgentCapability" });
const PhaseView = z
  .object({ id: z.enum(PHASES), version, name: z.string(), order: z.int() })
  .meta({ id: "AgentPhase" });
const LevelView = z
  .object({
    level: z.int(),
    version,
    name: z.string(),
    meaning: z.string(),
    verdicts: z
      .record(z.enum(ACTION_CLASSES), z.enum(SAFETY_VERDICTS))
      .describe("The best verdict of the safety matrix: with full authority, and without foreign text."),
  })
  .meta({ id: "AutonomyLevel" });

const PreviewView = z
  .object({
    messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })),
    form: z
      .enum(["native", "structured"])
      .describe("How the model's endpoint currently gets tools: natively, or described within the messages."),
    tools: z
      .array(z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) }))
      .describe("The tools sent beside the messages; empty if they are described in words."),
    sections: z.array(z.object({ name: z.string(), origin: z.string(), text: z.string(), tokens: z.int() })),
    blanks: z.array(z.object({ name: z.string(), placeholder: z.string(), meaning: z.string() })),
    tokens: z.int().describe("By the budget's estimate, before an answer gives the real number."),
    hash: z.string().describe("SHA-256 over the canonical JSON of `messages` and `tools`."),
  })
  .meta({ id: "PromptPreview" });

/** A draft at any stage of completion; keys that act as store operators or prototypes are refused. */
const AnyDraft = z
  .unknown()
  .refine(isHarmless, "Names that begin with $ or _, and `constructor`, are no fields.")
  .describe("The body of `POST /api/admin/agents`, even if incomplete.");

export const builderActions = {
  "templates.list": endpoint({
    rest: "GET /admin/agent-builder/templates",
    summary: "List ready-made agents to start from",
    permit: administering,
    returns: data(z.array(TemplateView)),
    handler: () => TEMPLATES.map((one) => ({ ...one, capabilities: [...one.capabilities], phases: [...one.phases] })),
  }),

  "capabilities.list": endpoint({
    rest: "GET /admin/agent-builder/capabilities",
    summary: "List the capabilities that agents can have, and the tools they need",
    permit: administering,
    returns: data(z.array(CapabilityView)),
    handler: () => AGENT_CAPABILITIES.map((one) => ({ ...one, tools: [...one.tools] })),
  }),

  "phases.list": endpoint({
    rest: "GET /admin/agent-builder/phases",
    summary: "List the phases that agents can take part in",
    permit: administering,
    returns: data(z.array(PhaseView)),
    description: "Those of the military decision-making process, in order.",
    handler: () => PHASES.map((id, order) => ({ id, version: PHASES_VERSION, name: TITLES[id], order })),
  }),

  "levels.list": endpoint({
    rest: "GET /admin/agent-builder/autonomy-levels",
    summary: "List the levels of autonomy",
    permit: administering,
    returns: data(z.array(LevelView)),
    description:
      "Each with what the safety matrix allows at that level. Once an agent has read a text by somebody " +
      "else, it counts as one level higher, and a person decides whatever changes something.",
    handler: () => [...LEVELS],
  }),

  "drafts.validate": endpoint({
    rest: "POST /admin/agent-builder/validate",
    summary: "Check a draft of an agent",
    permit: administering,
    reads: true,
    body: AnyDraft,
    returns: data(z.object({ valid: z.boolean(), findings: z.array(BuilderFinding) })),
    description:
      "Always 200. Errors are what would be refused or could never work: unknown fields and tools, " +
      "classes that the autonomy forbids, costs without prices, models that the provider lacks, " +
      "contradictory limits. Warnings are worth a look.",
    example: { name: "News analyst", templateId: "news-analyst" },
    async handler(ctx) {
      const findings = await findingsOf(this, ctx, ctx.params.body);
      return { valid: findings.every(({ level }) => level !== "error"), findings };
    },
  }),

  "drafts.preview": endpoint({
    rest: "POST /admin/agent-builder/preview-prompt",
    summary: "Preview the prompt of a draft agent",
    permit: administering,
    reads: true,
    body: {
      ...Agent.create,
      task: z.string().trim().min(1).max(20_000).optional(),
      input: z.record(z.string().max(100), z.unknown()).optional(),
    },
    returns: data(PreviewView),
    description:
      "Produced by the same code as in runs: `messages` are exactly what the model is sent first, with " +
      "values known only at run time as named placeholders. A run offers only the tools that are also " +
      "delegated.",
    example: { name: "News analyst", templateId: "news-analyst" },
    async handler(ctx) {
      const { task, input, ...draft } = ctx.params;
      await demandTools(this, draft);
      const agent = startingFrom(draft as Partial<Agent>) as Agent;
      const tools = [...(await toolsNamed(this, agent.tools)).values()].filter(
        ({ disabled }) => disabled === undefined,
      );
      return previewOf(agent, tools, { task, input }, this.world.llm.toolForm);
    },
  }),
};
