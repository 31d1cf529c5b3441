import type { ReactNode } from "react";
import { Check, Field, Select } from "../../../parts/form.tsx";
import { DURATION_UNITS, durationParts } from "../amounts.ts";
import type { DaoConfig, DaoMeasureName } from "../dao-types.ts";
import {
  AMENDMENT_WORDS,
  BASIS_WORDS,
  ELECTORATE_WORDS,
  isOrdinary,
  MEASURE_TITLES,
  MEASURES,
  QUORUM_COUNTS_WORDS,
  RULE_TITLES,
  SETTING_TITLES,
  SIGNATURE_WORDS,
} from "../rule-words.ts";
import { measureField, unitField } from "./settings-form.ts";

interface FieldsProps {
  /** What stands, or would stand. */
  of?: Partial<DaoConfig> | undefined;
  /** Before each name, as in the API's faults. */
  prefix?: string;
  /** Empty fields leave what is. */
  isPartial?: boolean;
}

const asOptions = (words: Readonly<Record<string, string>>): (readonly [string, string])[] => Object.entries(words);

interface OneProps extends FieldsProps {
  name: keyof DaoConfig;
  hint?: string;
}

function Choice({ name, of, prefix = "", isPartial, hint, words }: OneProps & { words: Record<string, string> }) {
  return (
    <Select
      label={SETTING_TITLES[name]}
      name={`${prefix}${name}`}
      defaultValue={isPartial ? "" : String(of?.[name] ?? "")}
      hint={hint}
      options={[...(isPartial ? [["", "As it is"] as const] : []), ...asOptions(words)]}
    />
  );
}

function Answer({ name, of, prefix = "", isPartial, yes, no }: OneProps & { yes: string; no: string }): ReactNode {
  return (
    <Select
      label={SETTING_TITLES[name]}
      name={`${prefix}${name}`}
      defaultValue={isPartial ? "" : of?.[name] ? "yes" : "no"}
      options={[...(isPartial ? [["", "As it is"] as const] : []), ["yes", yes] as const, ["no", no] as const]}
    />
  );
}

function Percent({ name, of, prefix = "", isPartial, hint }: OneProps): ReactNode {
  const now = Number(of?.[name] ?? 0) / 100;
  return (
    <Field
      label={`${SETTING_TITLES[name]}, in percent`}
      name={`${prefix}${name}`}
      type="number"
      min={0}
      max={name === "majorityBps" ? 99.99 : 100}
      step={0.01}
      required={!isPartial}
      {...(isPartial ? { placeholder: `${now}` } : { defaultValue: now })}
      hint={hint}
    />
  );
}

function Duration({ name, of, prefix = "", isPartial, hint }: OneProps): ReactNode {
  const { amount, unit } = durationParts(Number(of?.[name] ?? 0));
  return (
    <div className="duration">
      <Field
        label={SETTING_TITLES[name]}
        name={`${prefix}${name}`}
        type="number"
        min={0}
        step="any"
        required={!isPartial}
        {...(isPartial ? { placeholder: String(amount) } : { defaultValue: amount })}
        hint={hint}
      />
      <Select
        label="in"
        aria-label={`${SETTING_TITLES[name]}: in`}
        name={`${prefix}${unitField(name)}`}
        defaultValue={unit}
        options={DURATION_UNITS}
      />
    </div>
  );
}

/** The rules that nearly everybody wants to see. */
export const MainRules = (props: FieldsProps): ReactNode => (
  <>
    <Choice {...props} name="basis" words={BASIS_WORDS} />
    <div className="columns">
      <Percent {...props} name="quorumBps" hint="Of all power, how much must vote." />
      <Percent {...props} name="majorityBps" hint="For must have more than this share of for and against." />
      <Duration {...props} name="periodSeconds" />
      <Duration {...props} name="timelockSeconds" hint="Between the close and the execution. 0: none." />
    </div>
  </>
);

/** The others. */
export const FurtherRules = (props: FieldsProps): ReactNode => (
  <div className="columns">
    <Choice {...props} name="quorumCounts" words={QUORUM_COUNTS_WORDS} />
    <Percent {...props} name="pluralityBps" hint="Where options are voted on; a tie is always defeated." />
    <Threshold {...props} />
    <Duration {...props} name="delaySeconds" hint="Power is frozen when the voting opens." />
    <Duration {...props} name="lateQuorumSeconds" hint="0: a late quorum gives no more time." />
    <Duration {...props} name="graceSeconds" hint="After the timelock; one minute at least." />
    <Depth {...props} />
    <Answer {...props} name="changeable" yes="May be changed until the close" no="Is cast once and stays" />
    <Choice {...props} name="signatures" words={SIGNATURE_WORDS} />
    <Answer {...props} name="autoExecute" yes="By itself, after the timelock" no="By a member, after the timelock" />
  </div>
);

const Threshold = ({ of, prefix = "", isPartial }: FieldsProps): ReactNode => (
  <Field
    label={RULE_TITLES.proposalThreshold}
    name={`${prefix}proposalThreshold`}
    inputMode="numeric"
    pattern="0|[1-9][0-9]*"
    required={!isPartial}
    {...(isPartial ? { placeholder: of?.proposalThreshold } : { defaultValue: of?.proposalThreshold })}
    hint="0: none. A role of the DAO can allow it to its holders anyway."
  />
);

const Depth = ({ of, prefix = "", isPartial }: FieldsProps): ReactNode => (
  <Field
    label="Delegates that power may pass over"
    name={`${prefix}delegationDepth`}
    type="number"
    min={0}
    max={16}
    required={!isPartial}
    {...(isPartial ? { placeholder: String(of?.delegationDepth ?? "") } : { defaultValue: of?.delegationDepth })}
    hint="0: delegations do not count."
  />
);

/** Who the DAO is: who votes, and who changes its rules. */
export const Makeup = (props: FieldsProps): ReactNode => (
  <>
    <Choice {...props} name="electorate" words={ELECTORATE_WORDS} />
    <Choice
      {...props}
      name="amendment"
      words={AMENDMENT_WORDS}
      hint="Once only a passed proposal changes them, only a passed proposal changes that."
    />
  </>
);

/** What its proposals may do. What reaches beyond the DAO only a commander newly allows. */
export function AllowList({ now, mayEmpower }: { now: readonly DaoMeasureName[]; mayEmpower: boolean }): ReactNode {
  return (
    <fieldset className="stack">
      <legend>{SETTING_TITLES.measures}</legend>
      {MEASURES.map((name) => {
        const isOpen = mayEmpower || isOrdinary(name) || now.includes(name);
        return (
          <Check
            key={name}
            label={MEASURE_TITLES[name]}
            name={measureField(name)}
            defaultChecked={now.includes(name)}
            disabled={!isOpen}
            {...(!isOpen && { hint: "Only the commander of the problem set can allow it." })}
          />
        );
      })}
    </fieldset>
  );
}
