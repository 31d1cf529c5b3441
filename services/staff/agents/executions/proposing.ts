import { z } from "zod";
import { upTo } from "../../../../core/text/cutting.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { decide, type AnswerCost } from "../../model-questions.ts";
import { hold, settleHold, type BudgetAccount } from "../gate/budget.ts";
import type { Definition } from "../gate/definitions.ts";
import type { ProposedCall } from "../gate/gate.ts";
import type { Agent } from "../registry/agents.ts";
import { modelOf, pricesOf } from "../registry/effective.ts";
import type { Execution, AgentStep } from "./executions.ts";
import { MODEL_ANSWERS, turnId } from "./records.ts";
import { conversation, FINISH, LONGEST_ANSWER, MOST_CITATIONS, offered, taskOf } from "./prompt.ts";
import { rank } from "../../../../core/text/searching/relevance.ts";

const MOST_ANSWER_TOKENS = 1_024;

/** The next step: an act, or the end, with the model's answer if it gave one. */
export interface NextStep {
  act?: ProposedCall;
  answer?: { text: string; citations: number[] };
  tokens: number;
  cost?: number;
  /** An account had no budget left for the question. */
  isBroke?: true;
}

/** Whether an input has everything that a tool needs; the problem set comes from the run. */
const isGiven = ({ parameters }: Definition, input: object): boolean =>
  ((parameters["required"] as string[] | undefined) ?? []).every((field) => field === "problemSetId" || field in input);

/** How much of an input a tool uses. */
const taking = ({ schema }: Definition, input: object): number =>
  Object.keys(input).filter((field) => field in schema.shape).length;

/**
 * Of the tools that need no more than the input and use most of it, the one whose description matches best. One that only
 * reads what the input names needs no words of the task.
 */
export function heuristicTurn(
  { task, input }: Pick<Execution, "task" | "input">,
  tools: readonly Definition[],
  steps: number,
): NextStep {
  if (steps) return { tokens: 0 };
  const usable = tools.filter((tool) => isGiven(tool, input));
  const scores = rank(
    task,
    usable.map(({ name, summary, description }) => `${name.replaceAll("_", " ")}. ${summary}. ${description}`),
  );
  const best = usable
    .map((tool, at) => ({ tool, score: scores[at]! }))
    .filter(({ tool, score }) => score > 0 || (tool.effect === "read" && taking(tool, input) > 0))
    .sort((one, other) => taking(other.tool, input) - taking(one.tool, input) || other.score - one.score)[0]?.tool;
  if (!best) return { tokens: 0 };
  const taken = Object.entries(input).filter(([field]) => field in best.schema.shape);
  return { act: { tool: best.name, arguments: Object.fromEntries(taken) }, tokens: 0 };
}

/** The end as a model writes it: too long, or with its citations as words ("3", "[3]"), it is an answer all the same. */
const Ending = z.object({
  answer: z
    .string()
    .catch("")
    .transform((text) => upTo(LONGEST_ANSWER, text)),
  citations: z
    .array(z.unknown())
    .catch([])
    .transform((cited) =>
      cited.flatMap((one) => (/^\[?(\d{1,4})\]?$/.exec(String(one).trim()) ?? []).slice(1).map(Number)),
    )
    .transform((cited) => cited.slice(0, MOST_CITATIONS)),
});

/** The model's next step, reserved in the budget before it is asked; errors of the model are returned. */
export async function modelTurn(
  host: Host,
  run: Pick<Execution, "id" | "task" | "input" | "isTainted">,
  agent: Agent,
  tools: readonly Definition[],
  steps: readonly AgentStep[],
  { accounts, signal }: { accounts: readonly BudgetAccount[]; signal: AbortSignal },
): Promise<NextStep | { fault: string; code?: string }> {
  const { model, temperature, maxTokens = MOST_ANSWER_TOKENS } = modelOf(agent).value;
  const prices = pricesOf(agent, host.world.llm.prices);
  const question = {
    name: "agent_turn",
    tools: offered(tools),
    messages: conversation(taskOf(run), agent, steps),
    maxTokens,
    ...(model !== undefined && { model }),
    ...(prices && { prices }),
    ...(temperature !== undefined && { temperature }),
  };
  const name = turnId(run.id, steps.length + 1);
  const payer = {
    hold: (most: AnswerCost) => hold(host, accounts, name, most),
    settle: (held: AnswerCost, used: AnswerCost) => settleHold(host, accounts, name, { held, used }),
  };
  const { answer, used, fault, isBroke, kind } = await decide(host, question, { signal, payer });
  if (isBroke) return { tokens: 0, isBroke };
  const code = kind && MODEL_ANSWERS[kind];
  if (!answer) return { fault, ...(code && { code }) };
  // One act a turn: the model repeats its other calls after it has seen the outcome of this one.
  const [act] = answer.acts;
  if (act!.tool !== FINISH) return { act: act!, ...used };
  const { answer: text, citations } = Ending.parse(act!.arguments);
  return { answer: { text, citations }, ...used };
}
