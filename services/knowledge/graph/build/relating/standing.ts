import phrases from "../../../../../data/graph/phrases.json" with { type: "json" };
import type { Sentence } from "../../../../../core/text/words/sentences.ts";
import { isFunctionWord } from "../../../../../core/text/words/stop-words.ts";
import { isPossessive } from "../../../../../core/text/words/words.ts";
import type { EntityType } from "../../statements/vocabulary.ts";
import type { Named } from "./tokens.ts";

/** What a word like "the vessel" may be called by: its type, from `data/graph/phrases.json`. */
const KINDS = new Map(
  Object.entries(phrases.kinds).flatMap(([type, words]) => words.map((word) => [word, type as EntityType] as const)),
);
/** Words that may mean any organisation, or any ground of their kind; all others mean what has them in its name. */
const LOOSE = new Set(phrases.loose);
const PERSONS = new Set(["he", "she", "his", "her", "him"]);
const THINGS = new Set(["it", "its"]);
/** How many sentences back a name is still meant. */
const BACK = 2;
const COLLECTIVES = new Set<EntityType>([
  "organisation",
  "unit",
  "group",
  "equipment",
  "facility",
  "event",
  "document",
]);

type There = readonly Named[];

/** What a person's pronoun means: the first person named before it, but for "Lepp's deputy" the deputy. */
function person(text: string, before: There, earlier: readonly There[]): Named | undefined {
  for (const there of [before, ...earlier]) {
    const people = there.filter(({ type }) => type === "person");
    const one = people.find(({ end, stands }) => !stands && !isPossessive(text, end)) ?? people[0];
    if (one) return one;
  }
  return undefined;
}

/** "In a video seen by Reuters": who tells of the matter. */
const isTeller = (text: string, { start }: Named): boolean =>
  /\b(?:seen|reported|quoted|cited|published|obtained|reviewed|verified) by (?:the )?$/.test(
    text.slice(Math.max(0, start - 20), start),
  );

/** "analysts at Kolb", "seen by Reuters": what is named beside the matter. */
const isAside = (text: string, { start }: Named): boolean =>
  /\b(?:at|by|with|for|from|to|than) (?:the )?$/.test(text.slice(Math.max(0, start - 12), start));

/** "Her captain", of a ship. */
const SHIPS = new Set(["she", "her"]);
const ship = (before: There, earlier: readonly There[]): Named | undefined =>
  [before, ...earlier].flat().find(({ type }) => type === "equipment");

function thing(
  text: string,
  said: string,
  isFrom: boolean,
  before: There,
  earlier: readonly There[],
): Named | undefined {
  const all = [before, ...earlier];
  // "the mine when villagers blockaded it": what was named last; "its" is what the sentence is about, but for "bought it from its founder".
  if (said === "it" || isFrom) all[0] = before.toReversed();
  const isOne = ({ type }: Named) => COLLECTIVES.has(type);
  const own = all[0]!.find((one) => (isOne(one) || one.type === "country") && !isAside(text, one));
  if (own) return own;
  for (const there of all) {
    // "Voltara, a unit of Eurogrid": what a sentence begins with, whatever it is.
    const one = there.find(
      (other, at) => (isOne(other) || (at === 0 && other.type === "other")) && !isAside(text, other),
    );
    if (one) return one;
  }
  for (const there of all) {
    const one = there.find(isOne) ?? there.find(({ type }) => type === "other");
    if (one) return one;
  }
  return undefined;
}

/** What is no "firm". */
const OFFICIAL =
  /\b(?:court|ministry|council|treasury|police|party|parliament|commission|agency|department|government|senate|union|federation|nations|association|authority|constabulary|board|committee)\b/;

/** Whether a word of its name says so: "the council" is Tolna County Council. */
const isCalled = ({ key }: Named, word: string): boolean => key.split(" ").includes(word);

