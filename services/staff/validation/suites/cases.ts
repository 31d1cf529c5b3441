import { z } from "zod";
import { OpenRecord } from "../../../../core/records/open-record.ts";

const weighed = {
  weight: z.number().positive().max(100).default(1),
  critical: z.boolean().default(false).describe("Where it fails, the case has failed, whatever else holds."),
};
const Text = z.string().min(1).max(2_000);
const ToolName = z.string().min(1).max(100);

/** An assertion about an agent's answer, or about its acts. */
export const CaseAssertion = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("answers"), ...weighed }).describe("It came to its end with something said."),
  z.strictObject({ kind: z.literal("contains"), text: Text, ...weighed }).describe("Whatever the case of letters."),
  z.strictObject({ kind: z.literal("not-contains"), text: Text, ...weighed }),
  z
    .strictObject({ kind: z.literal("json"), schema: z.record(z.string(), z.unknown()), ...weighed })
    .describe("The answer is JSON that fits this JSON Schema (2020-12; no patterns, no foreign references)."),
  z
    .strictObject({ kind: z.literal("cites"), atLeast: z.int().min(1).max(50).default(1), ...weighed })
    .describe("So many of its own results."),
  z
    .strictObject({
      kind: z.literal("tool-called"),
      tool: ToolName,
      arguments: z.record(z.string(), z.unknown()).optional().describe("Among others."),
      ...weighed,
    })
    .describe("Carried out, or simulated."),
  z.strictObject({ kind: z.literal("tool-not-called"), tool: ToolName, ...weighed }).describe("Not even tried."),
  z
    .strictObject({ kind: z.literal("refuses"), ...weighed })
    .describe("It tried nothing that would change anything, or reach anybody."),
  z.strictObject({ kind: z.literal("latency"), mostMs: z.int().positive(), ...weighed }),
  z.strictObject({ kind: z.literal("cost"), most: z.number().nonnegative(), ...weighed }),
  z.strictObject({ kind: z.literal("steps"), most: z.int().min(0).max(50), ...weighed }),
  z
    .strictObject({ kind: z.literal("rubric"), rubric: Text, ...weighed })
    .describe("A model judges, from 0 to 1; never alone in a case."),
]);
export type CaseAssertion = z.output<typeof CaseAssertion>;

export const Case = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/, "Small letters, digits and dashes."),
    task: z.string().trim().min(1).max(20_000),
    input: OpenRecord.default({}),
    mark: z.number().min(0).max(1).default(1).describe("The score from which on it is passed."),
    assertions: z.array(CaseAssertion).max(20),
  })
  .meta({ id: "ValidationCase" });
export type Case = z.output<typeof Case>;

/** One act that a run proposed: its outcome, and whether it would have changed anything. */
export interface RunAct {
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
  status: string;
  changes: boolean;
}

/** One answer of an agent, with its acts. */
export interface AnswerOutcome {
  completed: boolean;
  text: string;
  citations: number;
  acts: readonly RunAct[];
  ms: number;
  cost?: number | undefined;
}

export interface AssertionResult {
  kind: CaseAssertion["kind"];
  /** From 0 to 1. */
  score: number;
  why: string;
  weight: number;
  critical: boolean;
}

/** Verdicts from outside this file: by a JSON Schema, and by a model with a rubric. */
export interface Judges {
  fits(schema: Record<string, unknown>, value: unknown): boolean;
  rubric: ReadonlyMap<string, { score: number; why: string }>;
}

const CALLED: readonly string[] = ["done", "simulated"];

/** Whether `whole` contains everything in `part`; lists must be equal. */
function contains(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null || Array.isArray(part))
    return JSON.stringify(whole) === JSON.stringify(part);
  return (
    typeof whole === "object" &&
    whole !== null &&
    Object.entries(part).every(
      ([key, value]) => Object.hasOwn(whole, key) && contains((whole as Record<string, unknown>)[key], value),
    )
  );
}

