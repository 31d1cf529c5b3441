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

/** A page's article, or why there is none, in words; `again` where it may be there later. */
type Found = { body: Body } | { why: string; again?: true };

/** The pages of a source that could not be read. */
export interface UnreadPages {
  count: number;
  example?: { url: string; why: string };
}

const SHUT = new Set([401, 402, 403, 451]);
const LESS = "The page says less than the feed: it may be for subscribers alone.";
const statusInWords = (status: number): string =>
  SHUT.has(status)
    ? `The site answers ${status}: the page is not for everybody, or not for programs.`
    : status === 404 || status === 410
      ? `The site answers ${status}: the page is not there.`
      : `The site answers ${status}.`;

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
    if ("body" in found) return this.#keep(article, found.body);
    if (found.again && tries < MOST_TRIES)
      await this.#settle(article, { pageDue: iso(this.#clock.now() + AGAIN_MS * 2 ** (tries - 1)), pageTries: tries });
    else await this.#fail(article, found.why);
    return false;
  }

  async #fetch(url: string): Promise<Found> {
    try {
      const { status, body, headers, url: from } = await this.#outbound.get(url, PAGE);
      if (status !== 200) return { why: statusInWords(status), ...(passing(status) && { again: true }) };
      const article = await this.#parser.article(body, { url: from, contentType: headers["content-type"] });
      return article
        ? { body: { text: article.text, html: article.html } }
        : { why: "No article was found on the page: it may ask for cookies, a sign-in or a subscription." };
    } catch (error) {
      const passes =
        error instanceof FeedError
          ? ["closed", "crashed"]
          : error instanceof OutboundError && ["dns", "connect", "timeout", "protocol"];
      if (!passes) throw error;
      const { kind, message: why } = error as FeedError | OutboundError;
      return { why, ...(passes.includes(kind) && { again: true }) };
    }
  }

  /** A page that says less than the feed is a wall, not the article. */
  async #keep(article: Article, body: Body): Promise<boolean> {
    if (body.text.length <= article.textLength && !article.fromPage) {
      await this.#fail(article, LESS);
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

  /** It holds what the feed gives, and says why; or the page's text of before, which is whole. */
  async #fail(article: Article, pageFailure: string): Promise<void> {
    const failed = article.fromPage ? {} : { pageFailure, pageFailedAt: iso(this.#clock.now()) };
    await this.#settle(article, { pageDue: null, pageTries: null, ...failed });
  }

  /** Those of a source that could not be read since a moment, with the last of them. */
  async unread(sourceId: number, since: string): Promise<UnreadPages> {
    const query = { pageFailedAt: { $gt: since }, sourceId };
    const [[last], count] = await Promise.all([
      this.#articles.find(CALLER, query, { sort: ["-pageFailedAt"], limit: 1 }),
      this.#articles.count(CALLER, query),
    ]);
    return { count, ...(last && { example: { url: last.url, why: last.pageFailure! } }) };
  }

  /** Leaves an article alone whose item changed meanwhile: its page is due anew. */
  async #settle({ id, contentHash }: Article, change: Record<string, unknown>): Promise<boolean> {
    const settled = await this.#articles
      .amend(CALLER, id, (now) => (now.contentHash === contentHash ? change : null))
      .catch(nullIf(isNotFound));
    return settled !== null;
  }
}
