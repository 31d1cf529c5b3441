import { z } from "zod";
import { quoting } from "../../../../adapters/llm/llm.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { sha256 } from "../../../../core/ids.ts";
import { complete, type AnswerCost, type Bounds } from "../../model-questions.ts";
import type { CaseAssertion } from "../suites/cases.ts";

const Verdict = z.strictObject({ score: z.number().min(0).max(1), why: z.string().max(500) });
const TASK = [
  "You judge an answer by one rubric and by nothing else.",
  "Give a score from 0 (it fails the rubric) to 1 (it meets it whole), and say why in one sentence.",
].join(" ");

export interface CaseJudgement {
  rubric: Map<string, { score: number; why: string }>;
  judge?: { model: string; promptHash: string };
  /** The cost of asking. */
  used: AnswerCost;
}

/** A model's judgement of an answer by each rubric; null where the model is unavailable. */
export async function judgeByRubric(
  host: Host,
  assertions: readonly CaseAssertion[],
  answer: string,
  bounds: Bounds,
): Promise<CaseJudgement | null> {
  const rubrics = assertions.flatMap((one) => (one.kind === "rubric" ? [one.rubric] : []));
  const rubric = new Map<string, { score: number; why: string }>();
  const total: AnswerCost = { tokens: 0 };
  if (!rubrics.length) return { rubric, used: total };
  let model = "";
  for (const one of rubrics) {
    const { rule, quote } = quoting();
    const question = {
      name: "rubric",
      schema: Verdict,
      maxTokens: 300,
      messages: [
        { role: "system" as const, content: `${TASK}\n\n${rule}\n\nRubric: ${one}` },
        { role: "user" as const, content: quote(answer, "answer") },
      ],
    };
    const { answer: said, used } = await complete(host, question, bounds);
    if (!said) return null;
    total.tokens += used.tokens;
    if (used.cost !== undefined) total.cost = (total.cost ?? 0) + used.cost;
    ({ model } = said);
    rubric.set(one, said.value);
  }
  return { rubric, used: total, judge: { model, promptHash: sha256([TASK, ...rubrics].join("\n")) } };
}
