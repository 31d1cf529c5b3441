import {
  hrefOf,
  lineOf,
  linesOf,
  piecesOf,
  tokensOf,
  trustOf,
  wordsIn,
  type Token,
  type ToldLine,
  type Trust,
} from "./lines.ts";

// A briefing's Markdown has one form, which the platform writes (services/news/briefings/writing). It is read here into
// its parts, so that a page can show each citation as a link and each confidence as what it is.

export interface ToldStory {
  /** Its address within the page. */
  place: string;
  title: string;
  /** Since the briefing before: new, developing, unchanged. */
  change?: string;
  trust?: Trust;
  /** Sources that speak for themselves. */
  independent?: number;
  /** What else is said of how it stands. */
  notes: string;
  lines: ToldLine[];
}
export interface ToldPart {
  place: string;
  title: string;
  stories: ToldStory[];
  /** Lines under the part itself. */
  lines: ToldLine[];
  /** What was listed only. */
  also: ToldLine[];
}
export interface CitedArticle {
  id: number;
  title: string;
  outlet: string;
  /** The outlet, its reliability, the time, and whether it is verified. */
  facts: string;
  /** Where its publisher has it. */
  url?: string;
}
export interface ToldBriefing {
  /** What was read, and how it was written. */
  notes: string[];
  brief?: ToldPart;
  changes?: ToldPart;
  domains: ToldPart[];
  cited: ReadonlyMap<number, CitedArticle>;
}

const keyOf = (words: string): string =>
  (words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["part"]).join("-").slice(0, 80);

const STANDING =
  /^(?:(New|Developing|Unchanged) · )?(Told in [^·]+ · )?(High|Medium|Low) confidence \(([\d.]+)\), (\d+) independent sources?/;
function stand(story: ToldStory, words: string): void {
  const found = STANDING.exec(words);
  if (!found) return void (story.notes = words);
  const [standing, change, language = "", level, share, independent] = found;
  Object.assign(story, { trust: trustOf(level!, share!), independent: Number(independent) });
  if (change) story.change = change;
  story.notes = [language.replace(" · ", ""), words.slice(standing.length).replace(/^[\s,;]+/, "")]
    .filter(Boolean)
    .join("; ");
}

function citedOf({ pieces }: ToldLine, url: string | undefined): CitedArticle | undefined {
  const cited = pieces.find((piece) => "cites" in piece);
  const em = pieces.findLast((piece) => "text" in piece && piece.as === "em") as { text: string } | undefined;
  if (!cited || !em) return undefined;
  const title = wordsIn(pieces.filter((piece) => piece !== em));
  const outlet = em.text.replace(/(?:, reliability [A-E])?, \d{1,2} \p{L}{3}, \d\d:\d\d UTC(?:, verified)?$/u, "");
  return { id: (cited as { cites: number }).cites, title, outlet, facts: em.text, ...(url && { url }) };
}

/** Where the tokens of one list end. */
function endOfList(tokens: readonly Token[], from: number): number {
  const { level } = tokens[from]!;
  return tokens.findIndex((one, at) => at > from && one.type === "bullet_list_close" && one.level === level);
}

/** Collects what stands under each heading. */
class Reading {
  readonly notes: string[] = [];
  readonly parts: ToldPart[] = [];
  readonly cited = new Map<number, CitedArticle>();
  #keys = new Set<string>();
  #isAlso = false;
  #isCited = false;

  heading(level: string, title: string): void {
    this.#isAlso = false;
    if (level === "h2") {
      this.#isCited = title === "Articles cited";
      if (!this.#isCited) this.parts.push({ place: this.#own(title), title, stories: [], lines: [], also: [] });
    } else if (level === "h3") {
      this.parts.at(-1)?.stories.push({ place: this.#own(title), title, notes: "", lines: [] });
    }
  }

  paragraph(inline: Token): void {
    const part = this.parts.at(-1);
    const pieces = piecesOf(inline);
    const words = wordsIn(pieces);
    if (!part) return void this.notes.push(words);
    if (words === "Also reported") return void (this.#isAlso = true);
    const story = part.stories.at(-1);
    if (story && !this.#isAlso && !story.lines.length) stand(story, words);
    else part.lines.push(lineOf(inline));
  }

  list(tokens: readonly Token[]): void {
    const lines = linesOf(tokens);
    if (this.#isCited) return this.#cites(tokens, lines);
    const part = this.parts.at(-1);
    const story = part?.stories.at(-1);
    if (this.#isAlso) part?.also.push(...lines);
    else (story ?? part)?.lines.push(...lines);
  }

  #cites(tokens: readonly Token[], lines: readonly ToldLine[]): void {
    const urls = tokens.filter(({ type }) => type === "inline").map(hrefOf);
    for (const [at, line] of lines.entries()) {
      const article = citedOf(line, urls[at]);
      if (article) this.cited.set(article.id, article);
    }
  }

  /** Two headings may have the same words. */
  #own(title: string): string {
    const key = keyOf(title);
    let own = key;
    for (let count = 2; this.#keys.has(own); count++) own = `${key}-${count}`;
    this.#keys.add(own);
    return own;
  }
}

/** The parts of a briefing, from its Markdown. */
export function readBriefing(content: string): ToldBriefing {
  const tokens = tokensOf(content);
  const reading = new Reading();
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.type === "heading_open") reading.heading(token.tag, wordsIn(piecesOf(tokens[at + 1]!)));
    else if (token.type === "paragraph_open") reading.paragraph(tokens[at + 1]!);
    else if (token.type === "bullet_list_open") {
      const end = endOfList(tokens, at);
      reading.list(tokens.slice(at, end + 1));
      at = end;
    }
  }
  const { notes, parts, cited } = reading;
  const brief = parts.find(({ title }) => title === "In brief");
  const changes = parts.find(({ title }) => title.startsWith("What changed since"));
  return {
    notes,
    cited,
    domains: parts.filter((part) => part !== brief && part !== changes),
    ...(brief && { brief }),
    ...(changes && { changes }),
  };
}

export interface Headline {
  /** The story's place in the page; what is listed only has that of its part. */
  place: string;
  part: string;
  title: string;
  trust?: Trust;
  isDisputed: boolean;
}

const bySurety = (a: Headline, b: Headline): number => (b.trust?.share ?? 0) - (a.trust?.share ?? 0);

/** What it tells of, one line each: what is told in full first, and of that what is surest. */
export function headlinesOf({ domains }: ToldBriefing, most: number): Headline[] {
  const told = domains.flatMap(({ title: part, stories }) =>
    stories.map(({ place, title, trust, lines }) => ({
      place,
      part,
      title,
      ...(trust && { trust }),
      isDisputed: lines.some(({ isDisagreement }) => isDisagreement),
    })),
  );
  const listed = domains.flatMap(({ place, title: part, also }) =>
    also.flatMap(({ pieces, trust, below }) =>
      trust
        ? [
            {
              place,
              part,
              title: wordsIn(pieces),
              trust,
              isDisputed: below.some(({ isDisagreement }) => isDisagreement),
            },
          ]
        : [],
    ),
  );
  return [told, listed].flatMap((lines) => lines.sort(bySurety)).slice(0, most);
}