const yes = (holds: boolean, why: string): [number, string] => [holds ? 1 : 0, why];

function judged(assertion: CaseAssertion, outcome: AnswerOutcome, { fits, rubric }: Judges): [number, string] {
  const { text, acts, ms, cost, citations } = outcome;
  switch (assertion.kind) {
    case "answers":
      return yes(outcome.completed && text.trim() !== "", outcome.completed ? "It answered." : "It did not end well.");
    case "contains":
    case "not-contains": {
      const stands = text.toLowerCase().includes(assertion.text.toLowerCase());
      return yes(stands === (assertion.kind === "contains"), stands ? "It stands there." : "It does not stand there.");
    }
    case "json": {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return [0, "The answer is no JSON."];
      }
      return fits(assertion.schema, value) ? [1, "It fits."] : [0, "It does not fit the schema."];
    }
    case "cites":
      return yes(citations >= assertion.atLeast, `It cites ${citations} of its results.`);
    case "tool-called": {
      const calls = acts.filter(({ tool, status }) => tool === assertion.tool && CALLED.includes(status));
      const holds = calls.some((act) => contains(act.arguments, assertion.arguments ?? {}));
      return yes(holds, calls.length ? `It was called ${calls.length} times.` : "It was not called.");
    }
    case "tool-not-called": {
      const tried = acts.filter(({ tool }) => tool === assertion.tool).length;
      return yes(tried === 0, tried ? `It was tried ${tried} times.` : "It was not tried.");
    }
    case "refuses": {
      const changing = acts.filter(({ changes }) => changes);
      return yes(
        !changing.length,
        changing.length ? `It tried ${changing[0]!.tool}.` : "It tried nothing of the kind.",
      );
    }
    case "latency":
      return yes(ms <= assertion.mostMs, `It took ${Math.round(ms)} ms.`);
    case "cost":
      return yes((cost ?? 0) <= assertion.most, `It cost ${cost ?? 0}.`);
    case "steps":
      return yes(acts.length <= assertion.most, `It took ${acts.length} steps.`);
    case "rubric": {
      const said = rubric.get(assertion.rubric);
      return said ? [Math.min(1, Math.max(0, said.score)), said.why] : [0, "Nobody judged it."];
    }
  }
}

/** The result of each assertion, in the same order. */
export const held = (assertions: readonly CaseAssertion[], outcome: AnswerOutcome, judges: Judges): AssertionResult[] =>
  assertions.map((assertion) => {
    const [score, why] = judged(assertion, outcome, judges);
    return { kind: assertion.kind, score, why, weight: assertion.weight, critical: assertion.critical };
  });

/** The weighted mean of the assertions, and whether the case passes: critical ones must hold completely. */
export function scoreOf(of: readonly AssertionResult[], mark: number): { score: number; passed: boolean } {
  const weight = of.reduce((sum, one) => sum + one.weight, 0);
  const score = weight ? of.reduce((sum, one) => sum + one.weight * one.score, 0) / weight : 0;
  return { score, passed: score >= mark - 1e-9 && of.every((one) => !one.critical || one.score >= 1) };
}

/** All faults of cases, by path. */
export function faultsIn(cases: readonly Case[], path = "cases"): { path: string; message: string; code: string }[] {
  const seen = new Set<string>();
  return cases.flatMap(({ id, assertions }, at) => {
    const faults = [];
    if (seen.has(id)) faults.push({ path: `${path}.${at}.id`, message: "Another case has this id.", code: "TWICE" });
    seen.add(id);
    if (!assertions.length)
      faults.push({
        path: `${path}.${at}.assertions`,
        message: "A case that asserts nothing passes whatever comes.",
        code: "NO_ASSERTIONS",
      });
    else if (assertions.every(({ kind }) => kind === "rubric"))
      faults.push({
        path: `${path}.${at}.assertions`,
        message: "A model's judgement never stands alone: assert something that can be checked.",
        code: "RUBRIC_ALONE",
      });
    return faults;
  });
}
