import type { DaoChoice, DaoMeasure, VoteKind } from "./dao-types.ts";
import { apart } from "../../parts/apart.ts";
import { MEASURE_TITLES, settingWords } from "./rule-words.ts";
import type { FormFields } from "../../parts/form-fields.ts";

const optionAt = (options: readonly string[], at: number): string => apart(options[at] ?? `option ${at}`);
type Credits = { option: number; credits: number };
const isCredits = (one: number | Credits): one is Credits => typeof one === "object";

/** What somebody voted, in words. */
export function choiceWords(kind: VoteKind, options: readonly string[], choice: DaoChoice): string {
  if (typeof choice === "string") return choice;
  if (typeof choice === "number") return optionAt(options, choice);
  const given = choice as readonly (number | Credits)[];
  if (kind === "ranked") return given.map((one, at) => `${at + 1}. ${optionAt(options, one as number)}`).join(", ");
  return given
    .map((one) => (isCredits(one) ? `${optionAt(options, one.option)}: ${one.credits}` : optionAt(options, one)))
    .join(", ");
}

/** What each option has in a ballot's form: its field's name. */
export const optionField = (at: number): string => `option-${at}`;

/** The choice that a filled-in ballot makes; a sentence that says what is missing where it makes none. */
export function choiceFrom(
  kind: VoteKind,
  options: readonly string[],
  fields: FormFields,
  ranking: readonly number[],
): { choice: DaoChoice } | { missing: string } {
  switch (kind) {
    case "basic":
      return fields["choice"]
        ? { choice: fields["choice"] as DaoChoice }
        : { missing: "Choose for, against or abstain." };
    case "single":
      return fields["choice"] ? { choice: Number(fields["choice"]) } : { missing: "Choose an option." };
    case "approval": {
      const chosen = options.flatMap((_, at) => (fields[optionField(at)] ? [at] : []));
      return chosen.length ? { choice: chosen } : { missing: "Choose one option at least." };
    }
    case "quadratic": {
      const credits = options.flatMap((_, option) => {
        const given = Number(fields[optionField(option)] ?? 0);
        return given > 0 ? [{ option, credits: given }] : [];
      });
      return credits.length ? { choice: credits } : { missing: "Give credits to one option at least." };
    }
    case "ranked":
      return ranking.length ? { choice: [...ranking] } : { missing: "Put one option at least into your order." };
  }
}

/** How many votes a share of one's power buys: the root of the credits spent. */
export function votesBought(power: string, credits: readonly number[]): number[] {
  const whole = credits.reduce((sum, one) => sum + one, 0);
  return credits.map((one) => (whole ? Math.sqrt((Number(power) * one) / whole) : 0));
}

/** An order with one option moved by so many places; it stays where there is no such place. */
export function movedBy(ranking: readonly number[], option: number, by: number): number[] {
  const from = ranking.indexOf(option);
  const to = from + by;
  if (to < 0 || to >= ranking.length) return [...ranking];
  return ranking.toSpliced(from, 1).toSpliced(to, 0, option);
}

/** What those are called whom a measure names. */
export interface MeasureNames {
  person(account: string): string;
  role(id: string): string;
  gate(id: string): string;
  bounty(id: string): string;
}

/** What a measure does, as a sentence. */
export function measureWords(measure: DaoMeasure, names: MeasureNames): string {
  switch (measure.do) {
    case "change-config":
      return `${MEASURE_TITLES[measure.do]}: ${
        settingWords(measure.config)
          .map(({ title, words }) => `${title}: ${words}`)
          .join("; ") || "nothing"
      }.`;
    case "grant-dao-role":
      return `Give ${apart(names.person(measure.account))} the role ${names.role(measure.roleId)} in the DAO.`;
    case "revoke-dao-role":
      return `Take the role ${names.role(measure.roleId)} in the DAO from ${apart(names.person(measure.account))}.`;
    case "grant-set-role":
      return `Make ${apart(names.person(measure.account))} ${measure.role} of the problem set.`;
    case "open-gate":
      return `Open the gate ${names.gate(measure.gateId)}.`;
    case "pay-bounty":
      return `Pay the bounty ${names.bounty(measure.bountyId)}.`;
  }
}

/** When a measure is done, where that depends on who wins; null where it is done anyway. */
export const conditionWords = (kind: VoteKind, options: readonly string[], { option }: DaoMeasure): string | null =>
  option === undefined || kind === "basic" ? null : `Only if “${optionAt(options, option)}” wins.`;