function kind(text: string, word: string, before: There, earlier: readonly There[]): Named | undefined {
  const all = [...earlier.flat(), ...before];
  // "the tanker Oriental Dawn" is the tanker.
  const isSoCalled = ({ start }: Named) => text.slice(start - word.length - 1, start).toLowerCase() === `${word} `;
  const called = all.findLast((one) => isCalled(one, word) || isSoCalled(one));
  if (called) return called;
  const type = KINDS.get(word)!;
  if (!LOOSE.has(word)) return undefined;
  const isOne = (other: Named) => other.type === type && !(type === "organisation" && OFFICIAL.test(other.key));
  const there = [...earlier, before];
  for (const own of there) {
    const one = own.find((other) => isOne(other) && (type === "place" || !isAside(text, other)));
    if (one) return one;
  }
  return there.flat().find((other) => isOne(other) && !isTeller(text, other));
}

const ARTICLES = new Set(["the", "this", "that"]);
const LONGEST = 4;

/** "the oil company": the words of it, up to the last that says what kind it is. */
function kindAt(text: string, spoken: Sentence["words"], at: number): { word: string; end: number } | undefined {
  let found: { word: string; end: number } | undefined;
  for (let next = at + 1; next < spoken.length && next - at <= LONGEST; next += 1) {
    const { capital, start, end, text: said } = spoken[next]!;
    if (capital || isFunctionWord(said) || !/^[ -]$/.test(text.slice(spoken[next - 1]!.end, start))) break;
    const twofold = next - at > 1 ? `${spoken[next - 1]!.text} ${said}` : said;
    const word = KINDS.has(twofold) ? twofold : KINDS.has(said) ? said : undefined;
    if (word) found = { word, end };
    else if (found) break;
  }
  return found;
}

/** What of a sentence stands for a name before it: pronouns, "the company", "the vessel's". */
export function standIns(text: string, sentence: Sentence, named: There, earlier: readonly There[]): Named[] {
  const found: Named[] = [];
  const { words: spoken } = sentence;
  for (const [at, { text: said, start, end }] of spoken.entries()) {
    const isPerson = PERSONS.has(said);
    const isThing = THINGS.has(said);
    if (!isPerson && !isThing && !ARTICLES.has(said)) continue;
    const own = isPerson || isThing ? undefined : kindAt(text, spoken, at);
    if (!isPerson && !isThing && !own) continue;
    const upTo = own?.end ?? end;
    if (named.some((one) => one.start < upTo && one.end > start)) continue;
    // "the port of Velika", "the brewer Anton Riedl", "the mayor, Paolo Greco"
    const next = own && named.find((one) => one.start >= upTo);
    if (next && /^(?: | of (?:the )?|, )$/.test(text.slice(upTo, next.start))) continue;
    const before = [...named.filter((one) => one.end <= start), ...found].sort((one, other) => one.start - other.start);
    const one = own
      ? kind(text, own.word, before, earlier)
      : isPerson
        ? (person(text, before, earlier) ?? (SHIPS.has(said) ? ship(before, earlier) : undefined))
        : // "the militia's spokesman said it": of what is not named in this sentence, it is the spokesman's to say.
          said === "it" && at > 2 && !before.some(({ type }) => type !== "person")
          ? undefined
          : thing(text, said, spoken[at - 1]?.text === "from", before, earlier);
    if (one) found.push({ key: one.key, type: one.type, start, end: upTo, stands: "word" });
  }
  return found;
}

/** The sentences before one that may be meant in it, the nearest first. */
export const BEFORE = BACK;

/** Whose head somebody is that the text calls "chief executive" or "the mayor" alone: the one body that it may be. */
export function topicOf(role: string, before: There, earlier: readonly There[]): Named | undefined {
  const types = GROUNDED.has(role) ? ["place"] : BODIED.has(role) ? ["organisation", "facility"] : [];
  const all = new Map(
    [...earlier.flat(), ...before].filter(({ type }) => types.includes(type)).map((one) => [one.key, one]),
  );
  return all.size === 1 ? [...all.values()][0] : undefined;
}
const GROUNDED = new Set(["mayor", "mayoress"]);
const BODIED = new Set(
  (
    "executive chairman chairwoman chairperson ceo director manager rector principal provost dean headmaster headmistress " +
    "headteacher boss founder spokesman spokeswoman spokesperson coordinator"
  ).split(" "),
);
