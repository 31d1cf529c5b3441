import { lazily, lexicon } from "../lexicon.ts";

interface Named {
  words: readonly string[];
  /** The first of its list, which all others are read as. */
  as: readonly string[];
}

/** By their first word, the longer ones first: "united nations children s fund" is not "united nations". */
const known = lazily(() => {
  const all = [...lexicon.knownNames.bodies, ...lexicon.knownNames.places].flatMap(([first, ...others]) =>
    others.map((name): Named => ({ words: name.split(" "), as: first!.split(" ") })),
  );
  const byFirst = Map.groupBy(all, ({ words: [word] }) => word!);
  for (const list of byFirst.values()) list.sort((one, other) => other.words.length - one.words.length);
  return byFirst;
});

/**
 * Folded words with those names of places and bodies that have several read as one of them (`data/lexicons/known-names.json`):
 * "aix la chapelle" is "aachen", "doctors without borders" is "msf".
 */
export function asKnown(words: readonly string[]): string[] {
  const read: string[] = [];
  for (let at = 0; at < words.length;) {
    const found = known()
      .get(words[at]!)
      ?.find((name) => name.words.every((word, after) => words[at + after] === word));
    read.push(...(found?.as ?? [words[at]!]));
    at += found?.words.length ?? 1;
  }
  return read;
}
