import { fold } from "../../../../../core/text/words/words.ts";
import { lists } from "./cues.ts";
import { isAcronym, lastWord, lastWords, type Placed, type Say, type Sign } from "./signs.ts";
import { signsOfBelongings, signsOfKind } from "./surroundings.ts";

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

/** What stands around it says. */
export function signsAround({ text, before, after, key }: Placed): Sign[] {
  const known = lists();
  const signs: Sign[] = [];
  const say: Say = (type, weight, reason) => signs.push({ type, weight, reason });
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
