import { z } from "zod";
import { dates, type DateMention } from "../../../../core/text/statements/dates.ts";
import { statementOf } from "../../../../core/text/statements/statement.ts";
import { recurs } from "../extraction/signs.ts";
import type { Objective } from "./objectives.ts";

export const CHECKS = ["citation", "measure", "date", "owner", "contradictions"] as const;
const METHODS = ["heuristic", "llm"] as const;

export const Check = z
  .object({
    check: z.enum(CHECKS),
    verdict: z.enum(["ok", "doubtful", "missing"]),
    why: z.string(),
    method: z.enum(METHODS),
    objectives: z
      .array(z.object({ objectiveId: z.string(), statement: z.string(), why: z.string(), method: z.enum(METHODS) }))
      .optional()
      .describe("Those that it contradicts, among the objectives that you see."),
  })
  .meta({ id: "ObjectiveCheck" });
export type Check = z.output<typeof Check>;

export const Verification = z
  .object({
    objectiveId: z.string(),
    rev: z.int(),
    method: z.enum(METHODS).describe("`llm` where the language model had a part in it."),
    model: z.string().optional(),
    checks: z.array(Check).describe("One line each."),
    passed: z.boolean().describe("Every line is `ok`."),
  })
  .meta({ id: "ObjectiveVerification" });

type Line = Omit<Check, "method">;
type Checked = Pick<Objective, "statement" | "measure" | "dueAt" | "owner">;

export function checkMeasure({ statement, measure }: Checked): Line {
  const figures = statementOf(statement).quantities;
  if (!measure && recurs(statement))
    return { check: "measure", verdict: "ok", why: "It is done again and again: nothing is reached once." };
  if (!measure) {
    const why = figures.length
      ? `The statement says "${figures[0]!.text}", and no measure is set.`
      : "Nothing says how it is told whether it is reached.";
    return { check: "measure", verdict: figures.length ? "doubtful" : "missing", why };
  }
  const { indicator, target, keep } = measure;
  if (keep)
    return {
      check: "measure",
      verdict: "ok",
      why: `Measured by ${indicator}, kept ${keep.replace("-", " ")} ${target}.`,
    };
  if (measure.baseline === target)
    return { check: "measure", verdict: "doubtful", why: "The measure is at its target from the beginning." };
  return { check: "measure", verdict: "ok", why: `Measured by ${indicator}, up to ${target}.` };
}

const isOn = ({ year, month, day }: DateMention, due: Date): boolean =>
  (year === undefined || year === due.getUTCFullYear()) &&
  (month === undefined || month === due.getUTCMonth() + 1) &&
  (day === undefined || day === due.getUTCDate());

export function checkDate({ statement, dueAt }: Checked, now: number): Line {
  const named = dates(statement).filter(({ year, month }) => year !== undefined || month !== undefined);
  if (!dueAt) {
    const why = named.length ? `The statement says "${named[0]!.text}", and no date is set.` : "It has no date.";
    return { check: "date", verdict: named.length ? "doubtful" : "missing", why };
  }
  if (Date.parse(dueAt) <= now) return { check: "date", verdict: "doubtful", why: "Its date has passed." };
  const due = new Date(dueAt);
  if (named.length && !named.some((one) => isOn(one, due)))
    return { check: "date", verdict: "doubtful", why: `The statement says "${named[0]!.text}", the date is another.` };
  return { check: "date", verdict: "ok", why: `It is due on ${dueAt.slice(0, 10)}.` };
}

export const checkOwner = ({ owner }: Checked): Line =>
  owner
    ? { check: "owner", verdict: "ok", why: `${owner} answers for it.` }
    : { check: "owner", verdict: "missing", why: "Nobody answers for it." };
