import phrases from "../../../../../data/graph/phrases.json" with { type: "json" };
import type { EntityType, Relation } from "../../statements/vocabulary.ts";
import { governing } from "./subjects.ts";
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
  isUnreal,
  RELATIVES,
  type Clauses,
  type ClauseWord,
} from "./tokens.ts";
import type { Found } from "./verbs.ts";

const SAYING = new Set(phrases.saying);
const AFTER_NAME = new Set(["of", "in", "at", "from"]);
const FAR = 9;
const GROUNDS = new Set(["in", "at", "near", "off", "on", "outside"]);

/** A word that may be a verb: the first behind a subject that is nothing else. */
const mayAct = (token: ClauseWord): boolean =>
  !token.named &&
  !token.whose &&
  /^[a-z]{3,}$/.test(token.text) &&
  !isCollective(token.text) &&
  !SAYING.has(token.text) &&
  !isPreposition(token) &&
  !isSubordinator(token) &&
  !COORDINATORS.has(token.text) &&
  !RELATIVES.has(token.text) &&
  !isArticle(token) &&
  !isCalendar(token);

/** Where the verb of a name stands: right behind it, or behind what is inserted between two commas. */
function verbOf({ tokens }: Clauses, subject: number): number {
  let at = subject + 1;
  if (tokens[at] && isComma(tokens[at]!.gap)) {
    let close = at + 1;
    while (close < tokens.length && close - at <= 12 && isPlain(tokens[close]!.gap)) close += 1;
    if (!tokens[close] || !isComma(tokens[close]!.gap)) return -1;
    at = close;
  } else if (!tokens[at] || !isPlain(tokens[at]!.gap)) return -1;
  else if (AFTER_NAME.has(tokens[at]!.text)) {
    // "the Green Party of Tasmania chose", "the prize in chemistry goes"
    at += tokens[at + 1] && isArticle(tokens[at + 1]!) ? 3 : 2;
    if (!tokens[at] || !isPlain(tokens[at]!.gap)) return -1;
  }
  for (const first = at; at - first <= 3 && tokens[at]; at += 1) {
    if (at > first && !isPlain(tokens[at]!.gap)) return -1;
    if (isAdverb(tokens[at]!) || isAuxiliary(tokens[at]!)) continue;
    return mayAct(tokens[at]!) ? at : -1;
  }
  return -1;
}

/** Whom or what a verb that is not known as a relation's has for its objects, in its own clause. */
function* objectsOf(clauses: Clauses, verb: number): Generator<{ at: number; link: string }> {
  const { tokens, text } = clauses;
  let link = "";
  for (let at = verb + 1; at < tokens.length && at - verb <= FAR; at += 1) {
    const token = tokens[at]!;
    if (isBreak(token.gap) || isComma(token.gap) || isSubordinator(token) || RELATIVES.has(token.text)) return;
    if (COORDINATORS.has(token.text) || (isAuxiliary(token) && at > verb + 1)) return;
    if (token.text === "not" || token.text === "no" || token.text === "without") return;
    // "the results announced by": what is said of the object is no more of the subject.
    const previous = tokens[at - 1]!;
    if (at > verb + 1 && /(?:ed|ing)$/.test(token.text) && !previous.named && !isArticle(previous) && link === "")
      return;
    if (isPreposition(token)) link = token.text;
    if (!token.named || isAdjective(text, token)) continue;
    yield { at, link };
    if (!token.whose) return;
  }
}

/** Where somebody or a state does something says little of what it is to the place. */
const UNPLACED = new Set<EntityType>(["person", "country", "place"]);
const MOVING = new Set<EntityType>(["event", "equipment", "unit", "group"]);
const isGround = (type: EntityType): boolean => type === "place" || type === "facility" || type === "country";

/** A storm strikes whom it strikes, and a train that jumps the rails in a town is there. */
function relationOf(from: EntityType, to: EntityType, link: string): Relation {
  if (MOVING.has(from) && isGround(to) && GROUNDS.has(link) && (link !== "off" || to === "place")) return "located-in";
  return from === "event" ? "involves" : "related-to";
}

/** "Varland recalled its ambassador from Selmar": that one does something with the other, whatever it is. */
export function* acting(clauses: Clauses): Generator<Found & { at: number }> {
  const { tokens, text } = clauses;
  for (const [subject, token] of tokens.entries()) {
    if (!token.named || token.whose || isAdjective(text, token) || governing(clauses, subject) >= 0) continue;
    const verb = verbOf(clauses, subject);
    if (verb < 0 || isUnreal(clauses, verb + 1)) continue;
    for (const { at, link } of objectsOf(clauses, verb)) {
      const other = tokens[at]!;
      if (other.named!.stands || (GROUNDS.has(link) && link !== "on" && UNPLACED.has(token.named.type))) continue;
      const reason = `"${tokens[verb]!.text}${link ? ` … ${link}` : ""}"`;
      const [from, to] = link === "by" ? [other, token] : [token, other];
      yield { from, to, relation: relationOf(from.named!.type, to.named!.type, link), reason, at: verb };
    }
  }
}
