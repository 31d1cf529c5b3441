/** Where to cut a text that goes on behind `end`, so that no character is cut in two. */
export const wholeEnd = (text: string, end: number): number =>
  end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;

/** At most so many UTF-16 units of a text, to a whole character; Unicode, whatever the text was. */
export const upTo = (most: number, text: string): string => text.slice(0, wholeEnd(text, most)).toWellFormed();

/** A text, or its beginning and an ellipsis: at most so many UTF-16 units in all. */
export const shortened = (most: number, text: string): string =>
  text.length > most ? `${upTo(most - 1, text)}…` : text;
