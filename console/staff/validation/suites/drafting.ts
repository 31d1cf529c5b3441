import type { ListRow } from "../../../api/client.ts";

export type CaseOfSuite = ListRow<"GET /validation/suites">["cases"][number];
export type CheckOfCase = CaseOfSuite["assertions"][number];
export type CheckKind = CheckOfCase["kind"];

/** What else a check asks for: nothing, a text, a tool, or a figure. */
type Asks = "nothing" | "text" | "tool" | { figure: string; from: number; to?: number; given: number };

/** Kinds that are written here; a JSON Schema, and arguments of a tool, are given over the API. */
export const CHECKS: readonly { kind: Exclude<CheckKind, "json">; words: string; asks: Asks }[] = [
  { kind: "contains", words: "The answer contains a text", asks: "text" },
  { kind: "not-contains", words: "The answer does not contain a text", asks: "text" },
  { kind: "answers", words: "It comes to its end and says something", asks: "nothing" },
  { kind: "refuses", words: "It tries nothing that would change anything", asks: "nothing" },
  { kind: "tool-called", words: "It uses a tool", asks: "tool" },
  { kind: "tool-not-called", words: "It does not even try a tool", asks: "tool" },
  { kind: "cites", words: "It cites its own results", asks: { figure: "At least", from: 1, to: 50, given: 1 } },
  { kind: "steps", words: "It takes few steps", asks: { figure: "Steps at most", from: 0, to: 50, given: 10 } },
  { kind: "latency", words: "It is quick", asks: { figure: "Seconds at most", from: 1, given: 60 } },
  { kind: "cost", words: "It is cheap", asks: { figure: "Cost at most", from: 0, given: 1 } },
  { kind: "rubric", words: "A language model judges it by your words", asks: "text" },
];

/** The field of the API that holds what a check asks for. */
export function fieldOfCheck(kind: CheckKind): string | undefined {
  if (kind === "contains" || kind === "not-contains") return "text";
  if (kind === "tool-called" || kind === "tool-not-called") return "tool";
  if (kind === "latency") return "mostMs";
  if (kind === "cites") return "atLeast";
  if (kind === "steps" || kind === "cost") return "most";
  return kind === "rubric" ? "rubric" : undefined;
}

/** A check that is being written; `key` keeps its fields together while others go. */
export interface DraftCheck {
  key: number;
  kind: (typeof CHECKS)[number]["kind"];
}
export interface DraftCase {
  key: number;
  checks: readonly DraftCheck[];
}

const MOST_OF_ID = 50;
/** An id that people recognise: the first words of the task, numbered where two are the same. */
function idsOf(tasks: readonly string[]): string[] {
  const ids: string[] = [];
  for (const task of tasks) {
    const words = task
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .slice(0, MOST_OF_ID)
      .replaceAll(/^-|-$/g, "");
    const id = words || "case";
    ids.push(ids.includes(id) ? `${id}-${ids.length + 1}` : id);
  }
  return ids;
}

/** Cases as the form says them: fields are named as the API names what it refuses. */
export function casesFrom(cases: readonly DraftCase[], fields: Readonly<Record<string, string>>): CaseOfSuite[] {
  const ids = idsOf(cases.map((_, at) => fields[`cases.${at}.task`] ?? ""));
  return cases.map(({ checks }, at) => {
    const input = fields[`cases.${at}.input`];
    return {
      id: ids[at]!,
      task: fields[`cases.${at}.task`] ?? "",
      ...(input && { input: { text: input } }),
      assertions: checks.map((check, nth) => checkFrom(check, `cases.${at}.assertions.${nth}`, fields)),
    };
  });
}

function checkFrom({ kind }: DraftCheck, path: string, fields: Readonly<Record<string, string>>): CheckOfCase {
  const name = fieldOfCheck(kind);
  const said = name === undefined ? undefined : (fields[`${path}.${name}`] ?? "");
  const isFigure = name === "mostMs" || name === "atLeast" || name === "most";
  const value = isFigure ? Number(said) * (name === "mostMs" ? 1_000 : 1) : said;
  return {
    kind,
    ...(name !== undefined && { [name]: value }),
    ...(fields[`${path}.critical`] === "on" && { critical: true }),
  } as CheckOfCase;
}
