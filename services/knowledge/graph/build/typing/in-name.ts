import { isCountry } from "../../../../../core/text/statements/names.ts";
import type { EntityType } from "../../statements/vocabulary.ts";
import { lists } from "./cues.ts";
import { isAcronym, type Placed, type Say, type Sign } from "./signs.ts";

const COMPANY = /\b(?:inc|ltd|llc|plc|gmbh|corp|co|ag|sa|nv|oyj|ab)\.?$/i;
const UNIT = /^(?:the )?\d+(?:st|nd|rd|th)\b|\b(?:\d+(?:st|nd|rd|th))\s/i;
const MODEL = /^(?:[\p{Lu}][\p{L}-]+ )?[A-Z]{1,5}[- ]?\d[\w-]*$|\b(?:Mk|Mark|Type|Model)\.? ?[IVX\d]+$/u;

/** Lands that people are called by: "Helena Marsh". */
const SURNAMES = new Set("marsh hill lake woods moor heath dale glen park".split(" "));

/** What the name says by itself. */
export function signsOfName(placed: Placed): Sign[] {
  const signs: Sign[] = [];
  const say: Say = (type, weight, reason) => signs.push({ type, weight, reason });
  signsOfLists(placed, say);
  const told = signsOfWords(placed, say);
  signsOfForm(placed, told, say);
  signsOfPersons(placed, say);
  if (isAcronym(placed.text) && !isCountry(placed.key)) say("organisation", 1.2, "acronym");
  return signs;
}

/** Names that lists have. */
function signsOfLists({ key }: Placed, say: Say): void {
  const { countries, organisations, places, groups } = lists();
  if ((isCountry(key) || countries.has(key)) && !organisations.has(key)) say("country", 4, "country");
  else if (places.has(key)) say("place", 3, "gazetteer");
  if (organisations.has(key)) say("organisation", 4, "gazetteer");
  if (groups.has(key)) say("group", 3, "gazetteer");
}

/** Of a name of several words, what its head is, and whether its first word says more. */
interface Worded {
  head?: EntityType | undefined;
  isByFirst: boolean;
}

/** What a name of several words is by one of them: its first, its head, or another. */
function signsOfWords({ key }: Placed, say: Say): Worded {
  const words = key.split(" ");
  if (words.length < 2) return { isByFirst: false };
  const { inside, leading, prefixes, first: firstNames } = lists();
  const first = words[0]!;
  const unnumbered = words.length > 2 && /^\d+[a-z]?$/.test(words.at(-1)!) ? words.slice(0, -1) : words;
  // The head of an English name stands last, before an "of": "Bank of England", "Ministry of Defence".
  const of = unnumbered.indexOf("of");
  const last = of > 0 ? unnumbered[of - 1]! : unnumbered.at(-1)!;
  const head = (words.length > 2 ? inside.get(unnumbered.slice(-2).join(" ")) : undefined) ?? inside.get(last);
  const byFirst = leading.get(first);
  const isByFirst = byFirst !== undefined && (!head || byFirst === "equipment" || byFirst === "event");
  if (isByFirst) say(byFirst, 3, `"${first}"`);
  else if (head) say(head, SURNAMES.has(last) && firstNames.has(first) ? 1 : 3, `"${last}"`);
  else if (prefixes.has(first)) say("place", 2, `"${first}"`);
  else {
    const inner = words.map((word) => inside.get(word)).find((type) => type !== undefined);
    if (inner) say(inner, 1.2, "a word of it");
  }
  return { head, isByFirst };
}

const COUNTRY_ENDING = /(?:land|stan|ia)$/;
const FIRM_ENDING = /[a-z]{3}ing$/;

/** How a name is written. */
function signsOfForm({ text, key }: Placed, { head, isByFirst }: Worded, say: Say): void {
  const words = key.split(" ");
  if (MODEL.test(text)) say("equipment", 2.5, "model");
  if (COMPANY.test(text) && words.length > 1) say("organisation", 3, "company form");
  if (words.length > 1 && words.length < 4 && FIRM_ENDING.test(key)) say("organisation", 1.6, "its ending");
  if (/^\p{Lu}{3,6} \p{Lu}\p{Ll}/u.test(text) && !isByFirst) say("organisation", 1.4, "acronym");
  if (/\S [&+] \S/.test(text)) say("organisation", 3, "&");
  if (COUNTRY_ENDING.test(key) && words.length === 1 && !lists().first.has(key)) say("country", 1, "its ending");
  if (UNIT.test(text) && head !== "event") say("unit", 1.5, "number");
}

/** First names and initials. */
function signsOfPersons({ text, key }: Placed, say: Say): void {
  const words = key.split(" ");
  if (words.length <= 4 && lists().first.has(words[0]!)) say("person", words.length > 1 ? 2.5 : 1, "first name");
  if (/^\p{Lu}\.\s?(?:\p{Lu}\.\s?)?\p{Lu}\p{Ll}/u.test(text)) say("person", 2, "initials");
}
