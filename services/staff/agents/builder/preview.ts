import { estimateTokens } from "../../../../adapters/llm/budget/budget.ts";
import { quoting, type ChatMessage, type OfferedTool, type ToolForm } from "../../../../adapters/llm/llm.ts";
import { asSent, conversation, offered, sectionsOf, type PromptSection } from "../executions/prompt.ts";
import type { Definition } from "../gate/definitions.ts";
import { hashOf } from "../gate/hash.ts";
import type { Agent } from "../registry/agents.ts";

/** Values known only during a run: shown by name, between double braces. */
const BLANKS = {
  nonce: "The random word that marks quoted texts; each question draws another.",
  task: "The task that it is given.",
  input: "The task's structured input, as JSON.",
} as const;
type Blank = keyof typeof BLANKS;
const blank = (name: Blank): string => `{{${name}}}`;

export interface Preview {
  messages: ChatMessage[];
  /** How tools are currently offered to the model's endpoint; natively they are sent beside the messages. */
  form: ToolForm;
  tools: OfferedTool[];
  sections: (PromptSection & { tokens: number })[];
  blanks: { name: string; placeholder: string; meaning: string }[];
  tokens: number;
  hash: string;
}

const tokensOf = (content: string): number => estimateTokens([{ role: "system", content }]);

/** The first request of a run, made by the same code, exactly as it is sent. */
export function previewOf(
  agent: Pick<Agent, "character" | "templateId" | "phases">,
  tools: readonly Definition[],
  given: { task?: string | undefined; input?: Record<string, unknown> | undefined },
  form: ToolForm,
): Preview {
  const nonce = blank("nonce");
  const task = given.task ?? blank("task");
  const input = given.input ? JSON.stringify(given.input) : blank("input");
  const messages = asSent(conversation({ task, input }, agent, [], nonce), tools, form);
  const beside = form === "native" ? offered(tools) : [];
  const { rule } = quoting({ hasTools: true, nonce });
  const open = [
    "nonce" as const,
    ...(given.task === undefined ? (["task"] as const) : []),
    ...(given.input === undefined ? (["input"] as const) : []),
  ];
  return {
    messages,
    form,
    tools: beside,
    sections: sectionsOf(agent, tools, rule, form).map((section) => ({ ...section, tokens: tokensOf(section.text) })),
    blanks: open.map((name) => ({ name, placeholder: blank(name), meaning: BLANKS[name] })),
    tokens: estimateTokens(messages) + (beside.length ? tokensOf(JSON.stringify(beside)) : 0),
    hash: hashOf({ messages, tools: beside }),
  };
}
