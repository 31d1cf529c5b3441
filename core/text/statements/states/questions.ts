import { lazily, lexicon } from "../../lexicon.ts";
import { phraseIndex } from "../../words/phrases.ts";
import type { Word } from "../../words/words.ts";

/** Which of several exclusive answers a phrase gives to a question that is asked of a kind of event. */
export interface EventAnswer {
  /** "prison break/escape": the kind of event, and what is asked of it. */
  question: string;
  end: string;
  /** Indexes of its first and last word. */
  first: number;
  last: number;
}

interface Question {
  /** What its sentence must also name. */
  of?: readonly string[];
  traits?: readonly string[];
  /** The end after which no other one comes. */
  final?: string;
  ends: Readonly<Record<string, readonly string[]>>;
}

interface KindOfEvent {
  /** Words of which its reports have one; without them any report will do. */
  of?: readonly string[];
  asks: Readonly<Record<string, Question>>;
}

const kinds = lexicon.questions.kinds as Readonly<Record<string, KindOfEvent>>;

const asked = lazily(
  () =>
    new Map<string, Question>(
      Object.entries(kinds).flatMap(([kind, { asks }]) =>
        Object.entries(asks).map(([name, question]) => [`${kind}/${name}`, question] as const),
      ),
    ),
);

const index = lazily(() => ({
  kinds: phraseIndex(
    Object.fromEntries(Object.entries(kinds).flatMap(([kind, { of }]) => (of ? [[kind, of] as const] : []))),
  ),
  things: phraseIndex(
    Object.fromEntries([...asked()].flatMap(([question, { of }]) => (of ? [[question, of] as const] : []))),
  ),
  ends: phraseIndex(
    Object.fromEntries(
      [...asked()].flatMap(([question, { ends }]) =>
        Object.entries(ends).map(([end, forms]) => [`${question}/${end}`, forms] as const),
      ),
    ),
  ),
  roles: phraseIndex({ role: lexicon.questions.roles }),
}));

/** What a question is like: `person`, of one by name or part; `passing`, it changes within hours; `weak`, the judge decides. */
export const isAsked = (question: string, trait: string): boolean =>
  asked().get(question)!.traits?.includes(trait) ?? false;

export const finalOf = (question: string): string | undefined => asked().get(question)!.final;

/** The other of two answers; undefined where there are more. */
export function otherEnd(question: string, end: string): string | undefined {
  const others = Object.keys(asked().get(question)!.ends).filter((other) => other !== end);
  return others.length === 1 ? others[0] : undefined;
}

/** The kinds of events that the words of a sentence speak of. */
export const kindsOfEvent = (spoken: readonly Word[]): string[] =>
  index()
    .kinds.find("", spoken)
    .map(({ label }) => label);

/** Whether a question is asked in reports that speak of these kinds of events. */
export function isOfKinds(question: string, found: ReadonlySet<string>): boolean {
  const kind = question.slice(0, question.indexOf("/"));
  return kinds[kind]!.of === undefined || found.has(kind);
}

/** Parts that one person has in an event: "captain", "gunman". */
export const rolesIn = (spoken: readonly Word[]): ReadonlySet<string> =>
  new Set(
    index()
      .roles.find("", spoken)
      .map(({ term }) => term),
  );

const isInside = (one: EventAnswer, other: EventAnswer): boolean =>
  other.question === one.question &&
  other.first <= one.first &&
  other.last >= one.last &&
  other.last - other.first > one.last - one.first;

/** The answers that the words of a sentence give, whatever kind of event it tells of. */
export function answersIn(spoken: readonly Word[]): readonly EventAnswer[] {
  const hits = index()
    .ends.find("", spoken)
    .map(({ label, first, last }): EventAnswer => {
      const at = label.lastIndexOf("/");
      return { question: label.slice(0, at), end: label.slice(at + 1), first, last };
    });
  if (hits.length === 0) return hits;
  const things = index().things.find("", spoken);
  const isOfThing = ({ question, first, last }: EventAnswer): boolean =>
    asked().get(question)!.of === undefined ||
    things.some((thing) => thing.label === question && (thing.first < first || thing.last > last));
  return hits.filter((one) => isOfThing(one) && !hits.some((other) => isInside(one, other)));
}
