import { withoutTrailing } from "../../../../core/text/plain.ts";
import { plain } from "../../../../core/text/plain.ts";
import type { BriefingArticle } from "../../articles/client.ts";

/**
 * Text of strangers as literal Markdown (CommonMark 0.31, with GitHub's and linkify's autolinks): whatever could begin
 * a link, an image, emphasis, code, HTML, a table or a strike-through is escaped, as is what would begin a block in the
 * first place of a line. One line out, invisible characters removed. Prose without such characters stays as it is.
 */
export function escapeMarkdown(text: string): string {
  const inline = plain(text)
    .replace(/[\\`*_[\]<>~|]/g, "\\$&")
    // "&" begins an entity before a name or a number alone; the ";" may be the first character that follows the text.
    .replace(/&(?=#?[a-z\d]+(?:;|$))/gi, "\\&")
    // "https:" and "evil.example" become links by themselves in many viewers, "@" an address or a mention.
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, "\\.")
    .replace(/@/g, "\\@");
  // A heading's closing run of # would vanish.
  const open = withoutTrailing(inline, "#");
  return `${open}${"\\#".repeat(inline.length - open.length)}`
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2")
    .replace(/^[-+#=:]/, "\\$&");
}

/**
 * The address of an article as a link's target: http and https alone, nothing in it that could end the target; null for
 * anything else.
 */
export function linkTarget(url: string): string | null {
  if (!/^https?:\/\//i.test(url.trim())) return null;
  const parsed = URL.parse(url.trim());
  if (!parsed || parsed.hostname === "" || parsed.username !== "" || parsed.password !== "") return null;
  // encodeURI leaves brackets and backslash variants that Markdown reads; "&" would begin an entity.
  return parsed.href.replace(/[()<>\\[\]`*_~|"'\s]/g, percentEncoded).replace(/&/g, "\\&");
}
const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/** An item of a list. */
export const bullet = (text: string): string => `- ${text}`;
/** Lines that stand directly below each other. */
export const block = (...lines: string[]): string => lines.join("\n");

/** Writes citations, and keeps the ids in the order in which they were first cited. */
export class Citations {
  readonly #articles: ReadonlyMap<number, BriefingArticle>;
  readonly #cited = new Set<number>();

  constructor(articles: ReadonlyMap<number, BriefingArticle>) {
    this.#articles = articles;
  }

  /** `[#12](https://…), [#15](https://…)`; an article whose address is no web address is cited without a link. */
  of(ids: readonly number[]): string {
    return ids
      .flatMap((id) => {
        const article = this.#articles.get(id);
        if (!article) return [];
        this.#cited.add(id);
        const target = linkTarget(article.url);
        return [target ? `[#${id}](${target})` : `\\[#${id}\\]`];
      })
      .join(" ");
  }

  get cited(): number[] {
    return [...this.#cited];
  }
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const two = (value: number): string => String(value).padStart(2, "0");

/** "3 Mar 2026" in UTC, the same on every machine; the text itself where it is no date. */
export function day(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime())
    ? plain(iso)
    : `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
/** "3 Mar, 14:05" in UTC. */
export function moment(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return plain(iso);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}, ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
}

/** "1 article", "3 articles". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
