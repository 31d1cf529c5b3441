import type { Caller } from "../../../../core/access/caller.ts";
import { iso, steadily, type Clock } from "../../../../core/clock.ts";
import { DuplicateKey } from "../../../../core/records/documents.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { conflict, isNotFound, nullIf, type Problem } from "../../../../core/problem.ts";
import type { Store } from "../../../../core/records/store.ts";
import type { Reliability } from "../../sources/events.ts";
import type { Arrivals } from "../indexing/arrivals.ts";
import { Article, newMark, Tombstone } from "../articles.ts";
import { ArticleDraft, type FeedDelivery, type IntakeOutcome } from "./drafts.ts";
import { sameStory, sameText } from "../dedup/fingerprint.ts";
import { plannedIntake, type IntakePlan, type Recognition, type StoredMatches } from "./planning.ts";
import type { Removal } from "./removal.ts";
import {
  draftEdition,
  keepsPage,
  newArticle,
  nextBodyOf,
  nextTextId,
  revision,
  type Circumstances,
} from "./records.ts";
import { echoed, hasEcho, shareOf, type SourceRecord } from "../confidence/scoring.ts";
import { each, inTurns, type Steps } from "../../../../core/work/turns.ts";
import { topicOf } from "../grouping/topics/topic.ts";
import { preparing } from "../grouping/topics/translations.ts";
import type { Alone, Assigned, Newcomer, Stories } from "../dedup/stories.ts";
import type { Texts } from "./texts.ts";

const DAY_MS = 86_400_000;
/** How long the share of verified articles of a source, and its rating, are taken for known. */
const RECORD_MS = 10 * 60_000;
const MOST_RECORDS = 10_000;

const sameWords = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const alike: Recognition = {
  atAddress: ({ item, fingerprint }, other) =>
    sameWords(item.title, other.title) || sameStory(fingerprint, other.fingerprint),
  moved: ({ item, fingerprint }, other) => item.title === other.title && sameText(fingerprint, other.fingerprint),
};

const defined = (keys: readonly (string | undefined)[]): string[] => [
  ...new Set(keys.filter((key) => key !== undefined)),
];

export interface IntakeParts {
  articles: Store<typeof Article>;
  arrivals: Arrivals;
  tombstones: Store<typeof Tombstone>;
  texts: Texts;
  stories: Stories;
  removal: Removal;
  clock: Clock;
  /** A source's reliability by its own record; undefined where it has none. */
  letterOf(sourceId: number): Promise<Reliability | undefined>;
  /** As the store's. */
  together?: boolean;
  /** 0: all are kept. */
  retentionDays: number;
}

/** What new articles are recognised by. */
function* newcomersOf(sourceId: number, create: IntakePlan["create"]): Steps<Newcomer[]> {
  yield* preparing();
  return yield* each(create, ({ draft: { fingerprint, item } }) => ({
    sourceId,
    fingerprint,
    publishedAt: item.publishedAt,
    topic: topicOf(item),
  }));
}

/**
 * Takes batches of items in. Storing a batch again, in parts or in another order changes nothing: what an item is
 * follows from its identity, and which edition of it stays follows from the edition.
 */
