import phrases from "../../../../../data/graph/phrases.json" with { type: "json" };
import { lazily } from "../../../../../core/text/lexicon.ts";
import { phraseIndex } from "../../../../../core/text/words/phrases.ts";
import type { Word } from "../../../../../core/text/words/words.ts";
import { joins, type EntityType } from "../../statements/vocabulary.ts";
import { formsOf } from "./forms.ts";
import { firstOf, groupOf, subjectOf } from "./subjects.ts";
import {
  isArticle,
  isBreak,
  isComma,
  isPlain,
  isSubordinator,
  isUnreal,
  type Clauses,
  type ClauseWord,
} from "./tokens.ts";
import type { Found } from "./verbs.ts";

const index = lazily(() =>
  phraseIndex({ position: phrases.positions.flatMap((verb) => formsOf(verb).map(([one]) => one)) }),
);
const IN = new Set(["in", "at", "near", "off", "on", "outside", "inside", "aboard", "around", "above"]);
const INTO = new Set(["to", "into"]);
const RIGHT_IN = new Set(["in", "at", "near", "off", "outside", "aboard"]);
const FAR = 9;
const LONG = 40;

const isGround = (type: EntityType): boolean => type === "place" || type === "facility" || type === "country";
/** What lies where it is named right before a place; of a person that says little. */
const LYING = new Set<EntityType>(["facility", "place", "organisation", "event", "equipment", "unit", "group"]);

const between = ({ text }: Clauses, one: ClauseWord, other: ClauseWord): string => text.slice(one.end, other.start);
const located = (from: ClauseWord, to: ClauseWord, reason: string): Found => ({
  from,
  to,
  relation: "located-in",
  reason,
});

/** "Ferrol Substation in San Adrián", "Lindau, Varland", "the towns of Krsno and Brezje, both in Lower Sava". */
function* beside(clauses: Clauses): Generator<Found> {
  const { tokens } = clauses;
  for (const [at, token] of tokens.entries()) {
    const one = token.named;
    if (!one) continue;
    const words = between(clauses, token, tokens[at + 1] ?? token);
    const next = tokens[at + 1];
    if (!next) continue;
    // "Paris, France"
    if (
      next.named &&
      words === ", " &&
      (one.type === "place" || one.type === "facility") &&
      next.named.type === "country"
    )
      yield located(token, next, "named so");
    if (token.whose) continue;
    let link = at + 1;
    const isApart = isComma(next.gap);
    if (isApart && /^(?:both|all|also|just)$/.test(next.text)) link += 1;
    const preposition = tokens[link];
    if (!preposition || preposition.named || !RIGHT_IN.has(preposition.text) || isBreak(preposition.gap)) continue;
    const goal = link + (isArticle(tokens[link + 1] ?? preposition) ? 2 : 1);
    const ground = tokens[goal];
    if (!ground?.named || !isPlain(ground.gap) || !isGround(ground.named.type)) continue;
    if (!LYING.has(one.type) || !joins("located-in", one.type, ground.named.type)) continue;
    if (isApart && link === at + 1 && one.type !== "facility") continue;
    for (const own of isApart ? groupOf(clauses, at, -1) : [token]) yield located(own, ground, `"${preposition.text}"`);
  }
}

/** "Larnos, where the Jasmine Jazz Festival opened". */
function* where(clauses: Clauses): Generator<Found> {
  const { tokens } = clauses;
  for (const [at, { text, named, gap }] of tokens.entries()) {
    if (named || text !== "where" || at === 0 || isBreak(gap)) continue;
    const ground = tokens[at - 1]!;
    const own = tokens[at + 1] && isArticle(tokens[at + 1]!) ? at + 2 : at + 1;
    const token = tokens[own];
    if (!ground.named || !isGround(ground.named.type) || !token?.named || !isPlain(token.gap) || token.whose) continue;
    if (
      token.named.type === "country" ||
      token.named.type === "organisation" ||
      !joins("located-in", token.named.type, ground.named.type)
    )
      continue;
    yield located(token, ground, '"where"');
  }
}

