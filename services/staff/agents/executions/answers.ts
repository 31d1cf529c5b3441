import { sentences } from "../../../../core/text/words/sentences.ts";
import type { Answer, Execution, Step } from "./executions.ts";
import { rank } from "../../../../core/text/searching/relevance.ts";

const MOST_SENTENCES = 5;
const MOST_READ = 40_000;
const LONGEST_ANSWER = 8_000;

/** What a tool answered, as text: the texts of its rows before anything else. */
export function textOf(result: unknown): string {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === "string" && /\s/.test(value)) found.push(value);
    else if (value !== null && typeof value === "object") for (const one of Object.values(value)) visit(one);
  };
  visit(result);
  return found.join("\n").slice(0, MOST_READ);
}

type Read = Pick<Step, "id" | "status" | "result">;

/** An answer in the words of what was read: the sentences that fit the task best, in their order. */
export function extractive(task: string, steps: readonly Read[]): Pick<Answer, "text" | "citations"> {
  const read = steps
    .filter(({ status, result }) => status === "done" && result !== undefined)
    .flatMap(({ id, result }) => sentences(textOf(result)).map(({ text }) => ({ id, text: text.trim() })));
  const scores = rank(
    task,
    read.map(({ text }) => text),
  );
  const best = read
    .map((one, at) => ({ ...one, at, score: scores[at]! }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.at - other.at)
    .slice(0, MOST_SENTENCES)
    .sort((one, other) => one.at - other.at);
  return {
    text: best
      .map(({ text }) => text)
      .join("\n")
      .slice(0, LONGEST_ANSWER),
    citations: [...new Set(best.map(({ id }) => id))],
  };
}

/** What there is to say where no model concludes: words of what was read, or that there were none. */
export function concluded({ task, method }: Pick<Execution, "task" | "method">, steps: readonly Read[]): Answer {
  const { text, citations } = extractive(task, steps);
  return { text: text || "Nothing that was read speaks of the task.", citations, method: method ?? "heuristic" };
}
