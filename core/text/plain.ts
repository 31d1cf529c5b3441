// Controls, zero-width spaces, bidirectional overrides: they make a text look different from what it is. Joiners stay:
// scripts need them.
const INVISIBLE = /[\p{Cc}\p{Cs}\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** A text as one line that is safe to show: without invisible characters, every run of white space as one space. */
export const plain = (text: string): string =>
  text
    .replace(/[\t\n\r\v\f\u2028\u2029]/g, " ")
    .replace(INVISIBLE, "")
    .replace(/\s+/g, " ")
    .trim();

/**
 * The text without a trailing run of one character. Linear: `/x+$/` would scan a run in the middle once for each of its
 * characters.
 */
export function withoutTrailing(text: string, mark: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === mark) end -= 1;
  return text.slice(0, end);
}

/** A text of at most `most` characters unchanged; a longer one cut between words, with an ellipsis. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most),
    blank = cut.lastIndexOf(" ");
  // Without a blank to cut at, no half of a surrogate pair may remain.
  return `${blank > 0 ? cut.slice(0, blank) : cut.replace(/[\uD800-\uDBFF]$/, "")} …`;
}
