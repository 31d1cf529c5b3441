import { upTo } from "../../../../core/text/cutting.ts";
import type { WholeText } from "../../documents/client.ts";
import { derivedId } from "../../../../core/ids.ts";
import { cite, type Citation } from "../../../../core/text/citations.ts";
import type { Quantity } from "../../../../core/text/statements/figures/quantities.ts";
import { sentences } from "../../../../core/text/words/sentences.ts";
import { isFunctionWord } from "../../../../core/text/words/stop-words.ts";
import { words, type Span } from "../../../../core/text/words/words.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { keepingIn } from "../assessments/keeping.ts";
import { Measure, type OBJECTIVE_KINDS } from "../objectives/objectives.ts";
import { deadlinesIn } from "./deadline.ts";
import { afterLabel } from "./directive.ts";
import { objectivePassages, type ObjectivePassage } from "./passages.ts";
import { signsOf, type Signs } from "./signs.ts";

/** A named part of a confidence: the parts add up to it. */
export interface Part {
  part: string;
  value: number;
}

/** A possible objective in a text. */
export interface ObjectiveCandidate {
  statement: string;
  kind: (typeof OBJECTIVE_KINDS)[number];
  citations: Citation[];
  confidence: { value: number; parts: Part[] };
  measure?: Measure;
  dueAt?: string;
  owner?: string;
}

/** The same with its id in this document, and whether rules or a model found it. */
export interface NamedCandidate extends ObjectiveCandidate {
  id: string;
  method: "heuristic" | "llm";
}

/** A sentence or item with its signs. */
export interface Judged extends Span {
  passage: ObjectivePassage;
  /** The text from which the signs were read. */
  source: string;
  signs: Signs;
}

const WEIGHTS = {
  heading: 0.4,
  "heading above": 0.3,
  item: 0.1,
  obligation: 0.2,
  imperative: 0.25,
  mission: 0.2,
  measure: 0.15,
  deadline: 0.15,
  owner: 0.05,
  tentative: -0.15,
  placeholder: -0.15,
  long: -0.1,
  model: 0.15,
} as const;
export type Sign = keyof typeof WEIGHTS;
const HIGHEST = 0.98;
const LOWEST = 0.05;
const SHORTEST = 3;
const LONGEST = 90;
const LONG = 45;
/** A statement is cut at this length; its quote is whole. */
const MOST_STATEMENT = 2_000;
const MOST_QUOTE = 4_000;
const MOST_CITATIONS = 5;

const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** A confidence from its signs; what the limits of the scale cut off is a part too. */
export function confidenceOf(signs: readonly Sign[]): ObjectiveCandidate["confidence"] {
  const parts: Part[] = signs.map((part) => ({ part, value: WEIGHTS[part] }));
  const sum = hundredths(parts.reduce((total, { value }) => total + value, 0));
  const value = Math.min(HIGHEST, Math.max(LOWEST, sum));
  return { value, parts: value === sum ? parts : [...parts, { part: "bound", value: hundredths(value - sum) }] };
}

export const signsAmong = ({ passage: { heading, kind }, signs }: Judged): Sign[] => [
  ...(heading ? [heading.distance ? ("heading above" as const) : ("heading" as const)] : []),
  ...(kind === "item" ? ["item" as const] : []),
  ...(signs.directive ? [signs.directive.how] : []),
  ...(signs.measures.length ? ["measure" as const] : []),
  ...(signs.deadlines.length ? ["deadline" as const] : []),
  ...(signs.owner ? ["owner" as const] : []),
  ...(signs.isTentative ? ["tentative" as const] : []),
  ...(signs.hasPlaceholder ? ["placeholder" as const] : []),
  ...(signs.words.length > LONG ? ["long" as const] : []),
];

/** Whether a sentence is an objective: below a goal's heading, or a directive with a measure or a deadline. */
export function isObjective({ passage: { heading, kind }, signs }: Judged): boolean {
  const {
    directive,
    measures,
    deadlines,
    isRecurring,
    against,
    words: { length },
  } = signs;
  const isEndState = heading?.means === "end-state";
  // An end state is about others, and about things: "The river stands below 3 m."
  if (against && !(isEndState && against === "foreign")) return false;
  if (length < SHORTEST || length > LONGEST) return false;
  const isBound = measures.length > 0 || deadlines.length > 0 || isRecurring;
  if (kind === "row") return directive !== undefined && (heading !== undefined || isBound);
  if (heading && kind === "item") return directive !== undefined || isBound || length >= 4;
  if (isEndState) return true;
  return directive !== undefined && (heading !== undefined || isBound);
}

