import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import type { Hit } from "../../../../../core/text/words/phrases.ts";
import type { Word } from "../../../../../core/text/words/words.ts";
import type { Directive } from "./directive.ts";
import { isVerb } from "./verbs.ts";

const procedures = lazily(() => new Set<string>(lexicon.directives.procedures));
const CLAUSE = 16;
const FARTHEST = 16;
const TO_DO = new Set(["to", "will", "would", "shall", "should", "must", "be", "is", "are"]);

/** "It was agreed that the treasurer would obtain quotes", "RESOLVED to open the hall": what those who may decide decided. */
export function resolutionIn(text: string, spoken: readonly Word[], hits: readonly Hit[]): Directive | undefined {
  const hit = hits.find(({ label, first }) => label === "resolution" && first < FARTHEST);
  if (!hit) return undefined;
  const before = hits.some(({ label, last }) => label === "decider" && last < hit.first);
  const others = hits.some(({ label, last }) => (label === "outside" || label === "enemy") && last < hit.first);
  const denied = spoken
    .slice(0, hit.first)
    .some(({ text: word }) => word === "not" || word === "never" || word === "had");
  if ((hit.first > 0 && !before) || others || denied) return undefined;
  const verb = verbAfter(spoken, hit);
  if (!verb || procedures().has(verb.text)) return undefined;
  return { how: "obligation", verb, from: hit.start, isOrder: true, isResolved: true };
}

function verbAfter(spoken: readonly Word[], { last }: Hit): Word | undefined {
  if (spoken[last]!.text === "to") return spoken[last + 1];
  const clause = spoken.slice(last + 1, last + 1 + CLAUSE);
  const mark = clause.findIndex(({ text: word }) => TO_DO.has(word));
  return mark < 0 ? clause.find((word, at) => at > 0 && isVerb(word)) : clause[mark + 1];
}
