import { aliasOf, isCountry, names } from "../../../../core/text/statements/names.ts";
import type { Sentence } from "../../../../core/text/words/sentences.ts";
import { fold, type Span } from "../../../../core/text/words/words.ts";
import { headType, isCalling, isFirstName, isGeneric, isKnownName, isLeading, isTitle } from "./typing/cues.ts";
import { personOf } from "./typing/persons.ts";

/** "Foreign Minister", "Deputy Director": words that go before a title. */
const QUALIFIERS = new Set("foreign interior finance defence defense prime vice deputy chief former acting".split(" "));
/** "Transport Minister Odd Lien": what a post is called by runs up to it. */
const POST =
  /^(?:\p{Lu}\p{L}+ ){1,3}(?:Minister|Secretary|Commissioner|Spokes(?:man|woman|person)|Director|Chairman|Chairwoman|Ambassador|Leader|Prosecutor|Inspector|Superintendent|Executive|Officer|Coordinator) (?=\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}|\p{Lu}\p{Ll}+$)/u;

const COUNTS = new Set(
  "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty".split(" "),
);
/** "West Mercia Police" has its quarter in its name. */
const QUARTERS = new Set(["north", "south", "east", "west"]);

/** What stands before a name and is none of it: an article, titles. */
function leadIn(text: string): number {
  let at = /^(?:the|The) /.exec(text)?.[0].length ?? 0;
  const post = POST.exec(text.slice(at));
  if (post && !headType(fold(text.slice(text.lastIndexOf(" ") + 1)))) return at + post[0].length;
  for (;;) {
    const word = /^(\p{L}+)\.? (?=\p{Lu})/u.exec(text.slice(at));
    if (!word) return at;
    const first = fold(word[1]!);
    const isNamed = isCalling(first) && isFirstName(fold(/^\p{L}+/u.exec(text.slice(at + word[0].length))?.[0] ?? ""));
    if (
      isNamed ||
      (COUNTS.has(first) && /\d/.test(text)) ||
      (isGeneric(first) && !QUARTERS.has(first) && !isLeading(first))
    ) {
      at += word[0].length;
      continue;
    }
    const next = /^\p{L}+/u.exec(text.slice(at + word[0].length))?.[0] ?? "";
    const isOffice = QUALIFIERS.has(fold(word[1]!)) && isTitle(fold(next));
    if (!isTitle(fold(word[1]!)) && !isOffice) return at;
    at += word[0].length;
  }
}

/** Whether a name may begin with this word and an "of": "Bank of England", "Republic of Oru". */
const isHead = (word: string): boolean => headType(word) !== undefined || isCountry(word) || HEADS.has(word);
const HEADS = new Set(["republic", "kingdom", "union", "state", "states", "house", "isle", "duke", "gulf", "bay"]);
const NUMBER = /\b\d{1,4}(?:st|nd|rd|th)? $/;
const MODEL = /(?<![\w-])[A-Z]{1,4}-\d{1,3}[A-Z]{0,2}(?![\w-])|(?<=\p{Lu}\p{Ll}+ )[A-Z]{1,3}\d{1,3}[A-Z]?(?![\w-])/gu;

/** What is of a place, and not named after it: "Meridian Shipping of Piraeus", never "Bank of England". */
const OUTSIDERS = new Set(
  "party shipping lines company group holdings steel motors foods airlines robotics partners".split(" "),
);
function companyOf(written: string): { length: number; rest: number } | undefined {
  const at = written.indexOf(" of ");
  if (at < 0 || !isKnownName(fold(written.slice(at + 4)))) return undefined;
  return OUTSIDERS.has(lastOf(written.slice(0, at))) ? { length: at, rest: at + 4 } : undefined;
}

/** The names in what the reader of names takes for one: without titles, with its number, apart where two are joined. */
function* partsOf(text: string, { start, end }: Span, from: number): Generator<Span> {
  let first = start + leadIn(text.slice(start, end));
  // "Rebels of the Front": a sentence begins large.
  const opener = start === from ? /^(\p{L}+) of (?:the )?(?=\p{Lu})/u.exec(text.slice(start, end)) : null;
  if (opener && !isHead(fold(opener[1]!))) first = start + opener[0].length;
  const written = text.slice(first, end);
  const two = personOf(written, text.slice(from, first)) ?? companyOf(written);
  if (two) {
    yield { start: first, end: first + two.length };
    yield { start: first + two.rest, end };
    return;
  }
  const number = NUMBER.exec(text.slice(Math.max(from, first - 8), first));
  if (
    number &&
    fold(written)
      .split(" ")
      .some((word) => headType(word) === "unit")
  )
    first -= number[0].length;
  if (first < end) yield { start: first, end };
}