/** Replaces line breaks by blanks, so that offsets stay. */
const inOneLine = (text: string): string => text.replaceAll("\n", " ");

/** Part of a passage with its signs. */
export function judgedAt(text: string, passage: ObjectivePassage, { start, end }: Span): Judged {
  const source = inOneLine(text.slice(start, end));
  return { start, end, passage, source, signs: signsOf(source, passage.heading !== undefined) };
}

/** A row of a table: the cell with the directive, and measure and deadline from the others. */
function judgedRow(text: string, passage: ObjectivePassage): Judged[] {
  let at = passage.start;
  const cells = text
    .slice(passage.start, passage.end)
    .split("\t")
    .map((cell) => {
      const start = at;
      at += cell.length + 1;
      return judgedAt(text, passage, { start, end: start + cell.length });
    });
  const one = cells.find(({ signs: { directive } }) => directive);
  if (!one || cells.some(({ signs: { against } }) => against && against !== "past")) return [];
  const others = cells.filter((cell) => cell !== one);
  const due = others.flatMap(({ source }) => deadlinesIn(`by ${source}`));
  const measured =
    others.find(({ signs: { measures } }) => measures.length && !due.length) ??
    others.find(({ signs: { measures } }) => measures.length);
  const measures = one.signs.measures.length ? one.signs.measures : (measured?.signs.measures ?? []);
  const source = one.signs.measures.length || !measured ? one.source : measured.source;
  return [{ ...one, source, signs: { ...one.signs, measures, deadlines: [...one.signs.deadlines, ...due] } }];
}

const SETTLED = new Set<Signs["against"]>(["dropped", "machine", "reported", "quoted"]);

/** The sentences of a passage; of an item with several, the one with most signs counts. */
function judgedIn(text: string, passage: ObjectivePassage): Judged[] {
  if (passage.kind === "row") return judgedRow(text, passage);
  const own = text.slice(passage.start, passage.end);
  const judged = sentences(own).map(({ start, end }) =>
    judgedAt(text, passage, { start: passage.start + start, end: passage.start + end }),
  );
  if (passage.kind === "prose" || !passage.heading) return judged;
  // "Seize the bridge. This is no longer an objective."
  if (judged.some(({ signs: { against } }) => SETTLED.has(against))) return [];
  const best = judged.filter(isObjective).sort((a, b) => valueOf(b) - valueOf(a) || a.start - b.start)[0];
  return best ? [best] : judged.slice(0, 1);
}
const valueOf = (one: Judged): number => confidenceOf(signsAmong(one)).value;

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Identifies a statement: its words, without case and punctuation. */
export const normalised = (statement: string): string =>
  words(statement)
    .map(({ text }) => text)
    .join(" ");

/** One objective for one statement of a document, in whichever version or run it is found. */
export const objectiveId = (documentId: string, statement: string): string =>
  derivedId(`strategic.objectives/${documentId}/${normalised(statement)}`);

function kindOf({ passage: { heading }, signs: { directive, owner } }: Judged): ObjectiveCandidate["kind"] {
  if (heading && heading.means !== "none") return heading.means;
  return directive?.how === "obligation" && owner ? "task" : "objective";
}

/** "From 9 hours to 3 hours": two quantities of one unit, of which the second is the target. */
function baselineBefore(text: string, first: Quantity, second: Quantity | undefined): second is Quantity {
  if (second?.unit !== first.unit || first.to !== undefined || second.to !== undefined) return false;
  const before = text.slice(Math.max(0, first.start - 12), first.boundStart ?? first.start);
  const between = text.slice(first.end, second.boundStart ?? second.start);
  return /\bfrom\s*$/i.test(before) && /^[^,;.]{0,40}\bto\s*$/i.test(between);
}

