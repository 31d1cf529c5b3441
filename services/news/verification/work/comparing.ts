import type { Article } from "../../articles/client.ts";
import { editionOf, recordsOf } from "../content.ts";
import type { Verifier } from "../host.ts";
import { DAYS_BACK } from "../model/appraisal.ts";
import type { BatchInput } from "./batches.ts";
import { newest } from "./newest.ts";
import { COMPARE } from "./work.ts";

/** So many of the newest articles are looked at, and so many are compared at a time at the most. */
const MOST_LOOKED = 2_000;
const MOST_COMPARED = 300;

/**
 * Has the claims of new articles compared with other reports, by rules alone: what a model reads is paid for, and only
 * what somebody asks for. Only articles of events that several outlets report: the others have nobody to agree with.
 * All reports of an event are compared again when another comes.
 */
export async function compareNew(this: Verifier): Promise<void> {
  if (!this.world.env.COMPARE_INTERVAL_MINUTES) return;
  const unasked = (await uncompared(this)).slice(0, MOST_COMPARED);
  if (!unasked.length) return;
  const input: BatchInput = { what: "cross-reference", limit: unasked.length, unasked };
  await this.jobs.add(COMPARE, { ...input }, { by: "system:verification", key: "new" });
}

/** The newest first. */
async function uncompared(host: Verifier): Promise<number[]> {
  const looked: Article[] = [];
  for await (const page of newest(host, MOST_LOOKED)) looked.push(...page);
  const waiting: Article[] = [];
  for (const event of Map.groupBy(looked, ({ storyId }) => storyId).values())
    if (event.some(({ sourceId }) => sourceId !== event[0]!.sourceId)) waiting.push(...(await ofEvent(host, event)));
  return waiting.sort((one, other) => other.publishedAt.localeCompare(one.publishedAt)).map(({ id }) => id);
}

/** Those of one event that were not compared as they are now, or not since its last report came. */
async function ofEvent(host: Verifier, event: readonly Article[]): Promise<Article[]> {
  const lastCame = event.reduce((last, { createdAt }) => (createdAt > last ? createdAt : last), "");
  const records = await recordsOf(host, event);
  return event.filter((article) => {
    const record = records.get(article.id);
    if (!record?.crossReference || record.edition !== editionOf(article)) return true;
    const { at, method, daysBack } = record.crossReference;
    // What was asked for in another way stands.
    return method === "heuristic" && daysBack === DAYS_BACK && at < lastCame;
  });
}
