import cues from "../../../../data/graph/cues.json" with { type: "json" };
import { lazily } from "../../../../core/text/lexicon.ts";
import { signsOfBelongings, signsOfKind } from "./surroundings.ts";
import { isCountry } from "../../../../core/text/statements/names.ts";
import { fold } from "../../../../core/text/words/words.ts";
import type { EntityType } from "../statements/vocabulary.ts";

/** What speaks for a type, and how much. */
export interface Sign {
  type: EntityType;
  weight: number;
  reason: string;
}

/** A name where it stands: what is before and behind it in its sentence. */
export interface Placed {
  text: string;
  /** Folded. */
  key: string;
  before: string;
  after: string;
}

/** Cities as the list of time zones has them: "Europe/Paris". */
const zoneCities = (): string[] =>
  Intl.supportedValuesOf("timeZone").flatMap((zone) => {
    const parts = zone.split("/");
    return parts.length > 1 && !zone.startsWith("Etc/") ? [fold(parts.at(-1)!.replaceAll("_", " "))] : [];
  });

const lists = lazily(() => {
  const inside = Object.entries(cues.inside) as [EntityType, string[]][];
  return {
    first: new Set(cues.firstNames),
    titles: new Set(cues.titles),
    callings: new Set(cues.callings),
    leading: new Map(
      (Object.entries(cues.leading) as [EntityType, string[]][]).flatMap(([type, words]) =>
        words.map((word) => [word, type] as const),
      ),
    ),
    organisations: new Set(cues.knownOrganisations),
    places: new Set([...cues.knownPlaces, ...zoneCities()]),
    groups: new Set(cues.groups),
    countries: new Set(cues.knownCountries),
    prefixes: new Set(cues.placePrefixes),
    prepositions: new Set(cues.placePrepositions),
    generic: new Set(cues.generic),
    inside: new Map(inside.flatMap(([type, words]) => words.map((word) => [word, type] as const))),
    speech: new RegExp(`^(?:also |then |had |has )?(?:${cues.speech.join("|")})\\b`, "i"),
  };
});

/** The last words before a name, folded; commas and full stops at their ends left out. */
const lastWords = (text: string, count: number): string[] =>
  text
    .trimEnd()
    .split(" ")
    .slice(-count)
    .map((word) => fold(word).replaceAll(/[.,]/g, ""));
const lastWord = (text: string): string => lastWords(text, 1)[0] ?? "";

/** What a name is called right before it: "the company X", "the city of X". */
const CALLED_ORGANISATION = new Set(
  (
    "company group agency bank firm ministry party union club airline newspaper broadcaster charity brewery chain " +
    "cooperative consortium startup federation association institute university network utility studio foundation"
  ).split(" "),
);
const CALLED_PLACE = new Set(
  (
    "city town village port capital province region district island river cities towns villages islands provinces " +
    "districts municipality hamlet suburb"
  ).split(" "),
);
const ROLE_WORDS = new Set(
  (
    "president minister leader spokesman spokeswoman director analyst professor commander chairman chief " +
    "governor mayor senator lawyer engineer"
  ).split(" "),
);
const APPOSITION = 5;
/** What is gone to is a place, what somebody is president of a country, a few words on. */
const MOTION = new Set(
  "moved moves went flew travelled traveled withdrew fled came returned deployed drove sent marched sailed".split(" "),
);
const OF_STATE = new Set(
  "president minister premier chancellor king queen ambassador government army people".split(" "),
);
const REACH = 5;

/** ", the defence minister": what the next words behind a comma say, up to the next mark; what has one is none. */
function isOfficeBehind(after: string): boolean {
  if (!after.startsWith(", ") || /^, (?:its|their) /i.test(after)) return false;
  for (const word of after.slice(2).split(" ", APPOSITION)) {
    if (ROLE_WORDS.has(fold(word).replaceAll(/[.,;:]/g, ""))) return true;
    if (/[.,;:]$/.test(word)) return false;
  }
  return false;
}

