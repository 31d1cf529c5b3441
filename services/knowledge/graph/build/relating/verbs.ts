import phrases from "../../../../../data/graph/phrases.json" with { type: "json" };
import { lazily } from "../../../../../core/text/lexicon.ts";
import { phraseIndex, type Hit } from "../../../../../core/text/words/phrases.ts";
import { joins, type EntityType, type Relation } from "../../statements/vocabulary.ts";
import { formsOf, type VerbForm } from "./forms.ts";
import { endingAt, firstOf, groupOf, objectOf, subjectOf } from "./subjects.ts";
import { isAdverb, isAuxiliary, isBreak, isSubordinator, isUnreal, type Clauses, type ClauseWord } from "./tokens.ts";

/** That a sentence says of two entities, as it is found. */
export interface Found {
  from: ClauseWord;
  to: ClauseWord;
  relation: Relation;
  reason: string;
  isUnsure?: boolean;
}

/** A verb in a sentence, by tokens. */
interface Verb {
  relation: Relation;
  written: string;
  form: VerbForm;
  first: number;
  last: number;
  /** The object stands inside of it: "put X on its list". */
  isAround: boolean;
  /** "hand over … to": the words before whom it is given. */
  to?: string[];
}

interface Entry {
  form: VerbForm;
  to?: string[];
}

const index = lazily(() => {
  const lists: Record<string, string[]> = {};
  const entries = new Map<string, Entry>();
  const add = (relation: string, phrase: string, to?: string[]) => {
    for (const [written, form] of formsOf(phrase)) {
      (lists[relation] ??= []).push(written);
      entries.set(`${relation} ${written}`, { form, ...(to && { to }) });
    }
  };
  for (const [relation, verbs] of Object.entries(phrases.verbs)) for (const verb of verbs) add(relation, verb);
  for (const [relation, verbs] of Object.entries(phrases.giving))
    for (const verb of verbs) {
      const [said, to] = verb.split(" > ") as [string, string];
      add(`${relation} >`, said, to.split(" "));
    }
  return { phrases: phraseIndex(lists), entries };
});

const AFTER_VERB = 14;

/** Whether something is done to the subject, not by it. */
function isPassive({ tokens }: Clauses, { first, last, form }: Verb): boolean {
  if (form !== "past") return false;
  let at = first - 1;
  while (at >= 0 && isAdverb(tokens[at]!)) at -= 1;
  if (at >= 0 && /^(?:is|are|was|were|be|been|being|gets?|got)$/.test(tokens[at]!.text)) return true;
  const next = tokens[last + 1];
  return next?.text === "by" || (next !== undefined && isAdverb(next) && tokens[last + 2]?.text === "by");
}

const isHelped = ({ tokens }: Clauses, first: number): boolean =>
  first > 0 && (isAuxiliary(tokens[first - 1]!) || isAdverb(tokens[first - 1]!));

/** Where, behind a verb, given words stand in its clause: the token after them, or -1. */
function behind({ tokens }: Clauses, from: number, wanted: readonly string[]): number {
  for (let at = from; at < tokens.length && at - from <= AFTER_VERB; at += 1) {
    if (isBreak(tokens[at]!.gap) || (isSubordinator(tokens[at]!) && tokens[at]!.text !== "as")) return -1;
    if (wanted.every((word, step) => tokens[at + step]?.text === word)) return at + wanted.length;
  }
  return -1;
}

/** The two ends of what a verb says, as tokens: who does it, and to whom. */
function endsOf(clauses: Clauses, verb: Verb): [subject: number, object: number] | undefined {
  const { first, last, form } = verb;
  const { tokens } = clauses;
  if (tokens[first - 1]?.text === "to") return undefined;
  if (isPassive(clauses, verb)) {
    const by = behind(clauses, last + 1, ["by"]);
    const agent = by < 0 ? -1 : objectOf(clauses, by);
    const whom = isHelped(clauses, first) ? subjectOf(clauses, first) : endingAt(clauses, first - 1);
    return agent >= 0 && whom >= 0 ? [agent, whom] : undefined;
  }
  // "sent the 9th Division to Mosul": it is the division that is there.
  if (verb.to && verb.relation === "located-in") {
    const [moved, to] = [objectOf(clauses, last + 1), behind(clauses, last + 1, verb.to)];
    const ground = to < 0 ? -1 : objectOf(clauses, to);
    return moved >= 0 && moved < to && ground >= 0 ? [moved, ground] : undefined;
  }
  const isBare = form === "going" && !isHelped(clauses, first);
  const subject = isBare ? firstOf(clauses, first) : subjectOf(clauses, first);
  if (subject < 0) return undefined;
  const isMeeting = verb.relation === "met";
  const from = verb.to ? behind(clauses, last + 1, verb.to) : verb.isAround ? first + 1 : last + 1;
  const object = from < 0 ? -1 : objectOf(clauses, from, isMeeting);
  return object >= 0 ? [subject, object] : undefined;
}

