import type { Data, Input } from "../../../api/client.ts";

export type Enrolment = Input<"POST /admin/agents">["body"];
export type AgentTemplate = Data<"GET /admin/agent-builder/templates">[number];

/** An agent as far as it has been written; numbers are texts until they are sent. */
export interface Draft {
  templateId: string;
  name: string;
  description: string;
  /** The compartment whose readers alone see it. */
  compartment: string;
  capabilities: readonly string[];
  tools: readonly string[];
  phases: readonly string[];
  autonomy: number;
  character: string;
  model: string;
  maxTokens: string;
  temperature: string;
  calls: string;
  tokens: string;
  cost: string;
}

/** It proposes, and a person decides. */
const FIRST_AUTONOMY = 1;
export const EMPTY: Draft = {
  templateId: "",
  name: "",
  description: "",
  compartment: "",
  capabilities: [],
  tools: [],
  phases: [],
  autonomy: FIRST_AUTONOMY,
  character: "",
  model: "",
  maxTokens: "",
  temperature: "",
  calls: "",
  tokens: "",
  cost: "",
};

/** What a template says is taken over; a name of one's own stays. */
export function startedFrom(
  draft: Draft,
  before: AgentTemplate | undefined,
  template: AgentTemplate | undefined,
): Draft {
  const hasOwnName = draft.name !== "" && draft.name !== before?.name;
  return {
    ...draft,
    templateId: template?.id ?? "",
    name: hasOwnName ? draft.name : (template?.name ?? ""),
    capabilities: template?.capabilities ?? [],
    phases: template?.phases ?? [],
    autonomy: template?.autonomy ?? FIRST_AUTONOMY,
  };
}

const numberIn = <N extends string>(name: N, text: string): { [K in N]?: number } =>
  (text.trim() === "" ? {} : { [name]: Number(text) }) as { [K in N]?: number };
const textIn = (name: string, text: string): object => (text.trim() === "" ? {} : { [name]: text.trim() });

/** The draft as the API takes it; what is not filled in is left to the template, and then to the platform. */
export function bodyOf(draft: Draft, problemSetId: string | undefined): Enrolment {
  const { compartment, capabilities, tools, phases, autonomy, calls, tokens, cost } = draft;
  const budget = { ...numberIn("calls", calls), ...numberIn("tokens", tokens), ...numberIn("cost", cost) };
  return {
    name: draft.name.trim(),
    ...textIn("description", draft.description),
    ...textIn("templateId", draft.templateId),
    ...textIn("character", draft.character),
    ...textIn("model", draft.model),
    ...numberIn("maxTokens", draft.maxTokens),
    ...numberIn("temperature", draft.temperature),
    ...(Object.keys(budget).length > 0 && { budget }),
    ...(problemSetId !== undefined && { problemSetId }),
    ...(compartment && { compartments: [compartment] }),
    capabilities: [...capabilities] as NonNullable<Enrolment["capabilities"]>,
    tools: [...tools],
    phases: [...phases] as NonNullable<Enrolment["phases"]>,
    autonomy,
  };
}

/** A list with something in it, or without it. */
export const toggled = (list: readonly string[], one: string): readonly string[] =>
  list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
