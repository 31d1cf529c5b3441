import { lazily, lexicon } from "../lexicon.ts";
import { tokenOf, WEIGHTS, wordsOf, type NamePart } from "./parts.ts";

const lists = lazily(() => ({
  titles: new Set(lexicon.nameParts.titles),
  particles: new Set(lexicon.nameParts.particles),
}));

/** Behind a name: which of two of one name is meant. */
const GENERATIONS = new Map([
  ["jr", "younger"],
  ["junior", "younger"],
  ["ml", "younger"],
  ["sr", "elder"],
  ["senior", "elder"],
]);
/** By which a man and a woman of one name are told apart. */
const ADDRESSES = new Map([
  ...["mr", "monsieur", "herr", "senor", "signor", "pan"].map((word) => [word, "man"] as const),
  ...["mrs", "ms", "miss", "madame", "mme", "frau", "senora", "signora", "pani"].map(
    (word) => [word, "woman"] as const,
  ),
]);
/** A rank, body or role beside a name. */
const ASIDE = /\([^()]*\)|\[[^\][]*\]/g;
/** What stands behind a comma is a role in small letters, or a title alone. */
function isRole(part: string): boolean {
  const said = part.trim();
  return /^\p{Ll}/u.test(said) || wordsOf(said).every((word) => lists().titles.has(word));
}

const SUFFIXES = new Set([...GENERATIONS.keys(), "esq", "phd", "md", "mp", "kc", "qc", "mep"]);
/** Without titles, the family name heaviest; `generation` where the name ends with it ("Jr."). */
export function personTokens(raw: string): { tokens: NamePart[]; generation?: string; address?: string } {
  const { titles, particles } = lists();
  const [family, ...given] = raw
    .replace(ASIDE, " ")
    .split(",")
    .filter((part, at) => at === 0 || !isRole(part));
  // "PUTIN, Vladimir": the family name comes first.
  const words =
    given.length === 1 ? [...wordsOf(given[0]!), ...wordsOf(family!)] : wordsOf([family, ...given].join(" "));
  const address = ADDRESSES.get(words[0]!);
  let from = 0;
  // "Mayor of Saint-Aubin" is no name behind a title.
  while (from < words.length - 1 && titles.has(words[from]!) && words[from + 1] !== "of") from += 1;
  let to = words.length;
  while (to > from + 1 && SUFFIXES.has(words[to - 1]!)) to -= 1;
  const generation = words.slice(to).flatMap((word) => GENERATIONS.get(word) ?? [])[0];
  const inside = words.slice(from, to);
  const last = inside.findLastIndex((word) => word.length > 1 && !particles.has(word));
  const tokens = inside.map((word, at) => {
    if (particles.has(word) && inside.length > 1) return tokenOf(word, WEIGHTS.particle);
    if (word.length === 1) return tokenOf(word, WEIGHTS.initial);
    return tokenOf(word, at === last && inside.length > 1 ? WEIGHTS.family : WEIGHTS.part);
  });
  return { tokens, ...(generation && { generation }), ...(address && { address }) };
}
