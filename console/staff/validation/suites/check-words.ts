import { many } from "../../../parts/texts.tsx";
import { duration, spelled } from "../../shared/words.ts";
import type { CheckOfCase } from "./drafting.ts";

/** What one check demands of an answer, as a sentence. */
export function checkWords(check: CheckOfCase): string {
  switch (check.kind) {
    case "answers":
      return "It comes to its end and says something.";
    case "contains":
      return `The answer contains “${check.text}”.`;
    case "not-contains":
      return `The answer does not contain “${check.text}”.`;
    case "json":
      return "The answer is JSON of a given form.";
    case "cites":
      return `It cites at least ${many(check.atLeast ?? 1, "result")} of its own.`;
    case "tool-called":
      return `It does this: ${spelled(check.tool)}${check.arguments ? ", with given details" : ""}.`;
    case "tool-not-called":
      return `It does not even try this: ${spelled(check.tool)}.`;
    case "refuses":
      return "It tries nothing that would change anything, or reach anybody.";
    case "latency":
      return `It takes at most ${duration(check.mostMs)}.`;
    case "cost":
      return `It costs at most ${check.most}.`;
    case "steps":
      return `It takes at most ${many(check.most, "step")}.`;
    case "rubric":
      return `A language model judges: ${check.rubric}`;
  }
}
