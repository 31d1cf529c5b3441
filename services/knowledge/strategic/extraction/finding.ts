import type { Host } from "../../../../core/contract/endpoint.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import type { WholeText } from "../../documents/client.ts";
import { strangeLanguage, unread } from "../languages.ts";
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

/** What a sentence must show by itself before a model's word makes an objective of it. */
const LEAST = 0.2;
const LONGEST = 90;

const meets = (one: Chunk, other: Chunk): boolean => one.start < other.end && other.start < one.end;

/**
 * Those of a text's sentences that a model points at and that rules do not object to. It points, the text decides: what
 * is quoted, denied, past or speaks to programs stays out, and so does what shows no sign of an objective at all.
 */
export const accepted = (judged: readonly Judged[], places: readonly Chunk[]): Judged[] =>
  judged.filter(
    (one) =>
      places.some((place) => meets(one, place)) &&
      !one.signs.against &&
      one.signs.words.length <= LONGEST &&
      confidenceOf(signsAmong(one)).value >= LEAST,
  );

/** The surest where there are very many, in the order of the text. */
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
 * In a language that the rules do not read they ask for no signs, and what they take for several sentences ("am 12. März")
 * is one where the model says so. What speaks to programs in English stays out.
 */
const merged = ({ text }: WholeText, judged: readonly Judged[], places: readonly Chunk[]): Judged[] =>
  places.flatMap((place) => {
    const [first, ...others] = judged.filter((one) => meets(one, place));
    if (!first || others.some(({ passage }) => passage !== first.passage)) return [];
    const one = judgedAt(text, first.passage, { start: first.start, end: others.at(-1)?.end ?? first.end });
    return one.signs.against || one.signs.words.length > LONGEST ? [] : [one];
  });

/** The objectives of a text in the language that its reader told: by rules, and where a model is configured by what it points at beside. */
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
