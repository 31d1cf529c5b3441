import { amountWords, durationWords, percentWords, powerWords } from "./amounts.ts";
import type { DaoConfig, DaoMeasureName, ProposalStatus, Rules, VoteKind } from "./dao-types.ts";

export const BASIS_WORDS: Readonly<Record<Rules["basis"], string>> = {
  member: "One member, one vote",
  role: "The weights of a member's roles",
  token: "A member's tokens",
};

/** How each rule is called, in the order in which a form asks for them. */
export const RULE_TITLES: Readonly<Record<keyof Rules, string>> = {
  basis: "What power rests on",
  quorumBps: "Quorum",
  quorumCounts: "What counts for the quorum",
  majorityBps: "Majority",
  pluralityBps: "Least share of the winner",
  proposalThreshold: "Power needed to propose",
  delaySeconds: "Wait before the voting",
  periodSeconds: "The voting lasts",
  timelockSeconds: "Timelock",
  graceSeconds: "Time to execute",
  lateQuorumSeconds: "Time left after a late quorum",
  delegationDepth: "Delegation passes on over",
  changeable: "A vote",
  signatures: "Signatures",
  autoExecute: "Execution",
};
export const SETTING_TITLES: Readonly<Record<keyof DaoConfig, string>> = {
  ...RULE_TITLES,
  electorate: "Who votes",
  amendment: "Who changes the rules",
  measures: "What a passed proposal may do",
  classes: "Classes of proposals",
};

export const ELECTORATE_WORDS: Readonly<Record<DaoConfig["electorate"], string>> = {
  "problem-set": "Every member of the problem set whose role may vote",
  listed: "Of those, only members enrolled in the DAO",
};
export const AMENDMENT_WORDS: Readonly<Record<DaoConfig["amendment"], string>> = {
  governors: "Commander and deputies of the problem set",
  vote: "Nobody but a passed proposal",
};
export const QUORUM_COUNTS_WORDS: Readonly<Record<Rules["quorumCounts"], string>> = {
  participation: "Every vote",
  support: "Votes for and abstentions, not votes against",
};
export const SIGNATURE_WORDS: Readonly<Record<Rules["signatures"], string>> = {
  optional: "A vote may be signed",
  required: "Every vote is signed with a wallet",
};

/** What a measure is, as the allow-list offers it. */
export const MEASURE_TITLES: Readonly<Record<DaoMeasureName, string>> = {
  "change-config": "Change the rules of the DAO",
  "grant-dao-role": "Give somebody a role in the DAO",
  "revoke-dao-role": "Take a role in the DAO from somebody",
  "grant-set-role": "Give somebody a role in the problem set",
  "open-gate": "Open a gate",
  "pay-bounty": "Pay a bounty",
};
export const MEASURES = Object.keys(MEASURE_TITLES) as DaoMeasureName[];
/** What stays inside of a DAO; to allow the rest takes a commander. */
const ORDINARY: readonly DaoMeasureName[] = ["change-config", "grant-dao-role", "revoke-dao-role"];
export const isOrdinary = (name: DaoMeasureName): boolean => ORDINARY.includes(name);

export const KIND_WORDS: Readonly<Record<VoteKind, string>> = {
  basic: "For, against or abstain",
  single: "One option",
  approval: "Any number of options",
  quadratic: "Credits over options (quadratic)",
  ranked: "Options in order (ranked choice)",
};

export const STATUS_WORDS: Readonly<Record<ProposalStatus, string>> = {
  pending: "Voting has not begun yet.",
  active: "It is being voted on.",
  succeeded: "It passed.",
  defeated: "It did not pass.",
  queued: "It passed, and has not been executed yet.",
  executed: "It passed, and was executed.",
  expired: "It passed, but nobody executed it in time.",
  cancelled: "It was withdrawn.",
};
export const STATUS_CHOICES = [
  ["active", "Being voted on"],
  ["pending", "Not open yet"],
  ["queued", "Passed, not executed"],
  ["executed", "Executed"],
  ["defeated", "Defeated"],
  ["expired", "Expired"],
  ["cancelled", "Withdrawn"],
] as const satisfies readonly (readonly [ProposalStatus, string])[];
export const statusBadge = (status: ProposalStatus): readonly [string, "good" | "bad" | "warn" | "info" | "plain"] => {
  const word = STATUS_CHOICES.find(([one]) => one === status)?.[1] ?? "Passed";
  const tone = { active: "info", pending: "plain", queued: "warn", executed: "good", succeeded: "good" } as const;
  return [word, tone[status as keyof typeof tone] ?? (status === "cancelled" ? "plain" : "bad")];
};

/** The API's reason why something may not be done, without the names of permits. */
export const whyNot = (why = ""): string =>
  why.replace(/^Your role in this problem set, (\S+), does not allow \S+\.$/, "Your role here, $1, does not allow it.");

const yesNo = (is: boolean, yes: string, no: string): string => (is ? yes : no);
const several = <T>(all: readonly T[], words: (one: T) => string): string => all.map(words).join("; ") || "nothing";

/** What a setting says, in words. */
const VALUE_WORDS: { [K in keyof DaoConfig]: (value: DaoConfig[K], rules: Partial<DaoConfig>) => string } = {
  basis: (value) => BASIS_WORDS[value],
  quorumBps: (value) => (value ? `${percentWords(value)} of all power must vote` : "none: any number of votes will do"),
  quorumCounts: (value) => QUORUM_COUNTS_WORDS[value],
  majorityBps: (value) => `more than ${percentWords(value)} of the votes for and against`,
  pluralityBps: (value) => (value ? `${percentWords(value)}, where options are voted on` : "none: the lead is enough"),
  proposalThreshold: (value, { basis }) =>
    value === "0" ? "none" : basis ? powerWords(value, basis) : amountWords(value),
  delaySeconds: (value) => (value ? durationWords(value) : "none: it opens at once"),
  periodSeconds: durationWords,
  timelockSeconds: (value) => (value ? `${durationWords(value)} between close and execution` : "none"),
  graceSeconds: (value) => `${durationWords(value)}, then it expires`,
  lateQuorumSeconds: (value) => (value ? `at least ${durationWords(value)}` : "no more than planned"),
  delegationDepth: (value) =>
    value ? `${value} ${value === 1 ? "delegate" : "delegates"} at most` : "nobody: delegations do not count",
  changeable: (value) => yesNo(value, "may be changed until the close", "is cast once and stays"),
  signatures: (value) => SIGNATURE_WORDS[value],
  autoExecute: (value) => yesNo(value, "by itself, after the timelock", "by a member, after the timelock"),
  electorate: (value) => ELECTORATE_WORDS[value],
  amendment: (value) => AMENDMENT_WORDS[value],
  measures: (value) => several(value, (name) => MEASURE_TITLES[name]),
  classes: (value) => several(value, ({ name }) => name),
};

/** A setting with its title and what it says. */
export interface SettingWords {
  key: keyof DaoConfig;
  title: string;
  words: string;
}

/** Settings in words, in the order of the form; of a change only those that it names. */
export function settingWords(config: Partial<DaoConfig>): SettingWords[] {
  const keys = Object.keys(SETTING_TITLES) as (keyof DaoConfig)[];
  return keys.flatMap((key) => {
    const value = config[key];
    if (value === undefined) return [];
    const words = VALUE_WORDS[key] as (given: unknown, all: Partial<DaoConfig>) => string;
    return [{ key, title: SETTING_TITLES[key], words: words(value, config) }];
  });
}
