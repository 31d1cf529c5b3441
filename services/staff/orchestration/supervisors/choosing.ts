import { z } from "zod";
import { quoting } from "../../../../adapters/llm/llm.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { rank } from "../../../../core/text/searching/relevance.ts";
import { isFrozenIn, payerOf } from "../../agents/client.ts";
import { complete } from "../../model-questions.ts";
import type { RoundStep, Workflow } from "../workflows/definitions.ts";
import { definitionOf, type Execution } from "../executions/executions.ts";
import { planOf } from "../executions/records.ts";
import type { Taking } from "../executions/stepping.ts";
import type { Supervision } from "./supervisors.ts";

const ANSWER_TOKENS = 200;
const FINISH = "finish";

export type Choice =
  | { agentId: string; told: Record<string, unknown> }
  | { finished: true; told: Record<string, unknown> };

const supervisionOf = (execution: Execution): Supervision =>
  (definitionOf(execution) as Workflow & { supervision: Supervision }).supervision;

/** The agent whose description matches a task best, with all scores; of equals the first. */
export function byCapability(task: string, agents: Supervision["agents"], why?: string): Choice {
  const scores = rank(
    task,
    agents.map(({ words }) => words),
  );
  const best = scores.indexOf(Math.max(...scores));
  const shown = Object.fromEntries(agents.map(({ id }, at) => [id, Math.round(scores[at]! * 1_000) / 1_000]));
  return { agentId: agents[best]!.id, told: { method: "capability", scores: shown, ...(why && { why }) } };
}

/** The agent whose turn it is. */
const byTurns = ({ agents, turn }: Supervision, round: number): Choice => {
  const at = (turn + round - 1) % agents.length;
  return { agentId: agents[at]!.id, told: { method: "round-robin", turn: at + 1, of: agents.length } };
};

async function byModel(
  host: Host,
  { agents }: Supervision,
  {
    definition,
    values,
    execution,
    signal,
  }: { definition: RoundStep } & Pick<Taking, "values" | "execution" | "signal">,
): Promise<Choice> {
  const { rule, quote } = quoting({ maxChars: 16_384 });
  const before = values.steps[`round-${definition.round - 1}`]?.output;
  const options = [...agents.map(({ id }) => id), ...(definition.round > 1 ? [FINISH] : [])];
  const messages = [
    {
      role: "system" as const,
      content: [
        `You hand work to one of several agents, or say "${FINISH}" when it is done. Answer with the id of one.`,
        rule,
        agents.map(({ id, words }) => `${id}: ${quote(words, "agent")}`).join("\n"),
      ].join("\n\n"),
    },
    {
      role: "user" as const,
      content:
        "Task: " +
        `${definition.task}${before === undefined ? "" : `\n\n${quote(JSON.stringify(before), "what the last one brought")}`}`,
    },
  ];
  const question = {
    name: "supervisor_choice",
    schema: z.object({ next: z.enum(options as [string, ...string[]]) }),
    messages,
    maxTokens: ANSWER_TOKENS,
  };
  const payer = payerOf(host, `choice ${execution.id} ${definition.id}`, {
    plan: planOf(execution),
    problemSetId: execution.problemSetId,
  });
  const { answer, used, fault, isBroke } = await complete(host, question, { signal, payer });
  if (!answer) {
    const chosen = byCapability(
      definition.task,
      agents,
      isBroke ? "There was no room for a model in the budget." : fault,
    );
    return { ...chosen, told: { ...chosen.told, ...(used.tokens > 0 && used) } };
  }
  const { next } = answer.value;
  const told = { method: "llm", ...used };
  return next === FINISH ? { finished: true, told } : { agentId: next, told };
}

/**
 * Which agent does a round, or that none is needed. Without a model, or where it fails, by capability, as `method`
 * shows.
 */
export async function choose(taking: Taking, definition: RoundStep): Promise<Choice> {
  const { host, execution } = taking;
  const supervision = supervisionOf(execution);
  if (supervision.strategy === "round-robin") return byTurns(supervision, definition.round);
  if (supervision.strategy === "capability" || !host.world.llm.configured)
    return byCapability(definition.task, supervision.agents);
  if (await isFrozenIn(host, execution.problemSetId))
    return byCapability(definition.task, supervision.agents, "All agents here were stopped in an emergency.");
  return byModel(host, supervision, { ...taking, definition });
}
