import { estimateTokens, priced } from "../../../../adapters/llm/budget.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { hold, settle, type Account } from "../gate/budget.ts";
import type { Definition } from "../gate/definitions.ts";
import type { Proposal } from "../gate/gate.ts";
import type { Agent } from "../registry/agents.ts";
import { modelOf } from "../registry/effective.ts";
import type { Execution, Step } from "./executions.ts";
import { conversation, FINISH, taskOf, turnSchema } from "./prompt.ts";
import { rank } from "../../../../core/text/relevance.ts";

const MOST_ANSWER_TOKENS = 1_024;

/** What is to come next: an act, or the end, with an answer where a model gave one. */
export interface Turn {
  act?: Proposal;
  answer?: { text: string; citations: number[] };
  tokens: number;
  cost?: number;
  /** There was no room for the question on an account. */
  isBroke?: true;
}

/** The best tool for a task by its words, with what of the input it takes; none where no word fits. */
export function heuristicTurn(
  { task, input }: Pick<Execution, "task" | "input">,
  tools: readonly Definition[],
  steps: number,
): Turn {
  if (steps) return { tokens: 0 };
  const scores = rank(
    task,
    tools.map(({ name, summary, description }) => `${name.replaceAll("_", " ")}. ${summary}. ${description}`),
  );
  const best = tools
    .map((tool, at) => ({ tool, score: scores[at]! }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)[0]?.tool;
  if (!best) return { tokens: 0 };
  const taken = Object.entries(input).filter(([field]) => field in best.schema.shape);
  return { act: { tool: best.name, arguments: Object.fromEntries(taken) }, tokens: 0 };
}

/** What the model wants next, paid for before it is asked. Rejects with the model's own error. */
export async function modelTurn(
  host: Host,
  run: Pick<Execution, "task" | "input" | "isTainted">,
  agent: Agent,
  tools: readonly Definition[],
  steps: readonly Step[],
  { accounts, signal }: { accounts: readonly Account[]; signal: AbortSignal },
): Promise<Turn> {
  const { llm } = host.world;
  const { prices } = llm;
  const { model, temperature, maxTokens = MOST_ANSWER_TOKENS } = modelOf(agent).value;
  const messages = conversation(taskOf(run), agent, tools, steps);
  const amountOf = (usage: { promptTokens: number; completionTokens: number }) => {
    const { cost } = priced(usage, prices);
    return { tokens: usage.promptTokens + usage.completionTokens, ...(cost !== undefined && { cost }) };
  };
  const most = amountOf({ promptTokens: estimateTokens(messages), completionTokens: maxTokens });
  if (!(await hold(host, accounts, most))) return { tokens: 0, isBroke: true };
  let used: { tokens: number; cost?: number } = { tokens: 0 };
  try {
    const { value, usage } = await llm.complete({
      name: "agent_turn",
      schema: turnSchema(tools),
      messages,
      maxTokens,
      ...(model !== undefined && { model }),
      ...(temperature !== undefined && { temperature }),
      signal,
    });
    used = amountOf(usage);
    return value.act === FINISH
      ? { answer: { text: value.answer, citations: value.citations }, ...used }
      : { act: { tool: value.act, arguments: value.arguments }, ...used };
  } finally {
    await settle(host, accounts, most, used);
  }
}
