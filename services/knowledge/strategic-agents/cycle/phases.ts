import type { Actor } from "../../../../core/access/access.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { newRequestId } from "../../../../core/ids.ts";
import { parseQuery } from "../../../../core/text/searching/query-language.ts";
import { Collected, collectedId } from "../collection/collected.ts";
import { collect, type Asker } from "../collection/collecting.ts";
import { fuse, move } from "../fusion/fusion.actions.ts";
import { Product } from "../fusion/products.ts";
import { latest, type Cycle, type PhaseOutcome, type Phase } from "./cycles.ts";

const HOUR_MS = 3_600_000;
const A_QUERY = 50;

/** A cycle at work: in whose name, and what it may ask. */
export interface Work {
  host: Host;
  cycle: Cycle;
  actor: Actor;
  signal: AbortSignal;
}
export type PhaseFindings = Pick<PhaseOutcome, "summary" | "stories" | "products">;

const counted = (count: number, one: string, several = `${one}s`): string => `${count} ${count === 1 ? one : several}`;

const NOTHING = { stories: [], products: [] };
const callerOf = ({ actor }: Work): Caller => ({ meta: { actor }, locals: {} });
const askerOf = ({ host, actor }: Work): Asker => ({
  call: (action, params) => host.broker.call(action, params, { meta: { actor }, requestID: newRequestId() }),
});
const places = ({ cycle: { problemSetId, compartments } }: Work) => ({ problemSetId, compartments });

/** What is asked, as it is understood: queries that find nothing by themselves are told. */
async function direct({ cycle: { direction } }: Work): Promise<PhaseFindings> {
  const understood = direction.queries.map((q) => parseQuery(q));
  const warnings = understood.flatMap((one) => one.warnings);
  const searches = understood.filter(({ tree }) => tree).map(({ normalized }) => normalized);
  const parts = [
    `${counted(searches.length, "search", "searches")}: ${searches.join("; ") || "none"}`,
    counted(direction.documentIds.length, "document"),
    ...warnings,
  ];
  return { ...NOTHING, summary: parts.join(". ") };
}

/** Searches the news as whoever asked for the cycle. */
async function gather(work: Work): Promise<PhaseFindings> {
  const { host, cycle } = work;
  const from = iso(host.world.clock.now() - cycle.direction.hours * HOUR_MS);
  const stories = new Set<string>();
  let news = 0;
  for (const q of cycle.direction.queries) {
    work.signal.throwIfAborted();
    const wanted = { q, from, limit: A_QUERY };
    const { taken } = await collect(host, {
      asker: askerOf(work),
      caller: callerOf(work),
      place: places(work),
      wanted,
    });
    for (const { storyId } of taken) stories.add(storyId);
    news += taken.filter(({ outcome }) => outcome !== "known").length;
  }
  return {
    ...NOTHING,
    stories: [...stories],
    summary: `${stories.size === 1 ? "1 story was" : `${stories.size} stories were`} found, ${news} of which brought something new.`,
  };
}

/** Chooses what is weighed: stories of most reports first; those that were left out by hand stay out. */
async function process(work: Work): Promise<PhaseFindings> {
  const { host, cycle } = work;
  const { stories: most, excluded } = cycle.direction;
  const found = (latest(cycle, "collection")?.stories ?? []).filter((storyId) => !excluded.includes(storyId));
  const { problemSetId, compartments } = cycle;
  const ids = found.map((storyId) => collectedId(problemSetId, compartments, storyId));
  const kept = await host.store(Collected).many(callerOf(work), ids);
  const chosen = kept
    .toSorted((one, other) => other.reports - one.reports || other.lastAt.localeCompare(one.lastAt))
    .slice(0, most);
  const left = found.length - chosen.length;
  return {
    ...NOTHING,
    stories: chosen.map(({ storyId }) => storyId),
    summary: `${counted(chosen.length, "story", "stories")} to be weighed, ${left} left out.`,
  };
}

/** Fuses what was chosen. */
async function analyse(work: Work): Promise<PhaseFindings> {
  const { host, cycle, signal } = work;
  const { hypothesis, documentIds } = cycle.direction;
  const storyIds = latest(cycle, "processing")?.stories ?? [];
  if (!storyIds.length && !documentIds.length) return { ...NOTHING, summary: "There was nothing to weigh." };
  const products = await fuse(
    host,
    { storyIds, documentIds, hypothesis },
    {
      ...{ asker: askerOf(work), caller: callerOf(work), place: places(work) },
      ...{ seed: `cycle ${cycle.id} at step ${cycle.step}`, cycleId: cycle.id, signal },
    },
  );
  const disputed = products.filter(({ disagreements }) => disagreements.length).length;
  return {
    stories: storyIds,
    products: products.map(({ id }) => id),
    summary: `${counted(products.length, "product")}, ${disputed} of which with reports that disagree.`,
  };
}

/** Puts the products up for review: a person other than whoever asked approves them. */
async function disseminate(work: Work): Promise<PhaseFindings> {
  const { host, cycle, actor } = work;
  const caller = callerOf(work);
  const products = await host.store(Product).many(caller, latest(cycle, "analysis")?.products ?? []);
  for (const product of products)
    if (product.status === "draft") await move(host, caller, product, "submit", actor.userId);
  return {
    ...NOTHING,
    products: products.map(({ id }) => id),
    summary: `${counted(products.length, "product")} put up for review.`,
  };
}

/** What each phase does. Each bears repetition: its records have ids that follow from the cycle's step. */
export const WORK: Readonly<Record<Phase, (work: Work) => Promise<PhaseFindings>>> = {
  direction: direct,
  collection: gather,
  processing: process,
  analysis: analyse,
  dissemination: disseminate,
};
