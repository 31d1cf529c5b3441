interface MarkedClaim {
  id: number;
  text: string;
  /** Offsets in the whole text. */
  start: number;
  end: number;
}
interface TextPiece<C> {
  text: string;
  claim?: C;
}

/** What separates paragraphs, as the API writes them. */
const BETWEEN = "\n\n";

/** The text in paragraphs, each in pieces: those that are claims, and those between. Claims that stand elsewhere are left out. */
export function paragraphs<C extends MarkedClaim>(text: string, claims: readonly C[]): TextPiece<C>[][] {
  const standing = claims
    .filter(({ start, end, text: words }) => text.slice(start, end) === words)
    .toSorted((one, other) => one.start - other.start);
  let offset = 0;
  return text.split(BETWEEN).flatMap((paragraph) => {
    const [from, to] = [offset, offset + paragraph.length];
    offset = to + BETWEEN.length;
    if (!paragraph.trim()) return [];
    const here = standing.filter(({ start, end }) => start >= from && end <= to);
    return [piecesOf(paragraph, from, here)];
  });
}

function piecesOf<C extends MarkedClaim>(paragraph: string, offset: number, claims: readonly C[]): TextPiece<C>[] {
  const pieces: TextPiece<C>[] = [];
  let at = 0;
  for (const claim of claims) {
    const [start, end] = [claim.start - offset, claim.end - offset];
    // Of two that overlap the first is marked.
    if (start < at) continue;
    if (start > at) pieces.push({ text: paragraph.slice(at, start) });
    pieces.push({ text: paragraph.slice(start, end), claim });
    at = end;
  }
  if (at < paragraph.length) pieces.push({ text: paragraph.slice(at) });
  return pieces;
}
