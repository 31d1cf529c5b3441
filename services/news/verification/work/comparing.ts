import { asSystem } from "../../../../core/access/caller.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { derivedId } from "../../../../core/ids.ts";
import { articlesOf, contentsOfStory, type Article } from "../../articles/client.ts";
import { editionOf, recordsOf } from "../content.ts";
import type { Verifier } from "../host.ts";
import { DAYS_BACK } from "../model/appraisal.ts";
import type { BatchInput } from "./batches.ts";
import { ClaimReference } from "../references/reference.ts";
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

/** So many references to one article, and reports of its event, are looked at. */
const MOST_CITING = 1_000;
const MOST_OF_STORY = 100;

/**
 * Once a person gave their verdict on an article, what was compared with it, and the other reports of its event, are
 * compared again, whoever had it done: what was rejected counts no more, and what was rejected by mistake does again.
 */
export async function compareAgain(this: Verifier, { id }: { id: number }, fact: Fact): Promise<void> {
  const [article] = await articlesOf(this, [id]);
  if (!article) return;
  const caller = asSystem("verification");
  const citing = await this.store(ClaimReference).find(
    caller,
    { articleId: id },
    { limit: MOST_CITING, fields: ["contentId"] },
  );
  const story = await contentsOfStory(this, article.storyId, MOST_OF_STORY);
  const near = [...new Set([...citing.map(({ contentId }) => contentId), ...story.map((one) => one.id)])];
  const others = await articlesOf(this, near.filter((one) => one !== id).slice(0, MOST_COMPARED));
  const records = await recordsOf(this, others);
  const unasked = others.flatMap((one) => (records.get(one.id)?.crossReference ? [one.id] : []));
  if (!unasked.length) return;
  const input: BatchInput = { what: "cross-reference", limit: unasked.length, unasked };
  await this.jobs.add(COMPARE, { ...input }, { by: "system:verification", id: derivedId(`verdict/${fact.id}`) });
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
