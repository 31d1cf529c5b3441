import cues from "../../../../../data/graph/cues.json" with { type: "json" };
import { lazily } from "../../../../../core/text/lexicon.ts";
import { isCountry } from "../../../../../core/text/statements/names.ts";
import { fold } from "../../../../../core/text/words/words.ts";
import type { EntityType } from "../../statements/vocabulary.ts";

/** Cities as the list of time zones has them: "Europe/Paris". */
const zoneCities = (): string[] =>
  Intl.supportedValuesOf("timeZone").flatMap((zone) => {
    const parts = zone.split("/");
    return parts.length > 1 && !zone.startsWith("Etc/") ? [fold(parts.at(-1)!.replaceAll("_", " "))] : [];
  });

/** Words and names that tell what something is. */
export const lists = lazily(() => {
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
