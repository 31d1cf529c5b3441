import { fitting, type EntityType } from "../../statements/vocabulary.ts";
import {
  COORDINATORS,
  isAdjective,
  isAdverb,
  isArticle,
  isAuxiliary,
  isBreak,
  isCalendar,
  isCollective,
  isComma,
  isPlain,
  isPreposition,
  isSubordinator,
  RELATIVES,
  type Clauses,
  type ClauseWord,
} from "./tokens.ts";

const REACH = 4;

/** The preposition that governs a token, or -1: "of the Northern Front". */
export function governing({ tokens }: Clauses, at: number, isClause = false): number {
  for (let back = at - 1; back >= 0 && at - back <= REACH; back -= 1) {
    if (!isPlain(tokens[back + 1]!.gap)) return -1;
    const token = tokens[back]!;
    if (token.named && !token.whose) return -1;
    if (isCalendar(token) || isAuxiliary(token)) return -1;
    // "hours after the treasury had": a clause, where a verb follows.
    if (isClause && isSubordinator(token)) return -1;
    if (isPreposition(token)) return back;
    if (isSubordinator(token)) return -1;
  }
  return -1;
}

const ruled = (clauses: Clauses, at: number): boolean => {
  const by = governing(clauses, at);
  return by >= 0 && !(clauses.tokens[by]!.text === "of" && isCollective(clauses.tokens[by - 1]?.text ?? ""));
};

/** The name that a noun phrase with its last word there is about, or -1. */
export function endingAt(clauses: Clauses, at: number): number {
  const { tokens } = clauses;
  const token = tokens[at];
  if (!token) return -1;
  // "Karsland on Friday signed"
  if (isCalendar(token)) {
    let back = at;
    while (back > 0 && isPlain(tokens[back]!.gap) && (isCalendar(tokens[back]!) || isArticle(tokens[back]!))) back -= 1;
    if (isPreposition(tokens[back]!)) back -= 1;
    return back < at ? endingAt(clauses, back) : -1;
  }
  if (!token.named) {
    // "4,000 Zaghari families", "Russian troops", "the Karsk police"
    const before = tokens[at - 1];
    const isOwn = before?.named && isPlain(token.gap) && (!before.whose || before.named.type !== "person");
    return isOwn && isCollective(token.text) ? at - 1 : -1;
  }
  const by = governing(clauses, at, true);
  if (by < 0) return at;
  const head = tokens[by - 1];
  if (!head || !isPlain(tokens[by]!.gap)) return -1;
  // "rebels from the Amani Front", "soldiers of the battalion": they are its.
  if (/^(?:of|from)$/.test(tokens[by]!.text) && isCollective(head.text)) return at;
  return head.named ? by - 1 : -1;
}

/** Whether a new clause begins at a token. */
function opens({ tokens }: Clauses, at: number): boolean {
  const token = tokens[at]!;
  if (isBreak(token.gap)) return true;
  if (isSubordinator(token) || RELATIVES.has(token.text)) return true;
  return COORDINATORS.has(token.text) && isComma(token.gap);
}

/** The first name of a clause that nothing governs, from a place back to where the clause begins. */
export function firstOf(clauses: Clauses, to: number): number {
  let from = Math.max(0, to - 1);
  while (from > 0 && !opens(clauses, from)) from -= 1;
  for (let at = from; at < to; at += 1) {
    const token = clauses.tokens[at]!;
    if (token.named && !token.whose && !ruled(clauses, at) && !isAdjective(clauses.text, token)) return at;
  }
  return -1;
}

/** What does what a verb there says, or -1. */
export function subjectOf(clauses: Clauses, verb: number): number {
  const { tokens } = clauses;
  let at = verb - 1;
  while (at >= 0 && isPlain(tokens[at + 1]!.gap) && (isAuxiliary(tokens[at]!) || isAdverb(tokens[at]!))) at -= 1;
  if (at < 0) return -1;
  const [token, after] = [tokens[at]!, tokens[at + 1]!];
  // "the Financial Conduct Authority (FCA) fined"
  if (after.gap.startsWith(")") && token.gap.endsWith("(")) return endingAt(clauses, at - 1);
  if (isBreak(after.gap)) return beforeInsertion(clauses, at + 1);
  if (isComma(after.gap)) return beforeInsertion(clauses, at + 1);
  if (RELATIVES.has(token.text) && !token.named) return antecedentOf(clauses, at);
  if (COORDINATORS.has(token.text)) return isComma(token.gap) ? earlier(clauses, at) : firstOf(clauses, at);
  const own = endingAt(clauses, at);
  if (own >= 0) return tokens[own]!.whose ? -1 : own;
  // "Rebels calling themselves the Dawn Front", "a gang known as X"
  return -1;
}

