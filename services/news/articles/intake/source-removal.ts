import type { JobRun } from "../../../../core/work/job.ts";
import { ArticlesChanged } from "../events.ts";
import type { Articles } from "../host.ts";

export const REMOVE = "articles.remove-of-source";
/** A fetch that was under way when its source was removed may store articles after the first look. */
const AGAIN_MS = 60_000;

interface Told {
  id: number;
  articles?: "keep" | "remove";
}

/** What becomes of the articles of a source that was removed: kept, or taken along in the background. */
export async function forgetSource(this: Articles, { id, articles }: Told): Promise<void> {
  await this.removal.forgetSource(id);
  if (articles === "remove") await begin(this, id, "first");
}

const begin = (articles: Articles, sourceId: number, turn: "first" | "second"): Promise<unknown> =>
  articles.jobs.add(
    REMOVE,
    { sourceId, turn },
    {
      by: "system:articles",
      onlookers: "everybody",
      key: `${sourceId}:${turn}`,
      ...(turn === "second" && { runAt: articles.world.clock.now() + AGAIN_MS }),
    },
  );

export async function removeOfSource(
  this: Articles,
  { job, progress }: JobRun<{ sourceId: number; turn: "first" | "second" }>,
): Promise<{ removed: number }> {
  const { sourceId, turn } = job.input;
  const removed = await this.removal.removeOf(sourceId, (count) => progress("removing", count));
  if (removed) await ArticlesChanged.emit(this, { sourceId });
  if (turn === "first") await begin(this, sourceId, "second");
  return { removed };
}