/** What of a body is led is no body: "the council's computer department". */
function ofWhom({ tokens }: Clauses, verb: Verb, object: number): Relation {
  const before = tokens[object - 1]?.text === "the" ? tokens[object - 2] : tokens[object - 1];
  const isOf = before?.text === "of" && object - 2 > verb.last;
  const isPart = verb.relation === "leads" && (isOf || (tokens[object]!.whose && !tokens[object + 1]?.named));
  return isPart ? "works-for" : verb.relation;
}

const ARMED = new Set<EntityType>(["unit", "group", "country"]);

/** The relation that the types of its ends allow, with its ends: what belongs to a company is owned by it. */
function fitted(clauses: Clauses, verb: Verb, from: ClauseWord, to: ClauseWord, object: number): Found | undefined {
  const reason = `"${clauses.text.slice(clauses.tokens[verb.first]!.start, clauses.tokens[verb.last]!.end)}"`;
  const relation = ofWhom(clauses, verb, object);
  const [one, other] = [from.named!.type, to.named!.type];
  const isThing = one === "equipment" || one === "facility" || one === "document";
  if (verb.written.startsWith("belong") && isThing && joins("owns", other, one))
    return { from: to, to: from, relation: "owns", reason };
  if (relation === "involves" && joins("involves", other, one)) return { from: to, to: from, relation, reason };
  // Soldiers clash in arms, others in words.
  if (relation === "attacks" && verb.written.startsWith("clash") && !ARMED.has(one))
    return { from, to, relation: "related-to", reason };
  if (relation === "attacks" && one === "event") return { from, to, relation: "involves", reason };
  // "Helen Marsh, who manages the hospital", "a camp run by the agency"
  const isRun = /^(?:run|ran|manag|operat)/.test(verb.written);
  if (isRun && relation === "leads" && one !== "person" && joins("owns", one, other))
    return { from, to, relation: "owns", reason };
  if (isRun && relation === "owns" && one === "person") return { from, to, relation: "leads", reason };
  if (relation === "works-for" && other === "person") return { from, to, relation: "related-to", reason };
  if (relation === "involves" || !joins(relation, one, other)) return undefined;
  return { from, to, relation, reason };
}

export function* said(
  clauses: Clauses,
  spoken: Parameters<ReturnType<typeof phraseIndex>["find"]>[1],
): Generator<Found & { hit: Hit; at: number }> {
  const { text, tokens, tokenOf } = clauses;
  const { phrases: found, entries } = index();
  for (const hit of found.find(text, spoken)) {
    const { form, to } = entries.get(`${hit.label} ${hit.term}`)!;
    const [first, last] = [tokenOf[hit.first]!, tokenOf[hit.last]!];
    const isAround = hit.term.includes("…");
    if (tokens[first]!.named || (!isAround && tokens.slice(first, last + 1).some(({ named }) => named))) continue;
    const relation = hit.label.replace(" >", "") as Relation;
    const verb: Verb = { relation, written: hit.term, form, first, last, isAround, ...(to && { to }) };
    const ends = endsOf(clauses, verb);
    if (!ends || isUnreal(clauses, first)) continue;
    const [subject, object] = ends;
    for (const one of groupOf(clauses, subject, subject < first ? -1 : 1))
      for (const other of groupOf(clauses, object, object < first ? -1 : 1)) {
        const related = fitted(clauses, verb, one, other, object);
        if (related) yield { ...related, hit, at: first };
      }
  }
}
