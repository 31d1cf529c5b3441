/**
 * A quotation's place in a document: W3C Web Annotation's TextPositionSelector and TextQuoteSelector in one
 * (https://www.w3.org/TR/annotation-model/#text-quote-selector). Offsets count UTF-16 units, `end` is exclusive, and
 * `text.slice(start, end) === quote` of the version that it names.
 */
export interface Citation {
  documentId: string;
  version: number;
  /** The page on which the quote begins. */
  page: number;
  start: number;
  end: number;
  quote: string;
  /** The text before and after it, by which it is found again in another version. */
  prefix: string;
  suffix: string;
}

interface PageOfText {
  page: number;
  start: number;
  end: number;
}

const CONTEXT = 32;

/** The page of an offset: the last page that begins at or before it. */
export function pageAt(pages: readonly PageOfText[], offset: number): number {
  let [low, high] = [0, pages.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pages[middle]!.start <= offset) low = middle;
    else high = middle - 1;
  }
  return pages[low]?.page ?? 1;
}

/** Cites a part of a text. Throws RangeError for a part that is empty, out of range, or cuts a character in two. */
export function cite(
  of: { documentId: string; version: number; text: string; pages: readonly PageOfText[] },
  { start, end }: { start: number; end: number },
): Citation {
  const { documentId, version, text, pages } = of;
  if (!(start >= 0 && start < end && end <= text.length))
    throw new RangeError(`There is nothing from ${start} to ${end} in a text of ${text.length}.`);
  const quote = text.slice(start, end);
  if (!quote.isWellFormed()) throw new RangeError(`From ${start} to ${end} a character is cut in two.`);
  return {
    documentId,
    version,
    page: pageAt(pages, start),
    start,
    end,
    quote,
    prefix: wellFormed(text.slice(Math.max(0, start - CONTEXT), start), "start"),
    suffix: wellFormed(text.slice(end, end + CONTEXT), "end"),
  };
}

/** Drops half a surrogate pair at the side of a cut. */
function wellFormed(text: string, side: "start" | "end"): string {
  if (text.isWellFormed()) return text;
  return side === "start" ? text.slice(1) : text.slice(0, -1);
}

/** Whether a citation holds in a text: its words stand at its place. */
export const quoteHolds = ({ start, end, quote }: Citation, text: string): boolean => text.slice(start, end) === quote;

/** How many UTF-16 units two texts have in common, counted from one end. */
function common(one: string, other: string, isFromEnd: boolean): number {
  const most = Math.min(one.length, other.length);
  for (let at = 0; at < most; at++) {
    const [left, right] = isFromEnd ? [one.at(-1 - at), other.at(-1 - at)] : [one[at], other[at]];
    if (left !== right) return at;
  }
  return most;
}

/** The most places of a quote that are compared; a more frequent quote cannot be identified. */
const MOST_PLACES = 1_000;

/**
 * The citation in the text of another version: at the only place of its words, or the one with most of its context.
 * Null where the words are gone, or two places match equally: a citation never moves silently.
 */
export function anchorAnew(
  citation: Citation,
  of: { version: number; text: string; pages: readonly PageOfText[] },
): Citation | null {
  const { quote, prefix, suffix, documentId } = citation;
  const { text } = of;
  const places: { start: number; fit: number }[] = [];
  for (let start = text.indexOf(quote); start >= 0; start = text.indexOf(quote, start + 1)) {
    const before = text.slice(Math.max(0, start - CONTEXT), start);
    const after = text.slice(start + quote.length, start + quote.length + CONTEXT);
    places.push({ start, fit: common(prefix, before, true) + common(suffix, after, false) });
    if (places.length > MOST_PLACES) return null;
  }
  places.sort((one, other) => other.fit - one.fit);
  const [best, next] = places;
  if (!best || (next && next.fit === best.fit)) return null;
  return cite({ ...of, documentId }, { start: best.start, end: best.start + quote.length });
}
