import MarkdownIt from "markdown-it";

// The lines of a briefing, from the tokens of its Markdown.

const reader = new MarkdownIt({ html: false });
export type Token = ReturnType<typeof reader.parse>[number];

export const tokensOf = (content: string): Token[] => reader.parse(content, {});

/** A run of words, or the article that the words before it are taken from. */
export type ToldPiece = { text: string; as?: "strong" | "em" } | { cites: number };
export interface Trust {
  level: "high" | "medium" | "low";
  /** 0..1 */
  share: number;
}
export interface ToldLine {
  pieces: ToldPiece[];
  /** The sources contradict each other here. */
  isDisagreement: boolean;
  trust?: Trust;
  below: ToldLine[];
}
const TRUST = /\((?:in ([\p{L} ]+); )?(high|medium|low) confidence, ([\d.]+)\)$/u;
const DISAGREES = /^(?:Figures differ|Sources differ|Sources contradict|Claim contradicted|Claim in dispute)/;

export const trustOf = (level: string, share: string): Trust => ({
  level: level.toLowerCase() as Trust["level"],
  share: Number(share),
});

/** An article whose address is no web address is cited without a link. */
function withCitations(text: string, as: "strong" | "em" | undefined): ToldPiece[] {
  return text.split(/(\[#\d+\])/).flatMap((part): ToldPiece[] => {
    const cited = /^\[#(\d+)\]$/.exec(part);
    if (cited) return [{ cites: Number(cited[1]) }];
    return part ? [{ text: part, ...(as && { as }) }] : [];
  });
}

export function piecesOf(inline: Token): ToldPiece[] {
  const pieces: ToldPiece[] = [];
  let as: "strong" | "em" | undefined;
  for (const { type, content } of inline.children ?? []) {
    if (type === "strong_open" || type === "em_open") as = type === "em_open" ? "em" : "strong";
    else if (type === "strong_close" || type === "em_close") as = undefined;
    else if (type === "softbreak") pieces.push({ text: " " });
    else if (/^#\d+$/.test(content)) pieces.push({ cites: Number(content.slice(1)) });
    else if (content) pieces.push(...withCitations(content, as));
  }
  return pieces;
}

/** The words of a line without its citations. */
export const wordsIn = (pieces: readonly ToldPiece[]): string =>
  pieces
    .map((piece) => ("text" in piece ? piece.text : ""))
    .join("")
    .replace(/\s+/g, " ")
    .trim();

export function lineOf(inline: Token): ToldLine {
  const pieces = piecesOf(inline);
  const isDisagreement = pieces.some((piece) => "text" in piece && Boolean(piece.as) && DISAGREES.test(piece.text));
  const last = pieces.at(-1);
  const found = last && "text" in last ? TRUST.exec(last.text) : null;
  if (!found) return { pieces, isDisagreement, below: [] };
  const [ending, language, level, share] = found;
  const rest =
    (last as { text: string }).text.slice(0, -ending.length).trimEnd() + (language ? ` (in ${language})` : "");
  return {
    pieces: [...pieces.slice(0, -1), ...(rest.trim() ? [{ text: rest }] : [])],
    isDisagreement,
    trust: trustOf(level!, share!),
    below: [],
  };
}

/** The items of a list, with those below them. */
export function linesOf(tokens: readonly Token[]): ToldLine[] {
  const top: ToldLine[] = [];
  let depth = 0;
  for (const token of tokens) {
    if (token.type === "bullet_list_open") depth += 1;
    else if (token.type === "bullet_list_close") depth -= 1;
    else if (token.type === "inline") (depth > 1 ? (top.at(-1)?.below ?? top) : top).push(lineOf(token));
  }
  return top;
}

/** Where a line's first link leads. */
export const hrefOf = (inline: Token): string | undefined =>
  inline.children
    ?.find((one) => one.type === "link_open")
    ?.attrGet("href")
    ?.toString();
