import { cite, type Citation } from "../../../core/text/citations.ts";
import { shortened, wholeEnd } from "../../../core/text/cutting.ts";
import { conceptOf } from "../../../core/text/statements/meaning.ts";
import { sentences } from "../../../core/text/words/sentences.ts";
import { statement, type Statement } from "../../../core/text/statements/statement.ts";
import { terms } from "../../../core/text/words/terms.ts";
import type { Steps } from "../../../core/work/turns.ts";
import { stance } from "../../news/verification/client.ts";
import type { DocumentText } from "../strategic-tools/client.ts";
import {
  fieldsOf,
  missingIn,
  SECTION_NAMES,
  type FieldName,
  type DesignPoint,
  type DesignValues,
  type Section,
} from "./sections.ts";

/** Words of the design: `text.slice(start, end)` of that field, or of that point's statement, is the quote. */
export interface InDesign {
  section: Section;
  field: FieldName;
  item?: string | undefined;
  start: number;
  end: number;
  quote: string;
}
export const DESIGN_FINDING_KINDS = ["gap", "contradiction"] as const;
export interface DesignFinding {
  kind: (typeof DESIGN_FINDING_KINDS)[number];
  message: string;
  method: "heuristic" | "llm";
  design: InDesign[];
  documents: Citation[];
}

/** A sentence of the design and what it says. */
export interface Spot extends InDesign {
  said: Statement;
  concepts: ReadonlySet<string>;
  /** As it stands in a message. */
  short: string;
}

/** Sentences that are compared; of a longer design the rest is left out, and the answer says so. */
const MOST_SPOTS = 400;
const MOST_FINDINGS = 200;
const SHORT = 120;
/** Below this a difference may be one of wording. */
const CONTRADICTS = 50;
/** Two statements say the same where a prohibition meets a task. */
const SAYS_THE_SAME = 55;
/** Share of the telling words of a sentence that another takes up. */
const TAKEN_UP = 1 / 3;

/** What a text is about: the axes of opposites (`±…`) say something of it, and name nothing. */
const conceptsIn = (text: string): Set<string> =>
  new Set(
    terms(text)
      .map(conceptOf)
      .filter((concept) => !concept.startsWith("±")),
  );
const shorten = (text: string): string => shortened(SHORT, text);

/** Every sentence of a design in the order of its sections. */
export function spotsOf(said: DesignValues): Spot[] {
  const spots: Spot[] = [];
  const add = (section: Section, field: FieldName, text: string, item?: string): void => {
    for (const sentence of sentences(text))
      spots.push({
        ...{ section, field, start: sentence.start, end: sentence.end, quote: sentence.text },
        ...(item !== undefined && { item }),
        said: statement(text, sentence),
        concepts: conceptsIn(sentence.text),
        short: shorten(sentence.text),
      });
  };
  for (const section of SECTION_NAMES)
    for (const field of fieldsOf(section) as FieldName[]) {
      const value = said[field];
      if (typeof value === "string") add(section, field, value);
      else for (const { id, statement: text } of (value ?? []) as DesignPoint[]) add(section, field, text, id);
    }
  return spots.slice(0, MOST_SPOTS);
}

const placeOf = ({ section, field, item, start, end, quote }: Spot): InDesign => ({
  ...{ section, field, start, end, quote },
  ...(item !== undefined && { item }),
});
const finding = (
  kind: DesignFinding["kind"],
  message: string,
  spots: readonly Spot[],
  documents: Citation[] = [],
): DesignFinding => ({
  kind,
  message,
  method: "heuristic",
  design: spots.map(placeOf),
  documents,
});

const sharedBy = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  let count = 0;
  for (const concept of one) if (other.has(concept)) count += 1;
  return count;
};
const isTakenUp = (spot: Spot, by: readonly Spot[]): boolean => {
  const theirs = new Set(by.flatMap(({ concepts }) => [...concepts]));
  return spot.concepts.size < 2 || sharedBy(spot.concepts, theirs) >= Math.max(1, spot.concepts.size * TAKEN_UP);
};

