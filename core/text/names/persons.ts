import data from "../../../data/names/parts.json" with { type: "json" };
import { lazily } from "../lexicon.ts";
import { tokenOf, WEIGHTS, wordsOf, type NamePart } from "./parts.ts";

const lists = lazily(() => ({ titles: new Set(data.titles), particles: new Set(data.particles) }));

/** Behind a name: which of two of one name is meant. */
const GENERATIONS = new Map([
  ["jr", "younger"],
  ["junior", "younger"],
  ["ml", "younger"],
  ["sr", "elder"],
  ["senior", "elder"],
]);
const SUFFIXES = new Set([...GENERATIONS.keys(), "esq", "phd", "md", "mp", "kc", "qc", "mep"]);
/** Without titles, the family name heaviest; `generation` where the name ends with it ("Jr."). */
export function personTokens(raw: string): { tokens: NamePart[]; generation?: string } {
  const { titles, particles } = lists();
  const [family, ...given] = raw.split(",");
  // "PUTIN, Vladimir": the family name comes first.
  const words = given.length === 1 ? [...wordsOf(given[0]!), ...wordsOf(family!)] : wordsOf(raw);
  let from = 0;
  while (from < words.length - 1 && titles.has(words[from]!)) from += 1;
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
  return { tokens, ...(generation && { generation }) };
}
