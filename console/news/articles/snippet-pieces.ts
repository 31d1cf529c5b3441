interface SnippetPiece {
  text: string;
  isMatch: boolean;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", apos: "'" };
const plain = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#39|apos);/g, (_all, name: string) => ENTITIES[name]!);

/**
 * A snippet of the search taken apart: text, and matches. The answer escapes everything but its marks; here all of it
 * becomes text again, so that nothing of an article can act as HTML.
 */
export function snippetPieces(snippet: string): SnippetPiece[] {
  const pieces: SnippetPiece[] = [];
  for (const [at, part] of snippet.split(/<mark>/).entries()) {
    const [match, after] = at === 0 ? ["", part] : splitOnce(part);
    if (match) pieces.push({ text: plain(match), isMatch: true });
    if (after) pieces.push({ text: plain(after), isMatch: false });
  }
  return pieces;
}

const END = "</mark>";
function splitOnce(part: string): [string, string] {
  const end = part.indexOf(END);
  return end < 0 ? [part, ""] : [part.slice(0, end), part.slice(end + END.length)];
}