/** "Milin, who commanded the corps, was jailed"; "Petrov, 51, left": what stands before the first of two commas. */
function beforeInsertion(clauses: Clauses, at: number): number {
  const { tokens } = clauses;
  for (let open = at - 1; open > 0; open -= 1) {
    if (isBreak(tokens[open]!.gap) && !/[()]/.test(tokens[open]!.gap)) return -1;
    if (isSubordinator(tokens[open]!) && isPlain(tokens[open]!.gap) && tokens[open]!.text !== "that") return -1;
    if (!isComma(tokens[open]!.gap) && !tokens[open]!.gap.includes("(")) continue;
    const own = endingAt(clauses, open - 1);
    if (own >= 0) return own;
  }
  return endingAt(clauses, at - 1);
}

/** "fighters of the Front who", "Petrov, who", "Kaya, the novelist who": what a relative pronoun means. */
function antecedentOf(clauses: Clauses, at: number): number {
  const { tokens } = clauses;
  if (isBreak(tokens[at]!.gap)) return -1;
  // "Ivan Petrov, 51, who"
  const isOld = /^\d{1,3}$/.test(tokens[at - 1]?.text ?? "") && isComma(tokens[at - 1]!.gap);
  const own = endingAt(clauses, isOld ? at - 2 : at - 1);
  // "kept by Datasafe, which": the nearest, whatever governs it.
  if (own < 0 && tokens[at - 1]?.named && !tokens[at - 1]!.whose) return at - 1;
  if (own >= 0 || isComma(tokens[at]!.gap)) return own;
  let back = at - 1;
  while (back > 0 && at - back <= REACH && isPlain(tokens[back]!.gap) && !isArticle(tokens[back]!)) back -= 1;
  return isArticle(tokens[back]!) && isComma(tokens[back]!.gap) ? endingAt(clauses, back - 1) : -1;
}

/** The subject of what was said before a comma and an "and". */
function earlier(clauses: Clauses, at: number): number {
  const own = firstOf(clauses, at - 1);
  return own >= 0 ? own : firstOf(clauses, at);
}

/** Where what a verb does ends: the name that is its object, or -1. `from` is the first token behind the verb. */
export function objectOf(clauses: Clauses, from: number, isMeeting = false): number {
  const { tokens, text } = clauses;
  let fallback = -1;
  for (let at = from; at < tokens.length && at - from <= 9; at += 1) {
    const token = tokens[at]!;
    if (isBreak(token.gap) && !(token.named && token.gap === " (")) return fallback;
    if (at > from && isComma(token.gap)) {
      // "met the banker, Leonid Arkov"
      const isApposed = token.named !== undefined && !token.whose && fallback < 0;
      return isApposed && !tokens[at - 1]!.named ? at : fallback;
    }
    if (token.named) {
      const next = tokens[at + 1];
      const goesOn = next !== undefined && isPlain(next.gap) && !isPreposition(next);
      if (goesOn && (isAdjective(text, token) || (token.whose && isMeeting))) {
        fallback = isMeeting ? fallback : at;
        continue;
      }
      return at;
    }
    if (isPreposition(token) && !(token.text === "of" && at > from)) return fallback;
    if (isAuxiliary(token) && at === from) continue;
    if (isSubordinator(token) || isAuxiliary(token) || RELATIVES.has(token.text)) return fallback;
    if (at > from && COORDINATORS.has(token.text)) return fallback;
  }
  return fallback;
}

const isAlike = (one: EntityType, other: EntityType): boolean => one === other || fitting(one, other);

/** A name with those named in one breath with it: "Northland, Southland and Westland". */
export function groupOf({ tokens }: Clauses, at: number, step: 1 | -1): ClauseWord[] {
  const found = [tokens[at]!];
  let isList = false;
  let isJoined = false;
  for (let next = at + step; tokens[next]; next += step) {
    const token = tokens[next]!;
    const { gap } = step === 1 ? token : tokens[next + 1]!;
    if (isBreak(gap)) break;
    if (isComma(gap)) isJoined = true;
    if (!token.named && COORDINATORS.has(token.text)) [isJoined, isList] = [true, true];
    else if (token.named) {
      if (!isJoined || !isAlike(token.named.type, found.at(-1)!.named!.type)) break;
      found.push(token);
      isJoined = false;
    } else if (token.text !== "the") break;
  }
  return isList ? found : found.slice(0, 1);
}
