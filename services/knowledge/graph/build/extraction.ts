import { wholeEnd } from "../../../../core/text/cutting.ts";
import type { Span } from "../../../../core/text/words/words.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import type { EntityType, Relation } from "../statements/vocabulary.ts";
import { joinMentions, type Joined } from "./joining.ts";
import { mentionsIn, REASONS, type LeftOut, type Mention, type LeftOutReason, type ReadText } from "./mentions.ts";
import { relationsIn } from "./relations.ts";
import { BEFORE, standIns, topicOf } from "./relating/standing.ts";
import type { Named } from "./relating/tokens.ts";
import { roleIn } from "./offices.ts";

/** Raised whenever the same text would be read otherwise than before. */
export const EXTRACTOR = "rules-3";
/** A text brings at most so many entities and relations: the most often named. */
export const MOST_ENTITIES = 1_000;
export const MOST_RELATIONS = 3_000;
export const MOST_LEFT_OUT = 200;
const MOST_PASSAGES = 20;
/** A sentence may be long; what is quoted of it is not. */
const LONGEST_QUOTE = 1_000;

/** How a text writes a name: where first, how often, in which sentences. */
export interface Form extends Span {
  text: string;
  times: number;
  passages: number[];
}
export interface FoundEntity {
  key: string;
  type: EntityType;
  confidence: number;
  reason: string;
  /** The fullest first: its name; the others are aliases. */
  forms: Form[];
  roles: (Span & { value: string })[];
  method: "heuristic" | "llm";
}
export interface FoundRelation extends Span {
  from: string;
  to: string;
  relation: Relation;
  confidence: number;
  reason: string;
  times: number;
  passages: number[];
}
export interface ExtractedGraph {
  entities: FoundEntity[];
  relations: FoundRelation[];
  leftOut: (LeftOut & { why: string })[];
}

function formsOf(mentions: readonly Mention[]): Form[] {
  const forms = new Map<string, Form>();
  for (const { text, start, end, sentence } of mentions) {
    const known = forms.get(text);
    if (known) {
      known.times += 1;
      if (known.passages.length < MOST_PASSAGES && known.passages.at(-1) !== sentence) known.passages.push(sentence);
    } else forms.set(text, { text, start, end, times: 1, passages: [sentence] });
  }
  const words = ({ text }: Form): number => text.split(/\s+/).length;
  return [...forms.values()].sort(
    (one, other) => words(other) - words(one) || other.times - one.times || one.start - other.start,
  );
}

function rolesOf({ type, mentions }: Joined): (Span & { value: string })[] {
  if (type !== "person") return [];
  const found = new Map<string, Span & { value: string }>();
  for (const mention of mentions) {
    const role = roleIn(mention);
    if (!role) continue;
    const from = role.from === "before" ? mention.start - mention.before.length : mention.end;
    const key = role.value.toLowerCase();
    if (!found.has(key)) found.set(key, { value: role.value, start: from + role.start, end: from + role.end });
  }
  return [...found.values()];
}

/** What is named once, or only where words are written large anyway, and nobody could say what it is, leads nowhere. */
export const isFirm = ({ type, mentions }: Joined): boolean =>
  type !== "other" || (mentions.length > 1 && mentions.some(({ before }) => /\p{L}/u.test(before)));

/** Equal ones as one, the most frequent first. */
function gathered(leftOut: readonly LeftOut[]): ExtractedGraph["leftOut"] {
  const found = new Map<string, LeftOut>();
  for (const one of leftOut) {
    const key = `${one.reason} ${one.text}`;
    const known = found.get(key);
    if (known) known.times += one.times;
    else found.set(key, { ...one });
  }
  return [...found.values()]
    .sort((one, other) => other.times - one.times || one.start - other.start)
    .slice(0, MOST_LEFT_OUT)
    .map((one) => ({ ...one, why: REASONS[one.reason] }));
}

const outBecause = (reason: LeftOutReason, joins: readonly Joined[]): LeftOut[] =>
  joins.map(({ mentions: [first, ...more] }) => ({
    ...{ text: first!.text, start: first!.start, end: first!.end, reason },
    times: 1 + more.length,
  }));

function* relationsOf(text: string, read: ReadText, kept: readonly Joined[]): Steps<FoundRelation[]> {
  const named = new Map<number, Named[]>();
  for (const { key, type, mentions } of kept)
    for (const { start, end, sentence } of mentions) {
      const known = named.get(sentence);
      if (known) known.push({ key, type, start, end });
      else named.set(sentence, [{ key, type, start, end }]);
    }
  const found = new Map<string, FoundRelation>();
  let earlier: Named[][] = [];
  for (const [at, sentence] of read.sentences.entries()) {
    const own = (named.get(at) ?? []).sort((one, other) => one.start - other.start);
    if (own.length === 0 && earlier.length === 0) continue;
    yield;
    const before = earlier.filter((one) => one.length > 0);
    const there = [...own, ...standIns(text, sentence, own, before)].sort((one, other) => one.start - other.start);
    earlier = [there, ...earlier].slice(0, BEFORE);
    for (const related of relationsIn(text, sentence, there, (role, until) =>
      topicOf(
        role,
        own.filter(({ end }) => end <= until),
        before,
      ),
    )) {
      const key = JSON.stringify([related.from, related.relation, related.to]);
      const known = found.get(key);
      if (!known) {
        const { start } = sentence;
        const end = wholeEnd(text, Math.min(sentence.end, start + LONGEST_QUOTE));
        found.set(key, { ...related, start, end, times: 1, passages: [at] });
        continue;
      }
      known.times += 1;
      known.confidence = Math.max(known.confidence, related.confidence);
      if (known.passages.length < MOST_PASSAGES && !known.passages.includes(at)) known.passages.push(at);
    }
  }
  return [...found.values()]
    .sort((one, other) => other.confidence - one.confidence || other.times - one.times || one.start - other.start)
    .slice(0, MOST_RELATIONS);
}

/**
 * The entities of a text, what it says of two of them, and what was left out with the reason. Rules and gazetteers; the
 * text is data, nothing in it is obeyed. Pure, in steps.
 */
export function* extractGraph(
  text: string,
  {
    skipped = [],
    more,
    isForeign = false,
  }: { skipped?: readonly Span[]; more?: (read: ReadText) => Mention[]; isForeign?: boolean } = {},
): Steps<ExtractedGraph> {
  const read = yield* mentionsIn(text, skipped, isForeign);
  const added = more?.(read) ?? [];
  const mentions = [...read.mentions, ...added].sort((one, other) => one.start - other.start);
  const all = yield* joinMentions(text, mentions);
  yield;
  const firm = all
    .filter(isFirm)
    .sort(
      (one, other) => other.mentions.length - one.mentions.length || one.mentions[0]!.start - other.mentions[0]!.start,
    );
  const kept = firm.slice(0, MOST_ENTITIES);
  const fromModel = new Set(added);
  return {
    entities: kept.map((one) => ({
      ...{ key: one.key, type: one.type, confidence: one.confidence, reason: one.reason },
      forms: formsOf(one.mentions),
      roles: rolesOf(one),
      method: one.mentions.every((mention) => fromModel.has(mention)) ? ("llm" as const) : ("heuristic" as const),
    })),
    relations: yield* relationsOf(text, read, kept),
    leftOut: gathered([
      ...read.leftOut,
      ...outBecause(
        "not-known",
        all.filter((one) => !isFirm(one)),
      ),
      ...outBecause("too-many", firm.slice(MOST_ENTITIES)),
    ]),
  };
}