/** "the Paris-based agency X", "X, a Paris-based agency". */
function* based({ tokens }: Clauses): Generator<Found> {
  for (const [at, { text, named, gap }] of tokens.entries()) {
    const ground = tokens[at - 1];
    if (named || text !== "based" || gap !== "-" || !ground?.named || !isGround(ground.named.type)) continue;
    const after = tokens
      .slice(at + 1, at + 5)
      .find((token, step, all) => token.named && all.slice(0, step + 1).every(({ gap: one }) => isPlain(one)));
    const before =
      tokens[at - 2] && isArticle(tokens[at - 2]!) && isComma(tokens[at - 2]!.gap) ? tokens[at - 3] : undefined;
    const own = after ?? before;
    if (own?.named && joins("located-in", own.named.type, ground.named.type)) yield located(own, ground, '"based"');
  }
}

/** Where a place stands with its preposition behind a verb, with nothing named between that it may belong to. */
function groundBehind(clauses: Clauses, from: number, far = FAR): number {
  const { tokens } = clauses;
  for (let at = from; at < tokens.length && at - from < far; at += 1) {
    const token = tokens[at]!;
    if (isBreak(token.gap) || isComma(token.gap) || isSubordinator(token)) return -1;
    if (token.text === "and" || token.text === "but") return -1;
    if (!IN.has(token.text) || token.named) continue;
    const goal = at + (tokens[at + 1] && isArticle(tokens[at + 1]!) ? 2 : 1);
    const ground = tokens[goal];
    if (ground?.named && isPlain(ground.gap) && isGround(ground.named.type)) return goal;
  }
  return -1;
}

function motionTo({ tokens }: Clauses, to: number): number {
  const goal = to + (tokens[to + 1] && isArticle(tokens[to + 1]!) ? 2 : 1);
  const ground = tokens[goal];
  return ground?.named && isPlain(ground.gap) && isGround(ground.named.type) ? goal : -1;
}

const isBeing = (term: string): boolean => /^(?:is|are|was|were|been|being|be)$/.test(term);

/** "Holub was arrested at Ostrel Airport", "the summit opened in Gdynia". */
function* placed(clauses: Clauses, spoken: readonly Word[]): Generator<Found & { at: number }> {
  const { text, tokens, tokenOf } = clauses;
  for (const hit of index().find(text, spoken)) {
    const [first, last] = [tokenOf[hit.first]!, tokenOf[hit.last]!];
    if (tokens[first]!.named) continue;
    // "flew to Cairo": the preposition is the last of its words.
    const isMotion = INTO.has(tokens[last]!.text);
    const ground = isMotion ? motionTo(clauses, last) : groundBehind(clauses, last + 1, isBeing(hit.term) ? 1 : FAR);
    if (ground < 0 || isUnreal(clauses, first)) continue;
    const isApart = isComma(tokens[first]!.gap) && tokens[first - 1]?.named !== undefined;
    let own = isApart && /(?:ed|ing|t|n)$/.test(hit.term) ? first - 1 : subjectOf(clauses, first);
    if (own < 0 && hit.term.endsWith("ing")) own = firstOf(clauses, first);
    if (own < 0) continue;
    const words = text.slice(tokens[first]!.start, tokens[ground]!.start).trimEnd();
    const reason = `"${words.length > LONG ? text.slice(tokens[first]!.start, tokens[last]!.end) : words}"`;
    for (const one of groupOf(clauses, own, -1))
      if (one.named!.type !== "country" && joins("located-in", one.named!.type, tokens[ground]!.named!.type))
        yield { ...located(one, tokens[ground]!, reason), at: first };
  }
}

/** What says where something is. */
export function* lying(clauses: Clauses, spoken: readonly Word[]): Generator<Found & { at?: number }> {
  yield* beside(clauses);
  yield* where(clauses);
  yield* based(clauses);
  yield* placed(clauses, spoken);
}
