import type { FeedParser } from "../../../../adapters/feeds/worker-pool.ts";
import { FeedError, type ParsedItem } from "../../../../adapters/feeds/feed.ts";
import { OutboundError } from "../../../../adapters/outbound/errors.ts";
import type { Outbound } from "../../../../adapters/outbound/outbound.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso, type Clock } from "../../../../core/clock.ts";
import { isNotFound, nullIf } from "../../../../core/problem.ts";
import type { Store } from "../../../../core/records/store.ts";
import { Article, newMark } from "../articles.ts";
import { textIdOf, type Body, type Texts } from "./texts.ts";

/** Less text than this, or no more than the summary, and the page is worth a visit (characters). */
const WHOLE_TEXT = 1_200;
const MOST_BYTES = 3 * 1024 * 1024;
const PATIENCE_MS = 20_000;
/** Pages of one run, and at once. The outbound client keeps to few connections for each host besides. */
const PAGES = 32;
const AT_ONCE = 4;
const MOST_TRIES = 3;
/** Wait before the second try; doubled before the third. */
const AGAIN_MS = 10 * 60_000;
const CALLER = asSystem("full-text");
const PAGE = { accept: "text/html, application/xhtml+xml", maxBytes: MOST_BYTES, timeoutMs: PATIENCE_MS };

/** Whether an item has a page to look for more on. */
export const isExcerpt = ({ url, text, summary }: Pick<ParsedItem, "url" | "text" | "summary">): boolean =>
  Boolean(url) && (text.length < WHOLE_TEXT || text.length <= summary.length);

/** A page's article; `again` where it may be there later; `none` where this page has none for us. */
type Found = { body: Body } | "again" | "none";

const passing = (status: number): boolean => status === 429 || status === 408 || status >= 500;

/** Fetches the whole text of articles whose feed gives an excerpt, where their source asks for it. */
export class Pages {
  readonly #articles: Store<typeof Article>;
  readonly #texts: Texts;
  readonly #outbound: Pick<Outbound, "get">;
  readonly #parser: Pick<FeedParser, "article">;
  readonly #clock: Clock;

  constructor(
    articles: Store<typeof Article>,
    texts: Texts,
    outbound: Pick<Outbound, "get">,
    parser: Pick<FeedParser, "article">,
    clock: Clock,
  ) {
    this.#articles = articles;
    this.#texts = texts;
    this.#outbound = outbound;
    this.#parser = parser;
    this.#clock = clock;
  }

  /**
   * Visits the pages that are due, so many; answers how many articles got their text. What a kill cuts off is due
   * still.
   */
  async visit(): Promise<number> {
    const due = await this.#articles.find(
      CALLER,
      { pageDue: { $gt: "", $lte: iso(this.#clock.now()) } },
      { sort: ["pageDue"], limit: PAGES },
    );
    let gained = 0;
    const hand = async () => {
      for (let article = due.shift(); article; article = due.shift()) if (await this.#visitOne(article)) gained++;
    };
    await Promise.all(Array.from({ length: AT_ONCE }, hand));
    return gained;
  }

  async #visitOne(article: Article): Promise<boolean> {
    const found = await this.#fetch(article.url);
    const tries = (article.pageTries ?? 0) + 1;
    if (found === "again" && tries < MOST_TRIES)
      await this.#settle(article, { pageDue: iso(this.#clock.now() + AGAIN_MS * 2 ** (tries - 1)), pageTries: tries });
    else if (typeof found === "string") await this.#settle(article, { pageDue: null, pageTries: null });
    else return this.#keep(article, found.body);
    return false;
  }

  async #fetch(url: string): Promise<Found> {
    try {
      const { status, body, headers, url: from } = await this.#outbound.get(url, PAGE);
      if (status !== 200) return passing(status) ? "again" : "none";
      const article = await this.#parser.article(body, { url: from, contentType: headers["content-type"] });
      return article ? { body: { text: article.text, html: article.html } } : "none";
    } catch (error) {
      if (error instanceof FeedError) return error.kind === "closed" || error.kind === "crashed" ? "again" : "none";
      if (error instanceof OutboundError)
        return ["dns", "connect", "timeout", "protocol"].includes(error.kind) ? "again" : "none";
      throw error;
    }
  }

  /** A page that says less than the feed is a wall, not the article. */
  async #keep(article: Article, body: Body): Promise<boolean> {
    if (body.text.length <= article.textLength && !article.fromPage) {
      await this.#settle(article, { pageDue: null, pageTries: null });
      return false;
    }
    const textId = textIdOf(article.key, `${article.contentHash}.page`);
    await this.#texts.put([{ id: textId, ...body }]);
    const at = iso(this.#clock.now());
    const kept = await this.#settle(article, {
      textId,
      textLength: body.text.length,
      fromPage: true,
      pageDue: null,
      pageTries: null,
      unindexed: newMark(at),
    });
    if (textId !== article.textId) await this.#texts.drop([kept ? article.textId : textId]);
    return kept;
  }

  /** Leaves an article alone whose item changed meanwhile: its page is due anew. */
  async #settle({ id, contentHash }: Article, change: Record<string, unknown>): Promise<boolean> {
    const settled = await this.#articles
      .amend(CALLER, id, (now) => (now.contentHash === contentHash ? change : null))
      .catch(nullIf(isNotFound));
    return settled !== null;
  }
}
