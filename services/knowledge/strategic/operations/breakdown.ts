import { shortened } from "../../../../core/text/cutting.ts";
import { quantities } from "../../../../core/text/statements/figures/quantities.ts";
import { sentences } from "../../../../core/text/words/sentences.ts";
import { terms } from "../../../../core/text/words/terms.ts";
import { words } from "../../../../core/text/words/words.ts";
import type { Intent } from "../intents/intents.ts";
import type { Objective } from "../objectives/objectives.ts";
import { MOST_DAYS, type OperationsPlan } from "./operations.ts";

const DAY_S = 86_400;
const MOST_TASKS = 60;
const LONGEST_NAME = 300;
const DIRECTIVE = /\b(?:must|shall|will|should|ensure|has to|have to|needs? to|is to|are to)\b/i;
/** "After the bridge is open, ..."; "... once the bridge is open". */
const AFTER = /\b(?:after|once|when|as soon as|following)\s+([^,;.]{3,200})/i;
const FEWEST = 0.6;

const named = (text: string): string => shortened(LONGEST_NAME, text);

/** The duration that a text gives, in days; without a sign, which is a dash before it. */
function daysIn(text: string): number | undefined {
  const spoken = words(text);
  const time = quantities(text, spoken).find(({ unit }) => unit === "s");
  return time && Math.round((Math.abs(time.value) / DAY_S) * 100) / 100;
}

/** How long a task takes that its text says takes so many days, and what is assumed with it, in a sentence. */
function durationOf(key: string, told: number | undefined): { days: number; assumed?: string } {
  if (told === undefined) return { days: 1, assumed: `Nothing says how long ${key} takes: one day is assumed.` };
  if (told <= MOST_DAYS) return { days: told };
  return { days: MOST_DAYS, assumed: `${key} takes longer than a plan can hold: ${MOST_DAYS} days are assumed.` };
}

/** The tasks, in the words of the intent, else of the objective. */
function deedsOf(objective: Pick<Objective, "statement" | "description">, intent: Pick<Intent, "keyTasks"> | null) {
  const { statement, description = "" } = objective;
  const told = intent?.keyTasks ?? sentences(description).map(({ text }) => text);
  const deeds = told.map((text) => text.trim()).filter((text) => (intent ? text !== "" : DIRECTIVE.test(text)));
  return deeds.length ? deeds : [statement];
}

/** The earlier tasks that a task says it follows: it names them by most of their words. */
function dependenciesOf(deed: string, before: readonly string[]): number[] {
  const said = AFTER.exec(deed)?.[1];
  const wanted = new Set(said ? terms(said) : []);
  if (!wanted.size) return [];
  return before.flatMap((other, at) => {
    const theirs = new Set(terms(other));
    const shared = [...wanted].filter((term) => theirs.has(term)).length;
    return shared / wanted.size >= FEWEST ? [at] : [];
  });
}

/**
 * A first breakdown by rules: the tasks of the intent or the objective, in its words; dependencies only where the text
 * states them; everything else is marked as assumed.
 */
export function breakDown(
  objective: Pick<Objective, "statement" | "description" | "measure" | "dueAt" | "owner">,
  intent: Pick<Intent, "keyTasks"> | null,
): OperationsPlan & { assumed: string[] } {
  const { statement, measure, dueAt } = objective;
  const owner = objective.owner?.trim();
  const deeds = deedsOf(objective, intent).slice(0, MOST_TASKS);
  const assumed: string[] = [];
  const tasks = deeds.map((deed, at) => {
    const key = `T${at + 1}`;
    const { days, assumed: also } = durationOf(key, daysIn(deed));
    if (also) assumed.push(also);
    const before = dependenciesOf(deed, deeds.slice(0, at)).map((other) => `T${other + 1}`);
    const resources = owner ? ["R1"] : [];
    return { key, name: named(deed), lineOfEffort: "L1", days, dependsOn: before, resources };
  });
  return {
    linesOfEffort: [{ key: "L1", name: named(statement) }],
    tasks,
    measures: measure ? [{ ...measure, ...(dueAt && { dueAt }), lineOfEffort: "L1" }] : [],
    resources: owner ? [{ key: "R1", name: owner }] : [],
    assumed,
  };
}