/** What is missing, and what nothing in the rest of the design takes up. */
export function gapsIn(said: DesignValues, spots: readonly Spot[]): DesignFinding[] {
  const of = (...fields: FieldName[]): Spot[] => spots.filter(({ field }) => fields.includes(field));
  const at = (field: FieldName, id: string | undefined): Spot[] =>
    spots.filter((spot) => spot.field === field && spot.item === id).slice(0, 1);
  const found = missingIn(said).map(({ message }) => finding("gap", message, []));
  const point = (field: FieldName, { id, statement: text }: DesignPoint, words: (short: string) => string): void => {
    found.push(finding("gap", words(shorten(text)), at(field, id)));
  };
  const { conditions = [], linesOfEffort = [], measures = [], risks = [], assumptions = [] } = said;
  const led = new Set(linesOfEffort.flatMap((line) => line.conditions));
  const measured = new Set(measures.map(({ condition }) => condition));
  for (const line of linesOfEffort)
    if (!line.conditions.length)
      point("linesOfEffort", line, (short) => `The line of effort "${short}" leads to no condition.`);
  for (const condition of conditions) {
    if (linesOfEffort.length && !led.has(condition.id!))
      point("conditions", condition, (short) => `No line of effort leads to the condition "${short}".`);
    if (measures.length && !measured.has(condition.id))
      point("conditions", condition, (short) => `No measure tells whether the condition "${short}" is met.`);
  }
  const known = new Set(conditions.map(({ id }) => id));
  for (const measure of measures)
    if (measure.condition && !known.has(measure.condition))
      point("measures", measure, (short) => `The measure "${short}" is of a condition that the approach has not.`);
  for (const risk of risks)
    if (!risk.mitigation) point("risks", risk, (short) => `Nothing is done about the risk "${short}".`);
  for (const assumption of assumptions)
    if (!assumption.confirmBy)
      point("assumptions", assumption, (short) => `Nobody says how the assumption "${short}" will be confirmed.`);
  const answers = of("conditions", "linesOfEffort", "keyTasks");
  if (answers.length) {
    for (const spot of of("desiredEndState"))
      if (!isTakenUp(spot, answers))
        found.push(finding("gap", `No condition, line of effort or key task takes up "${spot.short}".`, [spot]));
    for (const spot of of("tensions", "causes"))
      if (!isTakenUp(spot, [...answers, ...of("problemStatement", "purpose", "planningGuidance")]))
        found.push(finding("gap", `The approach does not answer "${spot.short}".`, [spot]));
  }
  return found;
}

/** What is the case, and what is to be: a design is there because the two differ. */
const AS_IT_IS: readonly FieldName[] = ["currentState", "problemStatement", "tensions", "causes", "assumptions"];
const TO_BE: readonly FieldName[] = [
  "desiredEndState",
  "conditions",
  "linesOfEffort",
  "purpose",
  "keyTasks",
  "endState",
  "planningGuidance",
  "constraints",
];

/** Pairs of statements of a design that exclude each other. */
export function* contradictionsIn(said: DesignValues, spots: readonly Spot[]): Steps<DesignFinding[]> {
  const forbidden = new Set((said.constraints ?? []).filter(({ kind }) => kind === "must-not").map(({ id }) => id));
  const isForbidden = ({ field, item, said: { negations } }: Spot): boolean =>
    field === "constraints" && forbidden.has(item) && negations.length === 0;
  const found: DesignFinding[] = [];
  for (const group of [AS_IT_IS, TO_BE]) {
    const these = spots.filter(({ field }) => group.includes(field));
    for (const [nth, one] of these.entries()) {
      for (const other of these.slice(nth + 1)) {
        if (sharedBy(one.concepts, other.concepts) < 2) continue;
        yield;
        const [bans, banned] = [isForbidden(one), isForbidden(other)];
        if (bans && banned) continue;
        const verdict = stance(one.said, other.said);
        if (bans || banned) {
          if (verdict.stance === "support" && verdict.score >= SAYS_THE_SAME)
            found.push(
              finding(
                "contradiction",
                `A constraint forbids what the design asks for: "${(bans ? one : other).short}".`,
                [one, other],
              ),
            );
        } else if (verdict.stance === "contradict" && verdict.score >= CONTRADICTS)
          found.push(
            finding("contradiction", `Two statements exclude each other: ${verdict.reasons[0]}.`, [one, other]),
          );
        if (found.length >= MOST_FINDINGS) return found;
      }
    }
  }
  return found;
}

/** Sentences of a document that exclude what the design says is the case. */
export function* contradictedBy(source: DocumentText, spots: readonly Spot[]): Steps<DesignFinding[]> {
  const held = spots.filter(({ field }) => AS_IT_IS.includes(field));
  const telling = new Set(held.flatMap(({ concepts }) => [...concepts]));
  const found: DesignFinding[] = [];
  for (const block of paragraphs(source.text)) {
    yield;
    if (sharedBy(conceptsIn(source.text.slice(block.start, block.end)), telling) < 2) continue;
    for (const sentence of sentences(source.text.slice(block.start, block.end))) {
      const concepts = conceptsIn(sentence.text);
      const near = held.filter((spot) => sharedBy(spot.concepts, concepts) >= 2);
      if (!near.length) continue;
      yield;
      const read = statement(source.text.slice(block.start, block.end), sentence);
      for (const spot of near) {
        const { stance: verdict, score, reasons } = stance(spot.said, read);
        if (verdict !== "contradict" || score < CONTRADICTS) continue;
        const span = { start: block.start + sentence.start, end: block.start + sentence.end };
        found.push(
          finding(
            "contradiction",
            `"${shorten(source.title)}" says otherwise: ${reasons[0]}.`,
            [spot],
            [cite(source, span)],
          ),
        );
        if (found.length >= MOST_FINDINGS) return found;
      }
    }
  }
  return found;
}

const LONGEST_PARAGRAPH = 10_000;

/** Lines of a text, long ones in pieces, so that each step is short. */
function* paragraphs(text: string): Generator<{ start: number; end: number }> {
  for (let start = 0; start < text.length;) {
    const line = text.indexOf("\n", start);
    const end = wholeEnd(text, Math.min(line < 0 ? text.length : line + 1, start + LONGEST_PARAGRAPH));
    yield { start, end };
    start = end;
  }
}
