const LONGEST_TEXT = 200;
/** Words of a feature that are read, and words that one mark is written in. */
const MOST_WORDS = 60;
const MOST_PARTS = 3;

/** Of one thing alone: figures with letters, or very many of them. A year, a house or a route number is not. */
const isTelling = (mark: string): boolean =>
  mark.length <= 30 &&
  (/^\d+$/.test(mark) ? mark.length >= 7 : mark.length >= 5 && (mark.match(/\d/g)?.length ?? 0) >= 3);

const wordsOf = (text: string): string[] =>
  text
    .slice(0, LONGEST_TEXT)
    .normalize("NFKC")
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Registration and serial numbers without what is written between their parts: "3h2-1177" is "3H2 1177". */
export const marksOf = (texts: readonly (string | undefined)[]): string[] => [
  ...new Set(texts.map((text) => wordsOf(text ?? "").join("")).filter(isTelling)),
];

/** All that may be such a number in what somebody wrote of a thing. */
export function marksIn(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    const words = wordsOf(text).slice(0, MOST_WORDS);
    for (let at = 0; at < words.length; at++)
      for (let parts = 1; parts <= MOST_PARTS && at + parts <= words.length; parts++) {
        const mark = words.slice(at, at + parts).join("");
        if (isTelling(mark)) found.add(mark);
      }
  }
  return [...found];
}