/** "DOLANY, March 3 (Coastal Wire) - The": agencies begin with the place that they write from. */
const BEHIND_DATELINE = /^(?:, \p{L}+\.? \d{1,2})?(?: \([^()]{2,40}\))? ?(?:--|[-–—]) (?=\p{Lu}|["“])/u;
const isDateline = ({ text, before, after }: Placed): boolean =>
  text.length > 2 && text === text.toUpperCase() && before.trim() === "" && BEHIND_DATELINE.test(after);

const isAcronym = (text: string): boolean => /^(?:\p{Lu}\.?){2,6}s?$/u.test(text) && !/^[IVXLC]+$/.test(text);

const COMPANY = /\b(?:inc|ltd|llc|plc|gmbh|corp|co|ag|sa|nv|oyj|ab)\.?$/i;
const UNIT = /^(?:the )?\d+(?:st|nd|rd|th)\b|\b(?:\d+(?:st|nd|rd|th))\s/i;
const MODEL = /^(?:[\p{Lu}][\p{L}-]+ )?[A-Z]{1,5}[- ]?\d[\w-]*$|\b(?:Mk|Mark|Type|Model)\.? ?[IVX\d]+$/u;

/** Lands that people are called by: "Helena Marsh". */
const SURNAMES = new Set("marsh hill lake woods moor heath dale glen park".split(" "));

/** What the name says by itself. */
function signsOfName({ text, key }: Placed): Sign[] {
  const known = lists();
  const words = key.split(" ");
  const signs: Sign[] = [];
  const say = (type: EntityType, weight: number, reason: string) => signs.push({ type, weight, reason });
  if ((isCountry(key) || known.countries.has(key)) && !known.organisations.has(key)) say("country", 4, "country");
  else if (known.places.has(key)) say("place", 3, "gazetteer");
  if (known.organisations.has(key)) say("organisation", 4, "gazetteer");
  if (known.groups.has(key)) say("group", 3, "gazetteer");
  if (MODEL.test(text)) say("equipment", 2.5, "model");
  if (COMPANY.test(text) && words.length > 1) say("organisation", 3, "company form");
  // The head of an English name stands last, before an "of": "Bank of England", "Ministry of Defence".
  const named = words.length > 2 && /^\d+[a-z]?$/.test(words.at(-1)!) ? words.slice(0, -1) : words;
  const head = named.indexOf("of") > 0 ? named[named.indexOf("of") - 1]! : named.at(-1)!;
  const twofold = words.length > 2 ? known.inside.get(named.slice(-2).join(" ")) : undefined;
  const byHead = twofold ?? (words.length > 1 ? known.inside.get(head) : undefined);
  const byFirst = words.length > 1 ? known.leading.get(words[0]!) : undefined;
  const isByFirst = byFirst && (!byHead || byFirst === "equipment" || byFirst === "event");
  if (isByFirst) say(byFirst, 3, `"${words[0]}"`);
  else if (byHead) say(byHead, SURNAMES.has(head) && known.first.has(words[0]!) ? 1 : 3, `"${head}"`);
  else if (words.length > 1 && known.prefixes.has(words[0]!)) say("place", 2, `"${words[0]}"`);
  else if (words.length > 1) {
    const inner = words.map((word) => known.inside.get(word)).find((type) => type !== undefined);
    if (inner) say(inner, 1.2, "a word of it");
  }
  if (words.length > 1 && words.length < 4 && /[a-z]{3}ing$/.test(key)) say("organisation", 1.6, "its ending");
  if (/^\p{Lu}{3,6} \p{Lu}\p{Ll}/u.test(text) && !isByFirst) say("organisation", 1.4, "acronym");
  if (/\S [&+] \S/.test(text)) say("organisation", 3, "&");
  if (/(?:land|stan|ia)$/.test(key) && words.length === 1 && !known.first.has(key)) say("country", 1, "its ending");
  if (UNIT.test(text) && byHead !== "event") say("unit", 1.5, "number");
  if (words.length > 1 && words.length <= 4 && known.first.has(words[0]!)) say("person", 2.5, "first name");
  else if (words.length === 1 && known.first.has(key)) say("person", 1, "first name");
  if (/^\p{Lu}\.\s?(?:\p{Lu}\.\s?)?\p{Lu}\p{Ll}/u.test(text)) say("person", 2, "initials");
  if (isAcronym(text) && !isCountry(key)) say("organisation", 1.2, "acronym");
  return signs;
}

/** What stands around it says. */
function signsAround({ text, before, after, key }: Placed): Sign[] {
  const known = lists();
  const signs: Sign[] = [];
  const say = (type: EntityType, weight: number, reason: string) => signs.push({ type, weight, reason });
  if (isDateline({ text, before, after, key })) say("place", 3, "dateline");
  const previous = lastWord(before);
  if (known.titles.has(previous) || known.callings.has(previous)) say("person", 3, `"${previous}"`);
  else signsOfKind({ before, after }, previous, say);
  if (/^,? (?:who|whose)\b/.test(after)) say("person", 1.5, "who");
  // No day: "Lakesby, 25 November".
  if (/^, (?:aged )?\d{2}(?:,|\.|\s(?!\p{Lu})|$)/u.test(after)) say("person", 2, "age");
  if (lists().speech.test(after.trimStart()) && !isAcronym(text)) say("person", 1, "speaks");
  if (isOfficeBehind(after)) say("person", 1.5, "role behind it");
  if (known.prepositions.has(previous)) say("place", previous === "in" ? 1.4 : 0.8, `"${previous}"`);
  const near = lastWords(before, REACH);
  if (near.at(-1) === "to" && near.some((word) => MOTION.has(word))) say("place", 1, '"to"');
  if (near.at(-1) === "of" && near.some((word) => OF_STATE.has(word))) say("country", 1, '"of"');
  if (/^, (?:the )?\p{Lu}/u.test(after) && known.prepositions.has(previous)) say("place", 0.6, "place behind it");
  if (previous === "the" && !key.includes(" ")) say("organisation", 0.5, '"the"');
  // "The Mira Star": ships are called by first names, and people are not with an article.
  if (previous === "the" && key.includes(" ") && known.first.has(key.split(" ", 1)[0]!))
    say("equipment", 1.5, '"the" before a first name');
  const [first, second] = lastWords(before, 2);
  // "the company X", and with one word more: "the chemical company X".
  if (CALLED_ORGANISATION.has(previous) && lastWords(before, 3).includes("the")) say("organisation", 2, "named so");
  if (CALLED_PLACE.has((second === "of" ? first : second) ?? "")) say("place", 2, "named so");
  signsOfBelongings(after, say);
  return signs;
}

const PARTICLES = new Set(["van", "von", "de", "der", "bin", "al", "el"]);
const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word) && !/\d/.test(word);

/** Two to four capitalised words that nothing else explains are a person's name more often than not. */
function fallbackOf({ text, before }: Placed): Sign[] {
  const parts = text.split(" ");
  // "the Red Cross": no person.
  if (parts.length > 1 && lastWord(before) === "the") return [{ type: "organisation", weight: 0.8, reason: "form" }];
  const isName =
    parts.length >= 2 && parts.length <= 4 && parts.every((word) => isCapital(word) || PARTICLES.has(word));
  return isName && parts.some((word) => /^\p{Lu}\p{Ll}/u.test(word))
    ? [{ type: "person", weight: 0.8, reason: "form" }]
    : [];
}

/** All that speaks for a type of a name there. */
export function signsOf(placed: Placed): Sign[] {
  const own = signsOfName(placed);
  const around = signsAround(placed);
  return own.length ? [...own, ...around] : [...fallbackOf(placed), ...around];
}

export interface Typed {
  type: EntityType;
  confidence: number;
  reason: string;
}

/** What it is, after all that speaks for it; `other` where next to nothing does. */
export function typeBy(signs: readonly Sign[]): Typed {
  const weights = new Map<EntityType, number>();
  // What a name says it says once, however often it stands there.
  const once = new Map<string, { sign: Sign; times: number }>();
  for (const sign of signs) {
    const key = `${sign.type} ${sign.reason}`;
    const known = once.get(key);
    if (known) known.times += 1;
    else once.set(key, { sign, times: 1 });
  }
  for (const { sign, times } of once.values())
    weights.set(sign.type, (weights.get(sign.type) ?? 0) + sign.weight * (1 + Math.log2(Math.min(times, 8)) / 3));
  const [first, second] = [...weights].sort(([one, left], [other, right]) => right - left || (one < other ? -1 : 1));
  if (!first || first[1] < 0.6) return { type: "other", confidence: 0.3, reason: "nothing tells" };
  const [type, weight] = first;
  const share = weight / (weight + (second?.[1] ?? 0) + 0.5);
  const heaviest = [...once.values()]
    .filter(({ sign }) => sign.type === type)
    .sort((one, other) => other.sign.weight - one.sign.weight || (one.sign.reason < other.sign.reason ? -1 : 1))[0]!;
  return { type, confidence: Math.round(Math.min(0.97, share) * 100) / 100, reason: heaviest.sign.reason };
}

export const isGeneric = (key: string): boolean =>
  key.split(" ").every((word) => lists().generic.has(word) || /^\d+$/.test(word));
export const isTitle = (word: string): boolean => lists().titles.has(word);
/** "banker", "soprano": what may stand before somebody's name, though never as part of it. */
export const isCalling = (word: string): boolean => lists().titles.has(word) || lists().callings.has(word);
/** Whether a name's first word says what it is: "Operation", "Storm". */
export const isLeading = (word: string): boolean => lists().leading.has(word);
/** Names that are known whatever stands around them. */
export const knownNames = (): Iterable<string> => [
  ...lists().organisations,
  ...lists().places,
  ...lists().groups,
  ...lists().countries,
];
/** Whether a name is known, or is somebody's first name. */
export const isKnownName = (key: string): boolean => {
  const known = lists();
  return (
    known.organisations.has(key) ||
    known.places.has(key) ||
    known.groups.has(key) ||
    known.first.has(key.split(" ", 1)[0]!) ||
    isCountry(key)
  );
};
/** Whether somebody is called so. */
export const isFirstName = (word: string): boolean => lists().first.has(word);
/** Whether a word inside a name says what it is: "Bank" of England, 4th "Brigade". */
export const headType = (word: string): EntityType | undefined => lists().inside.get(word);
/** "Ivan Petrov of Northland": a person, and what they are of; where the second begins. */
export function personOf(text: string, before: string): { length: number; rest: number } | undefined {
  const at = text.indexOf(" of ");
  if (at < 0) return undefined;
  const rest = at + (text.startsWith(" of the ", at) ? 8 : 4);
  const parts = fold(text.slice(0, at)).split(" ");
  const own = text.slice(rest).split(" ").at(-1)!;
  // "Ian Carrow of the Aviation Police", never "the Sons of the Delta".
  const isOfBody = headType(fold(own)) !== undefined && parts.length === 2 && lastWord(before) !== "the";
  const isPerson = lists().first.has(parts[0]!) || lists().titles.has(lastWord(before)) || isOfBody;
  if (!isPerson || parts.length < 2 || parts.some((part) => headType(part))) return undefined;
  return { length: at, rest };
}
