import type { LlmPrices } from "../../../../adapters/llm/llm.ts";
import { templateOf } from "../builder/templates.ts";
import { MODEL_FIELDS, type Agent } from "./agents.ts";

/** Where a value comes from; the first in this order that has one wins. */
export const ORIGINS = ["agent", "template", "platform"] as const;
export type ValueOrigin = (typeof ORIGINS)[number];

type ModelField = keyof typeof MODEL_FIELDS;
export type ModelConfig = Pick<Agent, ModelField>;
const FIELDS = Object.keys(MODEL_FIELDS) as ModelField[];

/** An agent's character, and where it comes from. */
export function characterOf({ character, templateId }: Pick<Agent, "character" | "templateId">): {
  character: string;
  source: ValueOrigin;
} {
  if (character) return { character, source: "agent" };
  const template = templateOf(templateId);
  return template ? { character: template.character, source: "template" } : { character: "", source: "platform" };
}

/** What the model of an agent costs; undefined where it is what the installation's does. */
export function pricesOf(agent: ModelConfig & Pick<Agent, "templateId">, platform: LlmPrices): LlmPrices | undefined {
  const { priceIn, priceOut } = modelOf(agent).value;
  return priceIn === undefined && priceOut === undefined
    ? undefined
    : { ...platform, ...defined({ priceIn, priceOut }) };
}
const defined = (prices: LlmPrices): LlmPrices =>
  Object.fromEntries(Object.entries(prices).filter(([, value]) => value !== undefined));

/** An agent's model settings, field by field with their origin; `platform` are the installation's. */
export function modelOf(
  agent: ModelConfig & Pick<Agent, "templateId">,
  platform: ModelConfig = {},
): { value: ModelConfig; sources: Record<ModelField, ValueOrigin> } {
  const template = (templateOf(agent.templateId) ?? {}) as ModelConfig;
  const from = (field: ModelField): ValueOrigin =>
    agent[field] !== undefined ? "agent" : template[field] !== undefined ? "template" : "platform";
  const layers = { agent, template, platform } satisfies Record<ValueOrigin, ModelConfig>;
  const entries = FIELDS.map((field) => [field, layers[from(field)][field]] as const);
  return {
    value: Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    sources: Object.fromEntries(FIELDS.map((field) => [field, from(field)])) as Record<ModelField, ValueOrigin>,
  };
}