const baselineOf = (text: string, { start, value, to }: Quantity): { baseline?: number; target: number } =>
  to === undefined
    ? { target: value }
    : /\bfrom\s*$/i.test(text.slice(Math.max(0, start - 8), start))
      ? { baseline: value, target: to }
      : { target: to };

const ENDS_BEFORE = /^(?:by|before|until|no|not|nlt|within|and|or|on)$/;

/** Undefined as well where a person could not have written it: beyond all amounts. */
function measureOf(sentence: string, [quantity, next]: readonly Quantity[]): Measure | undefined {
  if (!quantity) return undefined;
  const isPair = baselineBefore(sentence, quantity, next);
  const { end } = isPair ? next : quantity;
  const behind = words(sentence.slice(end)).slice(0, 4);
  const last = behind.findIndex(({ text }) => ENDS_BEFORE.test(text));
  const told = last < 0 ? behind : behind.slice(0, last);
  // "Three crossing points over", "80 percent of households in the": cut at the end of a whole phrase.
  const whole = told.findLastIndex(({ text }) => !isFunctionWord(text)) + 1;
  const indicator = plain(sentence.slice(quantity.start, end + (told[whole - 1]?.end ?? 0)));
  const amounts = isPair ? { baseline: quantity.value, target: next.value } : baselineOf(sentence, quantity);
  const keep = "baseline" in amounts ? undefined : keepingIn(sentence, quantity.unit);
  const found = Measure.safeParse({
    indicator: upTo(300, indicator),
    ...(quantity.unit !== "count" && { unit: quantity.unit }),
    ...amounts,
    ...(keep && { keep }),
  });
  return found.data;
}

/** Quoted exactly, without a label before it. Undefined where nothing can be cited. */
export function candidateOf(
  whole: WholeText,
  one: Judged,
  extra: readonly Sign[] = [],
): ObjectiveCandidate | undefined {
  const quote = whole.text.slice(one.start, one.end);
  const start = one.start + afterLabel(quote);
  const end = Math.min(one.end, start + MOST_QUOTE);
  if (start >= end || !whole.text.slice(start, end).isWellFormed()) return undefined;
  const statement = upTo(MOST_STATEMENT, plain(whole.text.slice(start, end)).replace(/[;,]$/, ""));
  const { signs } = one;
  const dueAt = signs.deadlines.find(({ at }) => at !== undefined)?.at;
  const measure = measureOf(one.source, signs.measures);
  const owner = signs.owner && upTo(200, plain(signs.owner));
  return {
    statement,
    kind: kindOf(one),
    citations: [cite(whole, { start, end })],
    confidence: confidenceOf([...signsAmong(one), ...extra]),
    ...(measure && { measure }),
    ...(dueAt && { dueAt }),
    ...(owner && { owner }),
  };
}

/** Every sentence of a text that may contain an objective, with its signs. */
export function* judgeSentences(whole: WholeText): Steps<Judged[]> {
  const all: Judged[] = [];
  for (const passage of yield* objectivePassages(whole)) {
    all.push(...judgedIn(whole.text, passage));
    yield;
  }
  return all;
}

/** One candidate for each statement, in the order of the text; repetitions add citations. */
export function* gathered(
  whole: WholeText,
  chosen: readonly Judged[],
  pointed: ReadonlySet<Judged> = new Set(),
): Steps<NamedCandidate[]> {
  const byId = new Map<string, NamedCandidate>();
  for (const one of chosen) {
    yield;
    const isPointed = pointed.has(one);
    const candidate = candidateOf(whole, one, isPointed ? ["model"] : []);
    if (!candidate) continue;
    const id = objectiveId(whole.documentId, candidate.statement);
    const known = byId.get(id);
    if (!known) byId.set(id, { ...candidate, id, method: isPointed ? "llm" : "heuristic" });
    else if (known.citations.length < MOST_CITATIONS) known.citations = [...known.citations, ...candidate.citations];
  }
  return [...byId.values()];
}

/** The objectives of a text by rules alone. */
export function* extractObjectives(whole: WholeText): Steps<NamedCandidate[]> {
  return yield* gathered(whole, (yield* judgeSentences(whole)).filter(isObjective));
}
