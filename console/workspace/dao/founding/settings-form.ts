import type { FormFields } from "../../../parts/form-fields.ts";
import { basisPointsOf, secondsOf } from "../amounts.ts";
import type { DaoConfig, DaoMeasureName } from "../dao-types.ts";
import { MEASURES } from "../rule-words.ts";

type Settings = Partial<DaoConfig>;

/** What a new DAO begins with, as the API has it. */
export const FIRST_SETTINGS = {
  basis: "member",
  quorumBps: 2_000,
  quorumCounts: "participation",
  majorityBps: 5_000,
  pluralityBps: 0,
  proposalThreshold: "0",
  delaySeconds: 0,
  periodSeconds: 3 * 86_400,
  timelockSeconds: 0,
  graceSeconds: 14 * 86_400,
  lateQuorumSeconds: 0,
  delegationDepth: 3,
  changeable: true,
  signatures: "optional",
  autoExecute: false,
  electorate: "problem-set",
  amendment: "governors",
} as const satisfies Settings;

const PERCENTS = ["quorumBps", "majorityBps", "pluralityBps"] as const;
const DURATIONS = ["delaySeconds", "periodSeconds", "timelockSeconds", "graceSeconds", "lateQuorumSeconds"] as const;
const CHOICES = ["basis", "quorumCounts", "signatures", "electorate", "amendment"] as const;
const ANSWERS = ["changeable", "autoExecute"] as const;

/** A field's unit, and the field that ticks a measure. */
export const unitField = (name: string): string => `${name}.unit`;
export const measureField = (name: DaoMeasureName): string => `measure.${name}`;

/**
 * The settings that a form says; a field left empty says nothing. `prefix` stands before each name, as in the API's
 * faults.
 */
export function settingsFrom(fields: FormFields, prefix = ""): Settings {
  const at = (name: string): string | undefined => fields[`${prefix}${name}`];
  const found: Record<string, unknown> = {};
  const take = <T>(name: string, read: (text: string) => T): void => {
    const text = at(name);
    if (text !== undefined) found[name] = read(text);
  };
  for (const name of PERCENTS) take(name, basisPointsOf);
  for (const name of DURATIONS) take(name, (amount) => secondsOf(amount, at(unitField(name))));
  for (const name of CHOICES) take(name, (value) => value);
  for (const name of ANSWERS) take(name, (value) => value === "yes");
  take("proposalThreshold", (amount) => amount.trim());
  take("delegationDepth", Number);
  return found as Settings;
}

/** The measures that are ticked. */
export const measuresFrom = (fields: FormFields): DaoMeasureName[] =>
  MEASURES.filter((name) => fields[measureField(name)] !== undefined);

/** What differs between the settings that stand and those that a form says. */
export function changedSettings(before: DaoConfig, next: Settings): Settings {
  const changed = Object.entries(next).filter(
    ([name, value]) => JSON.stringify(before[name as keyof DaoConfig]) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed) as Settings;
}
