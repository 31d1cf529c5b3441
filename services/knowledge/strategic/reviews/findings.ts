import { z } from "zod";
import { Citation } from "../../../../core/contract/citation.ts";
import { derivedId } from "../../../../core/ids.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { cite } from "../../../../core/text/citations.ts";
import { isBeyondNumbers, numbersIn } from "../../../../core/text/statements/figures/numerals.ts";
import { sentences } from "../../../../core/text/words/sentences.ts";
import type { Span } from "../../../../core/text/words/words.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import type { WholeText } from "../../documents/client.ts";
import { isObjective, judgeSentences } from "../extraction/candidates.ts";
import { placesIn, type Chunk, type PieceQuestion } from "../extraction/model.ts";
import { portions } from "../extraction/passages.ts";
import { addressesMachines } from "../extraction/objections.ts";
import { signsOf } from "../extraction/signs.ts";
import {
  CATEGORIES,
  isFit,
  lateAbbreviations,
  placeholders,
  repeatedWords,
  reversedRanges,
  FINDING_SEVERITIES,
  weakDirectives,
  wrongDates,
  type Remark,
} from "./wording.ts";

export const Finding = z
  .object({
    id: TextId,
    category: z.enum(CATEGORIES),
    severity: z.enum(FINDING_SEVERITIES),
    message: z.string(),
    citation: Citation,
    replace: z.string().describe("The words cited."),
    with: z.string().optional().describe("What to put in their place; absent where only a person can know."),
    method: z.enum(["heuristic", "llm"]),
  })
  .meta({ id: "ReviewFinding" });
export type Finding = z.output<typeof Finding>;

/** From a text with more faults, the most severe findings are kept. */
export const MOST_FINDINGS = 200;
const MOST_QUOTE = 2_000;

function findingOf(whole: WholeText, remark: Remark, method: Finding["method"]): Finding | undefined {
  const { start, end, category, severity, message } = remark;
  if (end - start > MOST_QUOTE || !whole.text.slice(start, end).isWellFormed()) return undefined;
  const citation = cite(whole, { start, end });
  return {
    id: derivedId(`strategic.findings/${whole.documentId}/${whole.version}/${category}/${start}/${end}`),
    category,
    severity,
    message,
    citation,
    replace: citation.quote,
    ...(remark.with !== undefined && { with: remark.with }),
    method,
  };
}

const shifted = (remarks: Iterable<Remark>, by: number): Remark[] =>
  [...remarks].map((remark) => ({ ...remark, start: remark.start + by, end: remark.end + by }));

const TO_PROGRAMS = {
  category: "addressed-to-programs",
  severity: "high",
  message: "This speaks to programs, not to the staff.",
  with: "",
} as const;

/** Faults in a part of one block. */
function inPortion(text: string): Remark[] {
  const remarks: Remark[] = [...placeholders(text), ...wrongDates(text), ...reversedRanges(text)];
  for (const sentence of sentences(text)) {
    const { start, end } = sentence;
    remarks.push(...repeatedWords(text, sentence));
    if (addressesMachines(sentence.text)) remarks.push({ start, end, ...TO_PROGRAMS });
    else remarks.push(...shifted(weakDirectives(sentence.text, signsOf(sentence.text)), start));
  }
  return remarks;
}

const meets = (one: Span, other: Span): boolean => one.start < other.end && other.start < one.end;
const inOrder = (one: Span, other: Span): number => one.start - other.start || one.end - other.end;

/** The most severe, in the order of the text. */
function gravest(remarks: readonly Remark[]): Remark[] {
  const rank = ({ severity }: Remark): number => FINDING_SEVERITIES.indexOf(severity);
  return [...remarks]
    .sort((a, b) => rank(a) - rank(b) || inOrder(a, b))
    .slice(0, MOST_FINDINGS)
    .sort(inOrder);
}

/** Faults in a text by rules. */
export function* reviewed(whole: WholeText): Steps<Remark[]> {
  const [remarks, explained]: [Remark[], Set<string>] = [[], new Set()];
  for (const block of whole.blocks) {
    if (block.kind === "running-head") continue;
    for (const portion of portions(whole.text, block)) {
      remarks.push(...lateAbbreviations(whole.text, portion, explained));
      remarks.push(...shifted(inPortion(whole.text.slice(portion.start, portion.end)), portion.start));
      yield;
    }
  }
  for (const one of (yield* judgeSentences(whole)).filter(isObjective)) {
    const { measures, deadlines, isRecurring } = one.signs;
    if (measures.length || deadlines.length || isRecurring || one.passage.heading?.means === "end-state") continue;
    const message = "Neither a measure nor a date: nobody can tell when it is reached.";
    remarks.push({ start: one.start, end: one.end, category: "no-measure", severity: "medium", message });
  }
  return remarks;
}

const ReviewAnswer = z.strictObject({
  findings: z
    .array(z.strictObject({ quote: z.string().min(1).max(400), with: z.string().max(600), why: z.string().max(300) }))
    .max(40),
});

export const reviewQuestion: PieceQuestion<z.output<typeof ReviewAnswer>> = {
  name: "review",
  schema: ReviewAnswer,
  maxTokens: 3_000,
  task: [
    "You review the wording of a plan: what is ambiguous, contradictory or wrong in language.",
    "For each give `quote`, the words exactly as they stand there, `with`, what to write in their place, " +
      "and `why` in a short sentence.",
    "Change no figure, date, name or fact.",
  ].join(" "),
};

/**
 * The accepted parts of a model's answer: words that stand in the text, with a plain replacement without new figures,
 * where no rule has a finding and the text does not address machines. Its severity is always low.
 */
export function acceptFindings(
  whole: WholeText,
  chunk: Chunk,
  answer: z.output<typeof ReviewAnswer>,
  byRules: readonly Remark[],
): Remark[] {
  return answer.findings.flatMap(({ quote, with: instead, why }) => {
    const [place] = placesIn(whole.text, chunk, [quote]);
    if (!place || byRules.some((remark) => meets(remark, place))) return [];
    const words = whole.text.slice(place.start, place.end);
    const known = new Set(numbersIn(words));
    const inside = whole.blocks.some(({ start, end }) => place.start >= start && place.end <= end);
    if (
      !inside ||
      !isFit(instead, words) ||
      instead === words ||
      addressesMachines(instead) ||
      addressesMachines(words)
    )
      return [];
    if (isBeyondNumbers(instead) || numbersIn(instead).some((figure) => !known.has(figure))) return [];
    const message =
      why
        .replaceAll(/[\p{Cc}\p{Cf}<>]+|https?:\S+/giu, " ")
        .trim()
        .slice(0, 300) || "The model says so.";
    return [{ ...place, category: "wording" as const, severity: "low" as const, message, with: instead }];
  });
}

/** All findings of a text, in order. */
export function findingsOf(whole: WholeText, byRules: readonly Remark[], byModel: readonly Remark[]): Finding[] {
  const models = new Set(byModel);
  const all = new Map<string, Finding>();
  for (const remark of gravest([...byRules, ...byModel])) {
    const finding = findingOf(whole, remark, models.has(remark) ? "llm" : "heuristic");
    if (finding) all.set(finding.id, finding);
  }
  return [...all.values()];
}
