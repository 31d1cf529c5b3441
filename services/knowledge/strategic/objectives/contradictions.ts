import { compareDates } from "../../../../core/text/dates.ts";
import { measuresOf, sameMeasure } from "../../../../core/text/measures.ts";
import type { Negation } from "../../../../core/text/polarity.ts";
import { sameValue } from "../../../../core/text/quantities.ts";
import type { Sense } from "../../../../core/text/meaning.ts";
import { statementOf, type Statement } from "../../../../core/text/statement.ts";
import { baseOf } from "../../../../core/text/stem.ts";
import type { Measure } from "./objectives.ts";

/** Acts of plans that undo each other, beside the antonyms of everyday words. */
const ACTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ground: {
    keep: ["hold", "defend", "retain", "keep", "maintain", "occupy"],
    give: ["withdraw", "abandon", "cede", "evacuate", "vacate", "relinquish", "leave"],
  },
  fate: {
    destroy: ["destroy", "demolish", "blow", "raze", "ruin", "damage"],
    spare: ["preserve", "spare", "protect", "save", "repair", "restore"],
  },
  passage: {
    block: ["block", "close", "deny", "interdict", "blockade", "cut"],
    clear: ["open", "reopen", "clear", "unblock", "permit", "allow"],
  },
  pace: {
    slow: ["delay", "postpone", "defer", "slow", "suspend", "halt", "stop", "end"],
    hasten: ["accelerate", "hasten", "speed", "begin", "start", "resume", "continue"],
  },
  amount: {
    more: ["increase", "raise", "expand", "grow", "double", "strengthen", "reinforce", "extend"],
    less: ["reduce", "decrease", "cut", "lower", "shrink", "halve", "weaken", "diminish"],
  },
};

const KNOWN = new Map<string, { axis: string; pole: string }[]>();
for (const [axis, poles] of Object.entries(ACTS))
  for (const [pole, forms] of Object.entries(poles))
    for (const form of forms) KNOWN.set(baseOf(form), [...(KNOWN.get(baseOf(form)) ?? []), { axis, pole }]);

/** Something that is to be done, and what it is to be done to. */
interface Deed {
  axes: readonly { axis: string; pole: string }[];
  verb: string;
  isDenied: boolean;
  object: ReadonlySet<string>;
}

/** Words behind a deed that may be its object. */
const REACH = 7;
const CLAUSE = /^(?:and|from|but|while|so|to|by|until|before|after|within|without|in|because|if|when|than)$/;
const FEWEST = 0.75;

/** What is denied is the deed that a negation stands before, not what that is done to. */
const isDenied = (negations: readonly Negation[], senses: readonly Sense[], at: number): boolean =>
  negations.some(
    ({ from, to }) => at >= from && at <= to && !senses.some((other) => other.at >= from && other.at < at),
  );

const axesOf = ({ concept, pole, word }: Sense): { axis: string; pole: string }[] => [
  ...(KNOWN.get(baseOf(word)) ?? []),
  ...(pole ? [{ axis: concept, pole }] : []),
];

/** What stands behind a deed, up to the next clause; where nothing does, what stands before it: "the bridge is held". */
function objectOf({ words, senses }: Statement, deed: Sense): Set<string> {
  let end = deed.at + 1;
  while (end < words.length && end <= deed.at + REACH && (end === deed.at + 1 || !CLAUSE.test(words[end]!.text)))
    end += 1;
  const named = (low: number, high: number): string[] =>
    senses.filter((one) => one !== deed && one.at >= low && one.at < high).map(({ concept }) => concept);
  const behind = named(deed.at + 1, end);
  return new Set(behind.length ? behind : named(Math.max(0, deed.at - REACH), deed.at));
}

function deedsOf(stated: Statement): Deed[] {
  return stated.senses.map((sense) => ({
    axes: axesOf(sense),
    verb: sense.concept,
    isDenied: isDenied(stated.negations, stated.senses, sense.at),
    object: objectOf(stated, sense),
  }));
}

/** How much of the smaller of two sets lies in the other. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const fewest = Math.min(one.size, other.size);
  return fewest ? [...one].filter((item) => other.has(item)).length / fewest : 0;
}

const contentOf = ({ senses }: Statement): Set<string> => new Set(senses.map(({ concept }) => concept));

/** Two deeds on one thing of which one undoes the other. */
function undoes(one: Deed, other: Deed): boolean {
  if (overlap(one.object, other.object) < FEWEST) return false;
  if (one.verb === other.verb && !one.verb.startsWith("±")) return one.isDenied !== other.isDenied;
  const isOpposed = one.axes.some(({ axis, pole }) => other.axes.some((it) => it.axis === axis && it.pole !== pole));
  const isAlike = one.axes.some(({ axis, pole }) => other.axes.some((it) => it.axis === axis && it.pole === pole));
  return (isOpposed && one.isDenied === other.isDenied) || (isAlike && !isOpposed && one.isDenied !== other.isDenied);
}

/** An objective as it is held against another. */
export interface Stated {
  statement: string;
  measure?: Measure | undefined;
  dueAt?: string | undefined;
}

/** An objective taken apart: once, however many it is held against. */
export interface Apart {
  stated: Stated;
  statement: Statement;
  deeds: readonly Deed[];
  content: ReadonlySet<string>;
}
export function takeApart(stated: Stated): Apart {
  const statement = statementOf(stated.statement);
  return { stated, statement, deeds: deedsOf(statement), content: contentOf(statement) };
}

/** The two measure one thing, by one day, and want different ends of it. */
function targetsDiffer(one: Stated, other: Stated): boolean {
  const [a, b] = [one.measure, other.measure];
  if (!a || !b || a.target === b.target || (a.unit ?? "") !== (b.unit ?? "")) return false;
  if (one.dueAt && other.dueAt && one.dueAt !== other.dueAt) return false;
  const [mine, theirs] = [contentOf(statementOf(a.indicator)), contentOf(statementOf(b.indicator))];
  return mine.size === theirs.size && overlap(mine, theirs) === 1;
}

function figuresDiffer(one: Statement, other: Statement): boolean {
  const theirs = measuresOf(other);
  return measuresOf(one).some((mine) =>
    theirs.some((it) => sameMeasure(mine, it) && sameValue(mine.quantity, it.quantity) === "differ"),
  );
}

/**
 * Why two objectives cannot both be reached, by what they say alone; undefined where nothing of theirs says so. What
 * differs only in its date and its figure is a series of milestones.
 */
export function contradiction(one: Apart, other: Apart): string | undefined {
  if (targetsDiffer(one.stated, other.stated)) return "They set different targets for one measure.";
  if (one.deeds.some((deed) => other.deeds.some((it) => undoes(deed, it)))) return "One undoes the other.";
  if (overlap(one.content, other.content) < FEWEST) return undefined;
  const figures = figuresDiffer(one.statement, other.statement);
  const when = compareDates(one.statement.dates, other.statement.dates);
  if (figures && when !== "differ") return "They name different figures for the same.";
  if (!figures && when === "differ") return "They name different dates for the same.";
  return undefined;
}
