import { actorOf, asSystem, type Caller } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { notFound } from "../../../core/problem.ts";
import { contentsOf, type Article, type Content } from "../articles/client.ts";
import { PARTS, Verification, type Parts } from "./verification.ts";

/** The article with its text; throws 404. */
export async function contentOf(host: Host, id: number): Promise<Content> {
  const [found] = await contentsOf(host, [id]);
  if (!found) throw notFound("article", id);
  return found;
}

/** Identifies one edition of an article's text, without reading it. */
export const editionOf = ({ contentHash, textId, textLength }: Article): string =>
  `${contentHash}/${textId}/${textLength}`;

/** The record about the current text; null where there is none. */
export async function recordOf(host: Host, content: Article): Promise<Verification | null> {
  const record = await host.store(Verification).one(asSystem("verification"), { _id: content.id });
  return record?.edition === editionOf(content) ? record : null;
}

/** What is known of these articles, by their ids, whatever text it is about. */
export async function recordsOf(host: Host, articles: readonly Article[]): Promise<ReadonlyMap<number, Verification>> {
  const ids = articles.map(({ id }) => id);
  const records = await host.store(Verification).many(asSystem("verification"), ids);
  return new Map(records.map((record) => [record.id, record]));
}

/** Adds parts to an article's record; results for an earlier text are removed. */
export async function keep(host: Host, caller: Caller, content: Content, parts: Parts): Promise<Verification> {
  const store = host.store(Verification);
  const at = iso(host.world.clock.now());
  const edition = editionOf(content);
  const { id, title, sourceId, sourceName, domain } = content;
  caller.locals.trail?.({ type: Verification.name, id });
  const clearing = store.collection.claim(
    { _id: id, edition: { $ne: edition } },
    { $set: { edition }, $unset: Object.fromEntries(PARTS.map((part) => [part, 1])) },
  );
  // In one commit where the store keeps the order; if the first is refused, so is the second.
  if (!host.world.documents.together) await clearing;
  const keeping = store.collection.claim(
    { _id: id },
    {
      $set: { title, sourceId, sourceName, domain, edition, updatedAt: at, ...parts },
      $setOnInsert: { createdAt: at, createdBy: actorOf(caller) },
      $inc: { rev: 1 },
    },
    { upsert: true },
  );
  await Promise.all([clearing, keeping]);
  return store.get(caller, id);
}
