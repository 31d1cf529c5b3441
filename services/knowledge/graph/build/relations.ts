import { lazily } from "../../../../core/text/lexicon.ts";
import { phraseIndex, type Hit } from "../../../../core/text/words/phrases.ts";
import { numeralAt } from "../../../../core/text/statements/figures/numerals.ts";
import { polarity } from "../../../../core/text/statements/polarity.ts";
import type { Sentence } from "../../../../core/text/words/sentences.ts";
import type { Span } from "../../../../core/text/words/words.ts";
import { joins, RELATIONS, type EntityType, type Relation } from "../statements/vocabulary.ts";

/** A mention with the entity that it is, as relations look at it. */
export interface Named extends Span {
  key: string;
  type: EntityType;
}

/** That a sentence says of two entities. */
export interface Related {
  from: string;
  to: string;
  relation: Relation;
  confidence: number;
  reason: string;
}

const index = lazily(() => {
  const lists = Object.entries(RELATIONS).map(([relation, { words }]) => [relation, words] as const);
  return phraseIndex(Object.fromEntries(lists) as Record<Relation, readonly string[]>);
});

/** How many words may stand between a relation's words and its ends. */
const TO_SUBJECT = 10,
  TO_OBJECT = 5,
  BESIDE = 2;
const NEAR = 8;
const SAID = 0.75,
  HEDGED = 0.45,
  NEXT_TO = 0.3;
/** "was attacked by", ", commanded by". */
const BY = /^ (?:\p{L}+ly )?by\b/u;
const UNREAL =
  /\b(?:will|would|could|may|might|should|plans? to|intends? to|wants? to|threatens to|reportedly|allegedly)\b/i;
/** Words that are everywhere: they relate only what stands right beside them. */
const PREPOSITIONS = new Set(["in", "at", "near", "outside"]);
const COORDINATED = /^(?:,| and|, and| or| &) (?:the )?$/;

interface Clause {
  text: string;
  sentence: Sentence;
  named: readonly Named[];
}

/** How many words of a sentence lie between two offsets. */
const wordsBetween = ({ words }: Sentence, start: number, end: number): number =>
  words.reduce((count, word) => count + Number(word.start >= start && word.end <= end), 0);

/** A mention with those that it is named in one breath with: "Northland and Southland". */
function group({ text, named }: Clause, one: Named, step: 1 | -1): Named[] {
  const found = [one];
  for (let at = named.indexOf(one) + step; named[at]; at += step) {
    const [left, right] = step === 1 ? [found.at(-1)!, named[at]!] : [named[at]!, found.at(-1)!];
    if (!COORDINATED.test(text.slice(left.end, right.start)) || right.type !== left.type) break;
    found.push(named[at]!);
  }
  return found;
}

/**
 * What may be the subject, the likeliest first: the nearest, but for what belongs to the name before it ("Petrov of
 * Northland met") or stands between commas ("the brigade, led by Dvorak, moved").
 */
function byNearness({ text }: Clause, before: readonly Named[]): Named[] {
  const isInserted = (at: number): boolean =>
    text[before[at]!.end] === "," && before.slice(0, at).some(({ end }) => text[end] === ",");
  const belongs = (at: number): boolean =>
    at > 0 && /^ of (?:the )?$/.test(text.slice(before[at - 1]!.end, before[at]!.start));
  const rank = (at: number): number => Number(belongs(at) || isInserted(at));
  return before
    .map((one, at) => ({ one, at }))
    .sort((a, b) => rank(a.at) - rank(b.at) || b.at - a.at)
    .map(({ one }) => one);
}

/**
 * "41 in Brod, 15 in Lhota", "in Brod and in Lhota": a preposition that goes with something new does not say where the
 * name before it is.
 */
function goesWithNew({ text, sentence: { words } }: Clause, { end }: Named, { start }: Hit<Relation>): boolean {
  const between = text.slice(end, start);
  if (/ (?:and|or|but) /.test(between)) return true;
  return (
    /[,;]/.test(between) && words.some((one, at) => one.start >= end && one.end <= start && numeralAt(text, words, at))
  );
}

