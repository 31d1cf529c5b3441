import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { JobRun } from "../../../../core/work/job.ts";
import { isNotFound, nullIf } from "../../../../core/problem.ts";
import { sourceOf, type SourceName } from "../../sources/client.ts";
import { Article, newMark } from "../articles.ts";
import { ArticlesChanged } from "../events.ts";
import type { Articles } from "../host.ts";

export const RELABEL = "articles.relabel";
const BATCH = 100;
const CALLER = asSystem("relabelling");

type Run = JobRun<{ sourceId: number }, { cursor?: string; done: number }>;

/** The source as it is now; null where it is gone: its articles then keep what they have. */
const presentSource = (articles: Articles, id: number): Promise<SourceName | null> =>
  sourceOf(articles, id).catch(nullIf(isNotFound));

/** Gives the articles of a source its present name and domain, newest first; goes on after a kill where it was. */
export async function relabel(this: Articles, { job, progress }: Run): Promise<{ relabelled: number } | null> {
  const { sourceId } = job.input;
  const source = await presentSource(this, sourceId);
  if (!source) return null;
  const { name, domain } = source;
  const store = this.store(Article);
  let { cursor, done } = job.state ?? { cursor: undefined, done: 0 };
  do {
    const { data, meta } = await store.feed(CALLER, { cursor, limit: BATCH, order: "-publishedAt" }, { sourceId });
    const stale = data
      .filter((article) => article.sourceName !== name || article.domain !== domain)
      .map(({ id }) => id);
    const at = iso(this.world.clock.now());
    if (stale.length)
      await store.collection.updateMany(
        { _id: { $in: stale } },
        { $set: { sourceName: name, domain, unindexed: newMark(at), updatedAt: at }, $inc: { rev: 1 } },
      );
    done += stale.length;
    cursor = meta.next ?? undefined;
    await progress("relabelling", done, undefined, { cursor, done });
    await ArticlesChanged.emit(this, { sourceId, updated: stale.length });
  } while (cursor);
  return { relabelled: done };
}
