/** The text without the run of one character at its end. Linear, where a pattern like `/x+$/` reads a run in the middle once for each of its places. */
export function withoutTrailing(text: string, mark: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === mark) end -= 1;
  return text.slice(0, end);
}
