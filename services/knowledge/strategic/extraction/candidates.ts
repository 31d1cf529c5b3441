import { upTo } from "../../../../core/text/cutting.ts";
import type { WholeText } from "../../documents/client.ts";
import { derivedId } from "../../../../core/ids.ts";
import { cite, type Citation } from "../../../../core/text/citations.ts";
import { sentences } from "../../../../core/text/words/sentences.ts";
import { words, type Span } from "../../../../core/text/words/words.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import type { Measure, OBJECTIVE_KINDS } from "../objectives/objectives.ts";
import { afterLabel, afterPerson } from "./directives/labels.ts";
import { isShare } from "./directives/subjects.ts";
import { measureOf, plain } from "./measuring.ts";
import { objectivePassages, type ObjectivePassage } from "./passages.ts";
import { ownedAsSaidIn, signsOf, type Signs } from "./signs.ts";
import { judgedRow } from "./tables.ts";

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
  /** A cell below the head of objectives. */
  isHeaded?: boolean;
  /** An item of a list of which most are objectives. */
  isAmongObjectives?: boolean;
}

const WEIGHTS = {
  heading: 0.4,
  "heading above": 0.3,
  list: 0.2,
  item: 0.1,
  obligation: 0.2,
  imperative: 0.25,
  mission: 0.2,
  outcome: 0.2,
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
/** More are a paragraph. */
const MOST_SENTENCES = 2;
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

export const signsAmong = ({ passage: { heading, kind }, signs, isAmongObjectives }: Judged): Sign[] => [
  ...(heading ? [heading.distance ? ("heading above" as const) : ("heading" as const)] : []),
  ...(isAmongObjectives ? ["list" as const] : []),
  ...(kind === "item" ? ["item" as const] : []),
  ...(signs.directive ? [signs.directive.how] : []),
  ...(signs.measures.length ? ["measure" as const] : []),
  ...(signs.deadlines.length ? ["deadline" as const] : []),
  ...(signs.owner ? ["owner" as const] : []),
  ...(signs.isTentative ? ["tentative" as const] : []),
  ...(signs.hasPlaceholder ? ["placeholder" as const] : []),
  ...(signs.words.length > LONG ? ["long" as const] : []),
];

/** "Zero avoidable ulcers", "All 140 users": told of every one, or of none. */
const OF_ALL =
  /^(?:zero|no|none|nobody|no[- ]one|every|everyone|everybody|all|each|at least|at most|fewer than|not more than|no more than)\b/i;
/** A state that is told, in place of something to be done. */
const TOLD = /\b(?:is|are|has|have|does|do|am|it's|can|cannot|can't|will|shall|must|may)\b/i;
/** Whether an item tells how things are. */
const tellsState = ({ source, signs: { directive } }: Judged): boolean =>
  directive === undefined && TOLD.test(source) && !OF_ALL.test(source.trim());

/** Whether something tells when or how much, and is no rule for whoever it concerns. */
const isBound = ({ signs: { directive, measures, deadlines, isRecurring, isLimited } }: Judged): boolean =>
  deadlines.length > 0 ||
  isRecurring ||
  (measures.length > 0 && directive?.rule !== "general") ||
  (isLimited && directive?.rule !== "general");

/** Whether an item below a goal's heading is one: by its form, or by standing there. */
function isItemBelow(one: Judged, distance: number): boolean {
  const { directive, deadlines, words } = one.signs;
  if (directive !== undefined) return true;
  if (one.passage.heading?.means !== "end-state" && tellsState(one)) return distance === 0 && deadlines.length > 0;
  return isBound(one) || words.length >= 4;
}

/**
 * Whether a sentence is an objective: below a goal's heading or among others, or a directive with a measure, a deadline
 * or one of ours who must follow it.
 */
export function isObjective(one: Judged): boolean {
  const { heading, kind } = one.passage;
  const { directive, against, words } = one.signs;
  const isEndState = heading?.means === "end-state";
  // An end state is about others, and about things: "The river stands below 3 m."
  if (against && !(isEndState && against === "foreign")) return false;
  if (words.length < SHORTEST || words.length > LONGEST) return false;
  if (one.isHeaded || one.isAmongObjectives) return true;
  const isOrdered = directive !== undefined && (isBound(one) || directive.isOrder === true);
  if (kind === "row") return isOrdered || (directive !== undefined && heading !== undefined);
  if (heading && kind === "item") return isItemBelow(one, heading.distance);
  if (isEndState) return true;
  return isOrdered || (directive !== undefined && heading !== undefined);
}

/** Replaces line breaks by blanks, so that offsets stay. */
const inOneLine = (text: string): string => text.replaceAll("\n", " ");

/** Part of a passage with its signs. */
export function judgedAt(text: string, passage: ObjectivePassage, { start, end }: Span): Judged {
  const source = inOneLine(text.slice(start, end));
  return { start, end, passage, source, signs: signsOf(source, passage.heading?.distance === 0) };
}

function cellsOf(text: string, passage: ObjectivePassage): Judged[] {
  let at = passage.start;
  return text
    .slice(passage.start, passage.end)
    .split("\t")
    .map((cell) => {
      const start = at;
      at += cell.length + 1;
      return judgedAt(text, passage, { start, end: start + cell.length });
    });
}

const SETTLED = new Set<Signs["against"]>(["dropped", "machine", "reported", "quoted"]);

/** The sentences of a passage; of an item with several, the one with most signs counts. */
function judgedIn(text: string, passage: ObjectivePassage): Judged[] {
  if (passage.kind === "row") return judgedRow(cellsOf(text, passage));
  const own = text.slice(passage.start, passage.end);
  const told = sentences(own);
  // A paragraph that has a number is no item of a list.
  const place =
    passage.kind === "item" && told.length > MOST_SENTENCES ? { ...passage, kind: "prose" as const } : passage;
  const judged = told.map(({ start, end }) =>
    judgedAt(text, place, { start: passage.start + start, end: passage.start + end }),
  );
  if (place.kind === "prose" || !place.heading) return judged;
  // "Seize the bridge. This is no longer an objective."
  if (judged.some(({ signs: { against } }) => SETTLED.has(against))) return [];
  const best = judged.filter(isObjective).sort((a, b) => valueOf(b) - valueOf(a) || a.start - b.start)[0];
  return best ? [{ ...best, signs: ownedAsSaidIn(inOneLine(own), best.signs) }] : judged.slice(0, 1);
}
const valueOf = (one: Judged): number => confidenceOf(signsAmong(one)).value;

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

/** Quoted exactly, without a label before it. Undefined where nothing can be cited. */
export function candidateOf(
  whole: WholeText,
  one: Judged,
  extra: readonly Sign[] = [],
): ObjectiveCandidate | undefined {
  const quote = whole.text.slice(one.start, one.end);
  const named = afterPerson(quote);
  const start = one.start + Math.max(named, afterLabel(quote));
  const end = Math.min(one.end, start + MOST_QUOTE);
  if (start >= end || !whole.text.slice(start, end).isWellFormed()) return undefined;
  const statement = upTo(MOST_STATEMENT, plain(whole.text.slice(start, end)).replace(/[;,]$/, ""));
  const { signs } = one;
  const dueAt = signs.deadlines.find(({ at }) => at !== undefined)?.at;
  const measure = measureOf(one.source, signs.measures);
  const whose = named > 0 ? quote.slice(0, named).replace(/[\s:–—-]{1,4}$/, "") : signs.owner;
  const owner = whose && upTo(200, plain(whose));
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

/** Whether an item without a heading has the form of an objective. */
const looksLikeOne = (one: Judged): boolean =>
  !one.signs.against &&
  one.signs.words.length >= SHORTEST &&
  (one.signs.directive !== undefined || (!tellsState(one) && (isBound(one) || isShare(one.source))));

const isImperative = ({ signs: { directive } }: Judged): boolean => directive?.how === "imperative";

/** Where some of a list are objectives by themselves, and all or most have the form of one, those others are as well. */
function* amongObjectives(all: readonly Judged[]): Steps<Judged[]> {
  const lists = new Map<number, Judged[]>();
  for (const one of all) {
    const { list, heading } = one.passage;
    if (list === undefined || heading) continue;
    const items = lists.get(list);
    if (items) items.push(one);
    else lists.set(list, [one]);
  }
  const added = new Set<Judged>();
  for (const items of lists.values()) {
    let [own, ordered] = [0, 0];
    const alike: Judged[] = [];
    const others: Judged[] = [];
    for (const one of items) {
      yield;
      const isOne = isObjective(one);
      if (isOne) own += 1;
      else others.push(one);
      if (isOne && isImperative(one)) ordered += 1;
      if (looksLikeOne(one)) alike.push(one);
    }
    const areAlike = own > 0 && (alike.length === items.length || own * 2 >= items.length);
    const looks = new Set(alike);
    for (const one of others) if (looks.has(one) && (areAlike || (ordered > 0 && isImperative(one)))) added.add(one);
  }
  return added.size ? all.map((one) => (added.has(one) ? { ...one, isAmongObjectives: true } : one)) : [...all];
}

/** Every sentence of a text that may contain an objective, with its signs. */
export function* judgeSentences(whole: WholeText): Steps<Judged[]> {
  const all: Judged[] = [];
  for (const passage of yield* objectivePassages(whole)) {
    all.push(...judgedIn(whole.text, passage));
    yield;
  }
  return yield* amongObjectives(all);
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