const lastOf = (text: string): string => fold(text.slice(text.lastIndexOf(" ") + 1));
const firstOf = (text: string): string => fold(text.split(" ", 1)[0]!);
/** "People's Reform Party", "Lloyd's Register": whose name it is is part of it. */
const OWNERS = new Set(
  "people women men children lloyd soldier attorney prosecutor mayor governor bishop coroner".split(" "),
);
const PATRONS = new Set("st saint king queen prince princess".split(" "));
const PLURAL_OWNER = /s[’'] $/;
const BETWEEN_WORDS = new Set(["organisation", "event", "facility", "document"]);
const OFFICES = new Set(
  "ministry department agency office board institute bureau secretariat directorate committee commission".split(" "),
);
const isOfficeOf = (text: string): boolean => OFFICES.has(firstOf(text)) && /^\S+ (?:of|for) /.test(text);

/** Whether two names that stand side by side are one: "Marsh & Tolland", "Seafarers' Federation", "Lynx KF41". */
function isOne(text: string, one: Span, other: Span): boolean {
  const gap = text.slice(one.end, other.start);
  const [left, right] = [text.slice(one.start, one.end), text.slice(other.start, other.end)];
  const rightHead = headType(lastOf(right));
  if (gap === " & " || gap === " + ") return true;
  if (/^[’']s? $/.test(gap)) {
    if (!rightHead || rightHead === "place" || isCountry(fold(left))) return false;
    if (PLURAL_OWNER.test(left.slice(-1) + gap)) return /s$/.test(left);
    return OWNERS.has(lastOf(left)) || PATRONS.has(firstOf(left));
  }
  if (gap === " ")
    return /^[A-Z]{1,4}-?\d{1,3}[A-Z]{0,2}$/.test(right) && aliasOf(fold(left)) === undefined && !isTitle(fold(left));
  if (gap !== " and ") return false;
  // "Ministry of Food and Agriculture", "the Robot and Rail Fair"
  if (isOfficeOf(left) && headType(firstOf(right)) === undefined && !isCountry(fold(right))) return true;
  const isBefore = /\bthe $/i.test(text.slice(Math.max(0, one.start - 4), one.start));
  const isPlain = !left.includes(" ") && !headType(fold(left)) && !isKnownName(fold(left)) && !/^\p{Lu}+$/u.test(left);
  return (
    isBefore &&
    isPlain &&
    right.includes(" ") &&
    rightHead !== undefined &&
    BETWEEN_WORDS.has(rightHead) &&
    !isKnownName(fold(right))
  );
}

/** A number that belongs to a name: "Leopard 2", "Water Plan 2040", "Plant 2", "Task Force 61". */
const NUMBERED =
  /^ \d{1,4}[A-Z]?(?![\w%.,-]*\d|[\w%]| (?:percent|per|million|billion|people|men|women|years|days|weeks|months|km|miles|metres))/;
const UNITS = /^(?:\p{Lu}[\p{L}-]+ ){1,3}(?:Force|Group|Squadron|Flotilla|Battalion|Brigade|Regiment|Platoon|Team)$/u;
const withNumber = (text: string, span: Span): Span => {
  const written = text.slice(span.start, span.end);
  const type = headType(lastOf(written));
  const isNumbered =
    UNITS.test(written) || type === "document" || type === "facility" || type === "event" || type === "equipment";
  const number = isNumbered ? NUMBERED.exec(text.slice(span.end, span.end + 30)) : null;
  return number ? { start: span.start, end: span.end + /^ \d{1,4}[A-Z]?/.exec(number[0])![0].length } : span;
};

/** "Médecins Sans Frontières", "Pensions (Amendment) Bill": a name in pieces. */
function* whole(text: string, spans: readonly Span[]): Generator<Span> {
  let held: Span | undefined;
  for (const span of spans) {
    if (held && isOne(text, held, span)) held = { start: held.start, end: span.end };
    else {
      if (held) yield withNumber(text, held);
      held = span;
    }
  }
  if (held) yield withNumber(text, held);
}

/** The names of one sentence; `known` are those that count at its head. */
export function spansIn(text: string, sentence: Sentence, known: ReadonlySet<string>): Span[] {
  const named = names(text, sentence.words, known).flatMap((name) => [...partsOf(text, name, sentence.start)]);
  for (const { 0: model, index } of sentence.text.matchAll(MODEL)) {
    const start = sentence.start + index;
    const end = start + model.length;
    if (!named.some((name) => name.start < end && name.end > start)) named.push({ start, end });
  }
  return [
    ...whole(
      text,
      named.sort((one, other) => one.start - other.start),
    ),
  ];
}