export class Intake {
  readonly #parts: IntakeParts;
  readonly #records = new Map<number, { until: number } & Pick<SourceRecord, "verifiedShare" | "reliability">>();
  #last: Promise<unknown> = Promise.resolve();
  #ahead: { first: number; count: number } | undefined;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  /** One batch after the other: ten sources that bring the same report at once must find each other's. */
  store(caller: Caller, delivery: FeedDelivery): Promise<IntakeOutcome> {
    const turn = this.#last.then(() => this.#store(caller, delivery));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #store(caller: Caller, { source, items, fetchedAt }: FeedDelivery): Promise<IntakeOutcome> {
    const drafts = items.map((item) => new ArticleDraft(item, source.id, fetchedAt));
    const total: IntakeOutcome = { created: 0, updated: 0, unchanged: 0, skipped: 0 };
    let left = drafts,
      busy: Problem | undefined;
    if (left.length)
      await retryOnConflict(
        async () => {
          const plan = this.#plan(left, await this.#held(caller, source.id, left));
          const circumstances = await this.#circumstances(source);
          const updated = await this.#update(plan, circumstances);
          const created = await this.#create(caller, plan, circumstances);
          total.updated += updated.done;
          total.created += created ? plan.create.length : 0;
          total.unchanged += plan.unchanged;
          total.skipped += plan.skipped;
          left = [...updated.overtaken, ...(created ? [] : plan.create.map(({ draft }) => draft))];
          if (left.length)
            throw (busy = conflict("These articles are being changed by others all the time; try again."));
        },
        { when: (error) => error === busy },
      );
    return total;
  }

