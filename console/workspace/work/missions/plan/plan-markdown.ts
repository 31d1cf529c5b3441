import { relationWords, type CommandTree } from "../../units/command-words.ts";
import { PHASE_TITLES, placeOf, STAGES } from "../phase-words.ts";
import type { PlanParts } from "./read-plan.ts";

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
/** On paper a time is written out, and in the time zone that all readers share. */
export const onPaper = (instant: string): string => `${moment.format(new Date(instant))} UTC`;

/** A line that another one follows ends with two blanks, so that it stays a line. */
const keptLines = (text: string): string =>
  text
    .split("\n")
    .map((one) => one.trim())
    .map((one, at) => (at === 0 ? one : one ? `  \n${one}` : "\n"))
    .join("");

/** Text of people, so that nothing in it is taken for Markdown; its own lines stay. */
export const escaped = (text: string): string =>
  keptLines(text.trim())
    .replace(/[\\`*_[\]<>#|~]/g, "\\$&")
    .replace(/^([ \t]*)([-+=]|\d+[.)])/gm, (_all, space: string, mark: string) =>
      mark.length > 1 ? `${space}${mark.slice(0, -1)}\\${mark.at(-1)}` : `${space}\\${mark}`,
    );
/** The same on one line, for items and cells. */
const line = (text: string): string => escaped(text.replace(/\s+/g, " "));

const items = (lines: readonly string[]): string => lines.map((one) => `- ${one}`).join("\n");
const part = (title: string, ...blocks: readonly (string | false | undefined)[]): string => {
  const said = blocks.filter(Boolean);
  return said.length ? [`## ${title}`, ...said].join("\n\n") : "";
};
const under = (title: string, lines: readonly string[]): string | false =>
  lines.length > 0 && `### ${title}\n\n${items(lines)}`;

const ORDER = ["intent", "objective", "constraint"];
const directionLines = (all: readonly { kind: string; title: string; text: string }[]): string[] =>
  all
    .filter(({ kind }) => ORDER.includes(kind))
    .toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))
    .map(({ kind, title, text }) => `${kind}: **${line(title)}**${text ? `: ${line(text)}` : ""}`);

const situation = ({ inherited, directions, assumptions }: PlanParts): string =>
  part(
    "Situation",
    under("Direction of the set above", directionLines(inherited.items)),
    under("Direction of this set", directionLines(directions)),
    under(
      "Assumptions",
      assumptions
        .filter(({ status }) => status !== "withdrawn")
        .map(
          ({ statement, status, confirmBy }) =>
            `${line(statement)} (${status === "accepted" ? "accepted" : "not accepted yet"})` +
            (confirmBy ? `; to be confirmed: ${line(confirmBy)}` : ""),
        ),
    ),
  );

const missionPart = ({ mission: { objective, startsAt, endsAt, outcome } }: PlanParts): string =>
  part(
    "Mission",
    objective ? escaped(objective) : "No objective is set.",
    (startsAt || endsAt) &&
      `From ${startsAt ? onPaper(startsAt) : "a time not set"} until ${endsAt ? onPaper(endsAt) : "a time not set"}.`,
    outcome && `Outcome: ${escaped(outcome)}`,
  );

const execution = ({ mission: { description }, constraints, workflow }: PlanParts): string =>
  part(
    "Execution",
    description && escaped(description),
    under(
      "Constraints",
      constraints.map(({ kind, statement }) => `${kind === "must" ? "Must" : "Must not"}: ${line(statement)}`),
    ),
    under(
      "Conditions at the end of steps",
      (workflow?.gates ?? []).map(
        ({ name, phase, criteria, satisfied, evidence, required }) =>
          `**${line(name)}** (${PHASE_TITLES[phase]}): ` +
          (satisfied ? "met" : required ? "not met" : "not met, and may be left so") +
          (criteria ? `. ${line(criteria)}` : "") +
          (evidence ? `. Shown by: ${line(evidence)}` : ""),
      ),
    ),
  );

const unitLines = (units: readonly CommandTree[], depth: number, above?: string): string[] =>
  units.flatMap(({ unit, by, others, subordinates }) => [
    `${"  ".repeat(depth)}- ${[
      `**${line(unit.name)}**`,
      ...[unit.designation, unit.kind].filter((text) => text !== undefined).map(line),
      unit.echelon,
      ...(by && above ? [`${relationWords(by.kind)} ${line(above)}`] : []),
      ...others.map(({ kind, superiorName }) => `${relationWords(kind)} ${line(superiorName)}`),
    ].join(", ")}`,
    ...unitLines(subordinates, depth + 1, unit.name),
  ]);

const command = ({ command: { roots }, participants }: PlanParts): string =>
  part(
    "Command",
    roots.length > 0 && `### Chain of command\n\n${unitLines(roots, 0).join("\n")}`,
    under(
      "People",
      participants.map(({ userName, userId, part: does }) => `${line(userName ?? userId)}: ${does}`),
    ),
  );

const course = ({ workflow }: PlanParts): string =>
  workflow
    ? part(
        "How it was planned",
        items(
          workflow.history.map(
            ({ phase, from, by, byName, note }) =>
              `**${PHASE_TITLES[phase]}**, from ${onPaper(from)}, moved by ${line(byName ?? by)}` +
              (note ? `: ${line(note)}` : ""),
          ),
        ),
      )
    : "";

const standOf = ({ workflow }: PlanParts): string => {
  if (!workflow) return "planning not begun";
  if (workflow.phase === "complete") return "planning complete";
  return `planning at step ${placeOf(workflow.phase) + 1} of ${STAGES.length - 1}: ${PHASE_TITLES[workflow.phase]}`;
};

/** It is an order once its planning is complete. */
export const kindOfPlan = ({ workflow }: PlanParts): "Order" | "Plan" =>
  workflow?.phase === "complete" ? "Order" : "Plan";

interface Heading {
  /** The problem set's name. */
  set: string;
  /** Names of the compartments that the mission lies in. */
  readers: readonly string[];
  /** As of when it says what it says. */
  at: string;
}

/** The plan in Markdown, without its title: the parts of an order, from the situation to command. */
export function planMarkdown(plan: PlanParts, { set, readers, at }: Heading): string {
  const { mission } = plan;
  const head = [
    `${line(set)}; mission ${mission.status}; ${standOf(plan)}; as of ${onPaper(at)}.`,
    ...(readers.length ? [`**Only for those read into: ${readers.map(line).join(", ")}.**`] : []),
  ];
  return [...head, situation(plan), missionPart(plan), execution(plan), command(plan), course(plan)]
    .filter(Boolean)
    .join("\n\n");
}
