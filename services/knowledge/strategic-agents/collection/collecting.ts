import type { Caller } from "../../../../core/access/caller.ts";
import { actorOf } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { articlesOf } from "../../../news/articles/client.ts";
import { shortened, StoryCollected } from "../events.ts";
import { Collected, collectedId, grown, storiesOf, type Find } from "./collected.ts";
import { findMaterial } from "./material.ts";

/** Whoever asks other domains in a person's name: a request's context, or a job for somebody. */
export interface Asker {
  call<T>(action: string, params: object): Promise<T>;
}

/** What is searched. */
export interface StoryQuery {
  q: string;
  domain?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  limit: number;
}
interface Hit {
  id: number;
  copies?: { id: number }[];
}

export interface CollectionPlace {
  problemSetId: string;
  compartments: string[];
}
export interface CollectedOutcome {
  id: string;
  storyId: string;
  title: string;
  outcome: "created" | "updated" | "known";
  articles: number;
}

/** What the search of the news finds for the person who asks, as stories. */
export async function find(host: Host, asker: Asker, wanted: StoryQuery): Promise<{ total: number; stories: Find[] }> {
  const asked = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  const { data, meta } = await asker.call<{ data: Hit[]; meta: { total: number } }>("search.search", asked);
  const ids = data.flatMap(({ id, copies = [] }) => [id, ...copies.map((copy) => copy.id)]);
  const articles = ids.length ? await articlesOf(host, [...new Set(ids)].slice(0, 500)) : [];
  return { total: meta.total, stories: storiesOf(articles) };
}

/** Takes a story in, once: whoever finds it again adds what is new, and tells nothing where nothing is. */
function takeStory(
  host: Host,
  caller: Caller,
  { problemSetId, compartments }: CollectionPlace,
  story: Find,
  q: string,
): Promise<CollectedOutcome> {
  const store = host.store(Collected);
  const id = collectedId(problemSetId, compartments, story.storyId);
  const facts = (isNew: boolean) => (now: Collected) => [
    StoryCollected.fact(id, { ...now, title: shortened(now.title), by: actorOf(caller), isNew }),
  ];
  const taken = (outcome: CollectedOutcome["outcome"], { title, articles }: Find): CollectedOutcome => ({
    ...{ id, storyId: story.storyId, title, outcome },
    articles: articles.length,
  });
  return retryOnConflict(async () => {
    const { record, made } = await store.createOnce(
      caller,
      { ...story, id, problemSetId, compartments, queries: [q] },
      { facts: facts(true) },
    );
    if (made) return taken("created", record);
    const change = grown(record, story, q);
    if (!change) return taken("known", record);
    return taken("updated", await store.revise(caller, record, change, { facts: facts(false) }));
  });
}

/** One round of collection: everything that the search of the news finds, and of OSINT sources, one record a story. */
export async function collect(
  host: Host,
  { asker, caller, place, wanted }: { asker: Asker; caller: Caller; place: CollectionPlace; wanted: StoryQuery },
): Promise<{ total: number; taken: CollectedOutcome[] }> {
  const { total, stories } = await find(host, asker, wanted);
  const material = await findMaterial(asker, place, wanted);
  const taken: CollectedOutcome[] = [];
  for (const story of [...stories, ...material]) taken.push(await takeStory(host, caller, place, story, wanted.q));
  return { total: total + material.length, taken };
}