  #plan(drafts: readonly ArticleDraft[], held: StoredMatches): IntakePlan {
    const { retentionDays, clock } = this.#parts;
    const horizon = retentionDays ? iso(clock.now() - retentionDays * DAY_MS) : "";
    return plannedIntake(drafts, held, alike, (publishedAt) => publishedAt >= horizon);
  }

  /** Reads what the drafts may be: by key; and by address, or title and moment, for those whose key is not known. */
  async #held(caller: Caller, sourceId: number, drafts: readonly ArticleDraft[]): Promise<StoredMatches> {
    const { articles, tombstones } = this.#parts;
    const byKey = await articles.find(caller, { key: { $in: defined(drafts.map(({ key }) => key)) } });
    const known = new Set(byKey.map(({ key }) => key));
    const strangers = drafts.filter(({ key }) => !known.has(key));
    if (!strangers.length) return { articles: byKey, tombstones: [] };
    const keys = defined(strangers.map(({ key }) => key));
    const urlKey = { $in: defined(strangers.map((draft) => draft.urlKey)) };
    const moments = defined(strangers.map(({ moment }) => moment));
    const titles = [...new Set(strangers.map(({ item }) => item.title))];
    const moved = { sourceId, publishedAt: { $in: moments }, title: { $in: titles } };
    const [byUrl, byMoment, buried, buriedByUrl, buriedByMoment] = await Promise.all([
      articles.find(caller, { urlKey }),
      moments.length ? articles.find(caller, { ...moved, dateInferred: false }) : [],
      tombstones.many(caller, keys),
      tombstones.find(caller, { urlKey }),
      moments.length ? tombstones.find(caller, moved) : [],
    ]);
    return {
      articles: [...byKey, ...byUrl, ...byMoment],
      tombstones: [...buried, ...buriedByUrl, ...buriedByMoment],
    };
  }

  async #circumstances(source: FeedDelivery["source"]): Promise<Circumstances> {
    const now = this.#parts.clock.now();
    const at = iso(now);
    return { source, record: await this.#record(source), at, now, mark: newMark(at) };
  }

  async #record({ id, successRate }: FeedDelivery["source"]): Promise<SourceRecord> {
    const { articles, clock, letterOf } = this.#parts;
    let known = this.#records.get(id);
    if (!known || known.until < steadily(clock)) {
      const [verified, all, reliability] = await Promise.all([
        articles.collection.count({ query: { sourceId: id, verified: true } }),
        articles.collection.count({ query: { sourceId: id } }),
        letterOf(id),
      ]);
      if (this.#records.size >= MOST_RECORDS) this.#records.clear();
      this.#records.set(
        id,
        (known = { until: steadily(clock) + RECORD_MS, verifiedShare: shareOf(verified, all), reliability }),
      );
    }
    return { successRate, verifiedShare: known.verifiedShare, reliability: known.reliability };
  }

  /** Brings articles to their new edition; those that somebody else changed meanwhile are for another attempt. */
  async #update(
    { update }: IntakePlan,
    circumstances: Circumstances,
  ): Promise<{ done: number; overtaken: ArticleDraft[] }> {
    if (!update.length) return { done: 0, overtaken: [] };
    const { articles, texts, stories } = this.#parts;
    const rewritten = update.filter(
      ({ article, draft }) =>
        !keepsPage(article, draft, circumstances.source) && nextTextId(article, draft) !== article.textId,
    );
    await texts.put(rewritten.map(nextBodyOf));
    const { counts } = await articles.bulk(update.map(({ draft, article }) => revision(article, draft, circumstances)));
    const done = update.filter((_, at) => counts[at] === 1);
    await Promise.all([
      texts.drop(rewritten.filter((one) => done.includes(one)).map(({ article }) => article.textId)),
      stories.remember(
        done.map(({ draft, article }) => ({ ...article, fingerprint: draft.fingerprint, alone: !hasEcho(article) })),
        [],
        circumstances.at,
      ),
    ]);
    return { done: done.length, overtaken: update.filter((_, at) => counts[at] !== 1).map(({ draft }) => draft) };
  }

  /** Stores new articles; false where another node stored one of them meanwhile. */
  async #create(caller: Caller, { create }: IntakePlan, circumstances: Circumstances): Promise<boolean> {
    if (!create.length) return true;
    const { articles, arrivals, texts, stories, removal, together = false } = this.#parts;
    const sourceId = circumstances.source.id;
    const assigned = await stories.assign(await inTurns(newcomersOf(sourceId, create)));
    const first = await this.#numbers(create.length);
    const before = Promise.all([
      texts.put(create.map(draftEdition)),
      arrivals.announce(first, create.length),
      this.#drawAhead(create.length),
    ]);
    // In one commit where the store keeps the order; a body that it refuses is refused with the article that would
    // point at it.
    if (!together) await before;
    let made: Article[];
    try {
      [made] = await Promise.all([
        articles.createMany(
          caller,
          create.map(({ draft, key }, at) => ({
            id: first + at,
            ...newArticle(draft, key, assigned[at]!, circumstances),
          })),
        ),
        before,
      ]);
    } catch (error) {
      if (error instanceof DuplicateKey) return false;
      throw error;
    }
    arrivals.keep(made);
    // Removed since the look above, or being removed: the tombstone is there before the article that had this key goes.
    await removal.recall(create.map(({ key }) => key));
    const joined = await this.#echo(caller, assigned);
    const remembered = stories.remember(
      made.map((article, at) => ({ ...article, topic: assigned[at]!.topic, alone: !assigned[at]!.hasEcho })),
      joined,
      circumstances.at,
    );
    // Traces are advice, known here already: nobody waits for a commit of theirs alone, and where none is possible the
    // next write tells.
    if (together) remembered.catch(() => {});
    else await remembered;
    return true;
  }

  /** The first of so many new numbers; those that were drawn ahead, where they are enough. */
  #numbers(count: number): Promise<number> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    return ahead && ahead.count >= count ? Promise.resolve(ahead.first) : this.#parts.articles.numbers(count);
  }

  /** Draws as many numbers for the next batch, in a commit that is made anyway. */
  async #drawAhead(count: number): Promise<void> {
    this.#ahead = { first: await this.#parts.articles.numbers(count), count };
  }

  /** Articles that were the only ones of their story have company now; answers them. */
  async #echo(caller: Caller, assigned: readonly Assigned[]): Promise<Alone[]> {
    const { articles, clock } = this.#parts;
    const byTrace = new Map(assigned.flatMap(({ wereAlone }) => wereAlone.map((alone) => [alone.trace, alone])));
    const joined = [...byTrace.values()];
    // One that was removed meanwhile needs no company.
    await Promise.all(
      joined.map(({ articleId }) =>
        articles
          .amend(caller, articleId, ({ verdict, ...article }) => {
            const scored = echoed(article, verdict);
            return scored && { ...scored, unindexed: newMark(iso(clock.now())) };
          })
          .catch(nullIf(isNotFound)),
      ),
    );
    return joined;
  }
}
