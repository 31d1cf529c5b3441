import { upTo } from "../../../../core/text/cutting.ts";
import type { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isProblem } from "../../../../core/problem.ts";
import { recordEvent } from "../../graph/client.ts";
import { actingFor } from "../acting.ts";
import type { StoryCollected } from "../events.ts";
import { Collected } from "./collected.ts";

const MESH = asSystem("strategic-agents");
const MOST_ARTICLES = 100;
const LONGEST_TITLE = 300;

/**
 * A story that was collected becomes an OSINT event of the graph, in the name of whoever collected it. The graph keeps
 * one a story and place, so that what is told twice is there once.
 */
export async function record(this: Host, { id, by }: z.output<typeof StoryCollected.payload>): Promise<void> {
  const story = await this.store(Collected).one(MESH, { _id: id });
  const actor = story && (await actingFor(this, by));
  if (!actor) return;
  const { problemSetId, compartments, storyId, title, summary, at, articles, material } = story;
  const event = {
    ...{ problemSetId, compartments, title: upTo(LONGEST_TITLE, title), occurredAt: at },
    ...(material ? { itemId: material.itemId } : { storyId }),
    ...(summary && { description: upTo(10_000, summary) }),
    articleIds: articles.slice(0, MOST_ARTICLES),
  };
  await recordEvent(this, actor, event).catch((error: unknown) => {
    // Whoever is no longer there, or may no longer, records nothing; the story stays collected.
    if (isProblem(error) && error.code < 500) return;
    throw error;
  });
}
