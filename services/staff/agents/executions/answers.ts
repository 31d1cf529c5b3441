import { upTo } from "../../../../core/text/cutting.ts";
import { sentences } from "../../../../core/text/words/sentences.ts";
import { PlainText } from "../../links.ts";
import { unsupportedFigures } from "../../unsupported.ts";
import type { AgentAnswer, Execution, AgentStep } from "./executions.ts";
import { LONGEST_ANSWER, MOST_SHOWN } from "./prompt.ts";
import { rank } from "../../../../core/text/searching/relevance.ts";

const MOST_SENTENCES = 5;
const MOST_READ = 40_000;

const NAMES: readonly string[] = ["name", "title"];

/** A tool's answer as text: names of records, and all texts of several words except people's names. */
function resultText(result: unknown): string {
  const found: string[] = [];
  const visit = (value: unknown, field?: string): void => {
    if (field?.endsWith("Name")) return;
    if (typeof value === "string" && (/\s/.test(value) || NAMES.includes(field!))) found.push(value);
    else if (value !== null && typeof value === "object")
      for (const [key, one] of Object.entries(value)) visit(one, key);
  };
  visit(result);
  return upTo(MOST_READ, found.join("\n"));
}

type Read = Pick<AgentStep, "id" | "status" | "result" | "tool" | "why">;
type Said = Pick<AgentAnswer, "text" | "citations">;

const sentencesOf = (steps: readonly Read[]): { id: string; text: string }[] =>
  steps
    .filter(({ status, result }) => status === "done" && result !== undefined)
    .flatMap(({ id, result }) => sentences(resultText(result)).map(({ text }) => ({ id, text: text.trim() })));

const quoted = (read: readonly { id: string; text: string }[]): Said => ({
  text: upTo(LONGEST_ANSWER, read.map(({ text }) => text).join("\n")),
  citations: [...new Set(read.map(({ id }) => id))],
});

/** An answer quoted from what was read: the sentences that match the task best, in their order. */
function extractive(task: string, steps: readonly Read[]): Said {
  const read = sentencesOf(steps);
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
  return quoted(best);
}

/** The answer where nothing read matches the task: the beginning of what was read, or why there is nothing. */
function otherwise(steps: readonly Read[], method: Execution["method"]): Said {
  const { text, citations } = quoted(sentencesOf(steps).slice(0, MOST_SENTENCES));
  if (text) return { text: `Nothing that was read speaks of the task in its words. It begins:\n${text}`, citations };
  const planned = steps.filter(({ status }) => status === "simulated").map(({ tool, why }) => ` ${tool}: ${why}`);
  if (planned.length)
    return { text: `Nothing was done: it was only tried. It would use${planned.join("")}`, citations: [] };
  const failed = steps
    .filter(({ status }) => status === "refused" || status === "failed")
    .map(({ tool, why }) => ` ${tool}: ${why}`);
  if (failed.length) return { text: `Nothing was read.${failed.join("")}`, citations: [] };
  if (steps.length) return { text: "Nothing that was read speaks of the task.", citations: [] };
  const hint = method === "heuristic" ? " An input gives tools what they need." : "";
  return { text: `Nothing was read: no tool was used.${hint}`, citations: [] };
}

/** The answer without a model: quotations, or that nothing was found. */
export function concluded({ task, method }: Pick<Execution, "task" | "method">, steps: readonly Read[]): AgentAnswer {
  const found = extractive(task, steps);
  return { ...(found.text ? found : otherwise(steps, method)), method: "heuristic" };
}

/** Addresses that are a whole value of a result, as an article's is: none that stands amid a text. */
function addressesIn(result: unknown): string[] {
  if (typeof result === "string") return /^https?:\/\/\S+$/.test(result) ? [result] : [];
  return result !== null && typeof result === "object" ? Object.values(result).flatMap(addressesIn) : [];
}

/** The answer that a model wrote; undefined where it wrote nothing. Only what was done bears anything out. */
export function written(
  { text, citations }: { text: string; citations: readonly number[] },
  { task, input }: Pick<Execution, "task" | "input">,
  steps: readonly (Read & Pick<AgentStep, "seq" | "given">)[],
): AgentAnswer | undefined {
  const done = steps.filter(({ status }) => status === "done");
  const plain = new PlainText(
    done.flatMap(({ result }) => addressesIn(result)),
    Array.from({ length: 1_000 }, (_, n) => n),
  );
  const said = `${plain.push(text)}${plain.end()}`.trim();
  if (!said) return undefined;
  const cited = citations.flatMap((seq) => done.find((one) => one.seq === seq)?.id ?? []);
  const read = [task, input, ...done.flatMap(({ given, result }) => [given, result])];
  const unsupported = unsupportedFigures(
    said.replaceAll(/\[(\d{1,3})\]/g, (mark) => " ".repeat(mark.length)),
    read.map((one, n) => ({ n, text: upTo(MOST_SHOWN, typeof one === "string" ? one : (JSON.stringify(one) ?? "")) })),
  );
  return { text: said, citations: [...new Set(cited)], method: "llm", ...(unsupported.length && { unsupported }) };
}
