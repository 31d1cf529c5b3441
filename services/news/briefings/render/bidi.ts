/**
 * Lines of mixed direction for a writer that places words from left to right. Two levels of the bidirectional algorithm
 * (UAX #9) at the grain of words: within a left-to-right line every run of right-to-left words is put in visual order;
 * the letters of a word are the font's business. Brackets and numbers between right-to-left words go with them; deeper
 * nesting does not occur in headlines.
 */
const RTL = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LTR = /\p{L}/u;

export const isRightToLeft = (text: string): boolean => RTL.test(text);

/** The words of one line in the order in which they are drawn from the left. */
export function visualOrder<T extends { text: string }>(words: readonly T[]): T[] {
  const ordered: T[] = [];
  let run: T[] = [];
  let neutral: T[] = [];
  const flush = () => {
    ordered.push(...run.reverse(), ...neutral);
    run = [];
    neutral = [];
  };
  for (const word of words) {
    if (RTL.test(word.text)) {
      run.push(...neutral, word);
      neutral = [];
    } else if (LTR.test(word.text) || run.length === 0) {
      flush();
      ordered.push(word);
    } else neutral.push(word);
  }
  flush();
  return ordered;
}

/** Breaks words into lines no wider than `width`, in logical order; a word that is wider stands alone. */
export function brokenLines<T>(words: readonly T[], widthOf: (word: T) => number, space: number, width: number): T[][] {
  const lines: T[][] = [[]];
  let used = 0;
  for (const word of words) {
    const wide = widthOf(word);
    if (used > 0 && used + space + wide > width) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)!.push(word);
    used += (used > 0 ? space : 0) + wide;
  }
  return lines;
}