/** The nearest on either side that the relation takes. */
function endsOf(clause: Clause, hit: Hit<Relation>): { subject: Named; object: Named } | undefined {
  const { sentence, named, text } = clause;
  const isBeside = PREPOSITIONS.has(hit.term);
  const isPassive = BY.test(text.slice(hit.end, hit.end + 30));
  const before = named.filter(
    ({ end }) => end <= hit.start && wordsBetween(sentence, end, hit.start) <= (isBeside ? BESIDE : TO_SUBJECT),
  );
  const after = named.filter(
    ({ start }) => start >= hit.end && wordsBetween(sentence, hit.end, start) <= (isBeside ? BESIDE : TO_OBJECT),
  );
  for (const right of after)
    for (const left of byNearness(clause, before)) {
      const [subject, object] = isPassive ? [right, left] : [left, right];
      if (isBeside && goesWithNew(clause, left, hit)) continue;
      if (subject.key !== object.key && joins(hit.label, subject.type, object.type)) return { subject, object };
    }
  return undefined;
}

/** What the words between names say. */
function said(clause: Clause): Related[] {
  const { text, sentence, named } = clause;
  const hits = index().find(text, sentence.words);
  const { negations } = polarity(text, sentence.words);
  const found: Related[] = [];
  for (const hit of hits) {
    if (named.some(({ start, end }) => hit.start < end && hit.end > start)) continue;
    if (negations.some(({ from, to }) => hit.first >= from && hit.first <= to)) continue;
    const ends = endsOf(clause, hit);
    if (!ends) continue;
    const clauseText = text.slice(Math.max(sentence.start, hit.start - 40), hit.start);
    const confidence = UNREAL.test(clauseText) ? HEDGED : SAID;
    for (const subject of group(clause, ends.subject, ends.subject.start < hit.start ? -1 : 1))
      for (const object of group(clause, ends.object, ends.object.start < hit.start ? -1 : 1))
        if (subject.key !== object.key && joins(hit.label, subject.type, object.type))
          found.push({ from: subject.key, to: object.key, relation: hit.label, confidence, reason: `"${hit.term}"` });
  }
  return found;
}

/** "Paris, France": a place and what it lies in. */
function lying({ text, named }: Clause): Related[] {
  return named.flatMap((one, at) => {
    const next = named[at + 1];
    const isGround = (type: EntityType) => type === "place" || type === "facility";
    if (!next || text.slice(one.end, next.start) !== ", " || !isGround(one.type) || next.type !== "country") return [];
    return { from: one.key, to: next.key, relation: "located-in" as const, confidence: SAID, reason: "named so" };
  });
}

const HEADS =
  /\b(?:president|prime minister|chancellor|king|queen|leader|governor|mayor|premier|chief executive|head) $/i;
const POSTS = /\b(?:minister|ambassador|commander|general|spokesman|spokeswoman|director|secretary|senator|officer) $/i;

const WHOSE =
  /^(?:[’']s? (?:\p{L}+ ){1,3}| (?:(?:prime|foreign|defence|defense|interior|finance|opposition) )?\p{L}+ )$/iu;

/** "President Petrov of Northland", "Northland's president Petrov": what an office says of the two. */
function inOffice({ text, sentence, named }: Clause): Related[] {
  return named.flatMap((one, at) => {
    const [previous, next] = [named[at - 1], named[at + 1]];
    if (one.type !== "person") return [];
    const from = previous?.end ?? sentence.start;
    const title = text.slice(from, one.start);
    const relation = HEADS.test(title) ? "leads" : POSTS.test(title) ? "works-for" : undefined;
    if (!relation) return [];
    const isOf = next && /^ of (?:the )?$/.test(text.slice(one.end, next.start));
    const isWhose = previous && WHOSE.test(title);
    const other = isOf ? next : isWhose ? previous : undefined;
    if (!other || other.key === one.key || !joins(relation, "person", other.type)) return [];
    return { from: one.key, to: other.key, relation, confidence: SAID, reason: "office" };
  });
}

/** Neighbours in a sentence of whom nothing more is said. */
function beside({ text, sentence, named }: Clause, known: readonly Related[]): Related[] {
  const told = new Set(known.flatMap(({ from, to }) => [`${from}\n${to}`, `${to}\n${from}`]));
  const found: Related[] = [];
  for (const [at, one] of named.entries()) {
    const next = named[at + 1];
    if (!next || next.key === one.key || told.has(`${one.key}\n${next.key}`)) continue;
    if (/[;:—]/.test(text.slice(one.end, next.start)) || wordsBetween(sentence, one.end, next.start) > NEAR) continue;
    found.push({ from: one.key, to: next.key, relation: "related-to", confidence: NEXT_TO, reason: "named together" });
  }
  return found;
}

/** What one sentence says of the entities that it names. */
export function relationsIn(text: string, sentence: Sentence, named: readonly Named[]): Related[] {
  if (named.length < 2) return [];
  const clause = { text, sentence, named };
  const told = [...said(clause), ...lying(clause), ...inOffice(clause)];
  return [...told, ...beside(clause, told)];
}
