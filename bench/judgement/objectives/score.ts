import { extractObjectives } from "../../../services/knowledge/strategic/extraction/candidates.ts";
import { atOnce } from "../../../core/work/turns.ts";
import { corpus, PARTS } from "./corpus.ts";

/** `node bench/judgement/objectives/score.ts [--wrong]`: how well objectives are found by rules alone. */

interface Span {
  start: number;
  end: number;
}
/** Found: most of the letters of either lie in the other. */
const meets = (one: Span, other: Span): boolean => {
  const common = Math.min(one.end, other.end) - Math.max(one.start, other.start);
  return (
    common > 0.6 * Math.max(one.end - one.start, other.end - other.start) ||
    (common === one.end - one.start && common > 0.5 * (other.end - other.start))
  );
};

export interface Scored {
  labelled: number;
  found: number;
  right: number;
  missed: string[];
  wrong: string[];
}

export function scored(part: (typeof PARTS)[number]): Scored {
  const total: Scored = { labelled: 0, found: 0, right: 0, missed: [], wrong: [] };
  for (const { name, whole, objectives } of corpus(part)) {
    const spans = atOnce(extractObjectives(whole)).flatMap(({ citations }) => citations);
    const right = objectives.filter((label) => spans.some((span) => meets(span, label)));
    total.labelled += objectives.length;
    total.found += spans.length;
    total.right += right.length;
    for (const label of objectives)
      if (!right.includes(label)) total.missed.push(`${name}: ${whole.text.slice(label.start, label.end)}`);
    for (const span of spans)
      if (!objectives.some((label) => meets(span, label))) total.wrong.push(`${name}: ${span.quote}`);
  }
  return total;
}

export const precisionOf = ({ right, found }: Scored): number => right / found;
export const recallOf = ({ right, labelled }: Scored): number => right / labelled;

if (import.meta.main) {
  process.stdout.write("| part | labelled | found | precision | recall |\n|---|---|---|---|---|\n");
  for (const part of PARTS) {
    const one = scored(part);
    const figures = [one.labelled, one.found, precisionOf(one).toFixed(3), recallOf(one).toFixed(3)];
    process.stdout.write(`| ${part} | ${figures.join(" | ")} |\n`);
    if (process.argv.includes("--wrong"))
      for (const line of [
        ...one.missed.map((words) => `missed ${words}`),
        ...one.wrong.map((words) => `wrong  ${words}`),
      ])
        process.stdout.write(`  ${line}\n`);
  }
}
