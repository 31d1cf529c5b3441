import { z } from "zod";
import { invalid } from "../../../../core/problem.ts";

/**
 * How a vote is put: for, against or abstain; one option; any number of options; credits over options; options in
 * order.
 */
export const VOTE_KINDS = ["basic", "single", "approval", "quadratic", "ranked"] as const;
export type VoteKind = (typeof VOTE_KINDS)[number];

/** The options of a `basic` vote, in the order of its scores. */
export const STANCES = ["for", "against", "abstain"] as const;
export const MOST_OPTIONS = 50;

const Option = z
  .int()
  .min(0)
  .max(MOST_OPTIONS - 1);
export const Credit = z
  .strictObject({ option: Option, credits: z.int().min(1).max(1_000_000) })
  .meta({ id: "DaoCredit" });

/** What somebody votes; which form fits is the proposal's kind. Options count from 0. */
export const Choice = z
  .union([z.enum(STANCES), Option, z.array(Option).min(1).max(MOST_OPTIONS), z.array(Credit).min(1).max(MOST_OPTIONS)])
  .meta({
    id: "DaoChoice",
    description:
      '`basic`: "for", "against" or "abstain". `single`: the number of an option, from 0. `approval`: ' +
      "numbers of options. `quadratic`: credits for options, as shares of the power carried. `ranked`: " +
      "numbers of options, best first, not necessarily all.",
  });
export type Choice = z.output<typeof Choice>;

const WANTED: Record<VoteKind, string> = {
  basic: 'This proposal is voted on with "for", "against" or "abstain".',
  single: "This proposal is voted on with the number of one option.",
  approval: "This proposal is voted on with a list of options, each once.",
  quadratic: "This proposal is voted on with a list of { option, credits }, each option once.",
  ranked: "This proposal is voted on with a list of options, best first, each once.",
};

const distinct = (options: readonly number[], count: number): boolean =>
  options.every((option) => option < count) && new Set(options).size === options.length;
const isOptions = (choice: Choice): choice is number[] =>
  Array.isArray(choice) && choice.every((one) => typeof one === "number");
const isCredits = (choice: Choice): choice is z.output<typeof Credit>[] =>
  Array.isArray(choice) && choice.every((one) => typeof one === "object");

/** Whether a choice is a valid ballot of this kind over so many options. */
export function fits(kind: VoteKind, options: number, choice: Choice): boolean {
  switch (kind) {
    case "basic":
      return typeof choice === "string";
    case "single":
      return typeof choice === "number" && choice < options;
    case "approval":
    case "ranked":
      return isOptions(choice) && distinct(choice, options);
    case "quadratic":
      return (
        isCredits(choice) &&
        distinct(
          choice.map(({ option }) => option),
          options,
        )
      );
  }
}

/** Throws 400 naming `choice` unless it fits. */
export function refuseUnlessFits(kind: VoteKind, options: number, choice: Choice): void {
  if (!fits(kind, options, choice))
    throw invalid([{ path: "choice", message: `${WANTED[kind]} Options count from 0 to ${options - 1}.` }]);
}

/**
 * One form for equal choices, for signatures: approvals and credits in order of their options; a ranking keeps its
 * order.
 */
export function canonicalChoice(kind: VoteKind, choice: Choice): string {
  if (kind === "approval" && isOptions(choice)) return JSON.stringify([...choice].sort((a, b) => a - b));
  if (kind === "quadratic" && isCredits(choice))
    return JSON.stringify(choice.map(({ option, credits }) => [option, credits]).sort(([a], [b]) => a! - b!));
  return JSON.stringify(choice);
}
