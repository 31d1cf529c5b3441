import type { Host } from "../../../../core/contract/endpoint.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import type { WholeText } from "../../documents/client.ts";
import { strangeLanguage, unread } from "../../languages.ts";
import {
  confidenceOf,
  gathered,
  isObjective,
  judgeSentences,
  judgedAt,
  signsAmong,
  type NamedCandidate,
  type Judged,
} from "./candidates.ts";
import { MOST_FOUND } from "./extraction.ts";
import { asked, chunksOf, objectivesQuestion, placesIn, type Chunk, type Memory } from "./model.ts";

/** The confidence that a sentence needs by itself before a model can make it an objective. */
const LEAST = 0.2;
const LONGEST = 90;

const meets = (one: Chunk, other: Chunk): boolean => one.start < other.end && other.start < one.end;

/**
 * The sentences that a model selects and that no rule rejects. The model proposes, the text decides: quoted, denied,
 * past or machine-directed sentences stay out, and so do those without any sign of an objective.
 */
export const accepted = (judged: readonly Judged[], places: readonly Chunk[]): Judged[] =>
  judged.filter(
    (one) =>
      places.some((place) => meets(one, place)) &&
      !one.signs.against &&
      one.signs.words.length <= LONGEST &&
      confidenceOf(signsAmong(one)).value >= LEAST,
  );

/** The most certain ones where there are very many, in the order of the text. */
function surest(all: NamedCandidate[]): NamedCandidate[] {
  if (all.length <= MOST_FOUND) return all;
  const kept = new Set([...all].sort((a, b) => b.confidence.value - a.confidence.value).slice(0, MOST_FOUND));
  return all.filter((one) => kept.has(one));
}

export interface Result {
  found: NamedCandidate[];
  method: "heuristic" | "llm";
  fault?: string;
  notice?: string;
}

/**
 * In a language that the rules do not read, no signs are required, and what the rules split ("am 12. März") is one
 * sentence where the model says so. English text that addresses machines stays out.
 */
const merged = ({ text }: WholeText, judged: readonly Judged[], places: readonly Chunk[]): Judged[] =>
  places.flatMap((place) => {
    const [first, ...others] = judged.filter((one) => meets(one, place));
    if (!first || others.some(({ passage }) => passage !== first.passage)) return [];
    const one = judgedAt(text, first.passage, { start: first.start, end: others.at(-1)?.end ?? first.end });
    return one.signs.against || one.signs.words.length > LONGEST ? [] : [one];
  });

/**
 * The objectives of a text in the language that its reader found: by rules, and if a model is configured also by its
 * selection.
 */
export async function findObjectives(
  host: Host,
  whole: WholeText,
  { memory, signal, keep }: { memory: Memory; signal: AbortSignal; keep: () => Promise<void> },
  told?: string,
): Promise<Result> {
  const strange = strangeLanguage(whole.text, told);
  const judged = await inTurns(judgeSentences(whole), { signal });
  const bearing = judged.filter(({ passage, signs }) => passage.heading || signs.directive);
  const bears = (start: number, end: number): boolean =>
    strange !== undefined || bearing.some((one) => meets(one, { start, end }));
  const pointed = new Set<Judged>();
  let isAnswered = false;
  for (const chunk of host.world.llm.configured ? chunksOf(whole, bears) : []) {
    const answer = await asked(host, objectivesQuestion, whole.text.slice(chunk.start, chunk.end), {
      memory,
      signal,
      keep,
    });
    if (!answer) continue;
    isAnswered = true;
    const places = placesIn(
      whole.text,
      chunk,
      answer.objectives.map(({ quote }) => quote),
    );
    for (const one of strange === undefined ? accepted(judged, places) : merged(whole, judged, places))
      pointed.add(one);
  }
  const byRules = judged.filter((one) => isObjective(one) && ![...pointed].some((other) => meets(one, other)));
  const chosen = [...byRules, ...pointed].sort((one, other) => one.start - other.start);
  const found = await inTurns(gathered(whole, chosen, pointed), { signal });
  return {
    found: surest(found),
    method: isAnswered ? "llm" : "heuristic",
    ...(memory.fault !== undefined && { fault: memory.fault }),
    ...(strange !== undefined && !isAnswered && { notice: unread(strange, "for objectives") }),
  };
}
