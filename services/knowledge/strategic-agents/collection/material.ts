import { isProblem, isUnserved, nullIf } from "../../../../core/problem.ts";
import { each, inTurns } from "../../../../core/work/turns.ts";
import { fits, hasOf } from "../monitors/monitors.ts";
import { actorsIn, materialStoryId, type Find } from "./collected.ts";
import type { Asker, CollectionPlace, StoryQuery } from "./collecting.ts";

/** What an OSINT source of the administrators brought, as it answers. */
interface Material extends Pick<NonNullable<Find["material"]>, "sourceId" | "reliability" | "url"> {
  id: string;
  source: string;
  title: string;
  text: string;
  at: string;
}

/** A key that was made for the news alone collects from the news alone. */
const isOutOfReach = (error: unknown): boolean => isUnserved(error) || (isProblem(error) && error.code === 403);

const findOf = ({ id, sourceId, source, reliability, title, text, url, at }: Material): Find => ({
  ...{ storyId: materialStoryId(id), title, summary: text, domain: "", at, lastAt: at },
  ...{ articles: [], sources: [source], reports: 1, actors: actorsIn([{ title, summary: text }]) },
  material: { itemId: id, sourceId, reliability, ...(url !== undefined && { url }) },
});

/**
 * The newest material of OSINT sources that fits, each item a story of its own: as whoever asks sees it, and nothing
 * that lies in a compartment of which the place is none. It has no field of interest.
 */
export async function findMaterial(
  asker: Asker,
  place: CollectionPlace,
  { q, domain, from, to }: StoryQuery,
): Promise<Find[]> {
  if (domain !== undefined) return [];
  const times = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const newest = await asker
    .call<Material[]>("admin.osintItems.newest", { ...place, ...times })
    .catch(nullIf(isOutOfReach));
  const found = await inTurns(
    each(newest ?? [], (one) => {
      const { title, text, source: sourceName } = one;
      return fits({ q }, { has: hasOf({ title, sourceName, domain: "", summary: "", text }) }) ? [findOf(one)] : [];
    }),
  );
  return found.flat();
}
