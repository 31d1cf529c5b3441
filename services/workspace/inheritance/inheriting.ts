import { asSystem } from "../../../core/access/caller.ts";
import { retryOnConflict } from "../../../core/records/conflict-retry.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { derivedId } from "../../../core/ids.ts";
import { archived, conflict, isConflict } from "../../../core/problem.ts";
import {
  actOf,
  ContextChange,
  differences,
  Direction,
  Inherited,
  itemId,
  Offered,
  offeredId,
  offerOf,
  offerOfDirection,
  type ContextKind,
  type Offer,
} from "./context.ts";
import { offeredGates } from "../gates/client.ts";

const MESH = asSystem("inheritance");
export interface Lineage {
  parentId: string | null;
  archived: boolean;
  parentArchived: boolean;
  children: string[];
}

export const lineage = (host: Host, problemSetId: string): Promise<Lineage> =>
  host.ask("problem-sets.lineage", { problemSetId });

/** The parent of a set. Throws 409 where it has none, or an archived one, where nobody could answer. */
export async function parentOf(host: Host, problemSetId: string): Promise<string> {
  const { parentId, parentArchived } = await lineage(host, problemSetId);
  if (!parentId) throw conflict("This problem set has no parent to ask.");
  if (parentArchived) throw archived("The parent");
  return parentId;
}

/** The parent's items that these copies were made of, by the id of the copy. */
export async function sources(
  host: Host,
  about: readonly { itemId: string }[],
): Promise<Map<string, Pick<Inherited, "kind" | "sourceId" | "title">>> {
  const ids = [...new Set(about.map(({ itemId }) => itemId))];
  const items = await host
    .store(Inherited)
    .find(MESH, { _id: { $in: ids } }, { fields: ["kind", "sourceId", "title"] });
  return new Map(items.map(({ id, kind, sourceId, title }) => [id, { kind, sourceId, title }]));
}

interface Source {
  kind: ContextKind;
  sourceId: string;
}
export type InheritanceOutcome = "created" | "updated" | "withdrawn" | "unchanged";

/**
 * Makes one child's copy what is offered (null: withdrawn), with a line in the change log. Repeated, it changes
 * nothing.
 */
export function inherit(
  host: Host,
  childId: string,
  parentId: string,
  source: Source,
  offer: Offer | null,
): Promise<InheritanceOutcome> {
  const items = host.store(Inherited),
    id = itemId(childId, source);
  // Another node that is at the same item may have made it, or changed it.
  return retryOnConflict(
    async () => {
      const item = await items.one(MESH, { _id: id });
      const fields = differences(item, offer);
      const moved = item && item.parentId !== parentId;
      if (!fields.length && !moved) return "unchanged";
      const act = actOf(item, offer);
      // The log first, under an id that follows from the item's revision: a node that dies between the two leaves
      // nothing unsaid and says nothing twice.
      const compartments = offer?.compartments ?? item!.compartments;
      const log = {
        id: derivedId(`change of ${id} from revision ${item?.rev ?? 0}`),
        problemSetId: childId,
        compartments,
        itemId: id,
        kind: source.kind,
        title: offer?.title ?? item!.title,
        act,
        fields,
      };
      await host.store(ContextChange).createOnce(MESH, log);
      if (!item) await items.create(MESH, { id, problemSetId: childId, parentId, ...offer!, withdrawn: false });
      else await items.revise(MESH, item, { ...offer, parentId, withdrawn: !offer });
      return act === "added" && !item ? "created" : act === "withdrawn" ? "withdrawn" : "updated";
    },
    { when: isConflict },
  );
}

/** What a set offers to its children now. */
export async function offersOf(host: Host, problemSetId: string): Promise<Offer[]> {
  const [directions, gates, others] = await Promise.all([
    host.store(Direction).find(MESH, { problemSetId }),
    offeredGates(host, { problemSetId }),
    host.store(Offered).find(MESH, { problemSetId }),
  ]);
  return [...directions.map(offerOfDirection), ...gates, ...others.map(offerOf)];
}

export type OutcomeCounts = Record<InheritanceOutcome, number>;

/** Makes all that a child inherits what its parent offers now; without a parent, everything is withdrawn. */
export async function inheritAll(
  host: Host,
  childId: string,
  parentId: string | null,
  offers: readonly Offer[],
): Promise<OutcomeCounts> {
  const counts: OutcomeCounts = { created: 0, updated: 0, withdrawn: 0, unchanged: 0 };
  const offered = new Set(offers.map((offer) => itemId(childId, offer)));
  for (const offer of offers) counts[await inherit(host, childId, parentId!, offer, offer)] += 1;
  const held = await host.store(Inherited).find(MESH, { problemSetId: childId, withdrawn: false });
  for (const item of held.filter(({ id }) => !offered.has(id)))
    counts[await inherit(host, childId, item.parentId, item, null)] += 1;
  return counts;
}

/** What a set offers now of one thing; null where it was taken back. */
type Passing = readonly [source: Source, offer: Offer | null];

/** One thing that a set offers was laid down, changed or taken back: each child gets it. */
export async function passDown(host: Host, problemSetId: string, source: Source, offer: Offer | null): Promise<void> {
  const { children } = await lineage(host, problemSetId);
  await passTo(host, problemSetId, children, [[source, offer]]);
}

/** Gates of a set were made or changed: each child gets them as they are now. */
export async function passGatesDown(host: Host, problemSetId: string, gateIds: readonly string[]): Promise<void> {
  // Asked first, since most sets have no children; a later child inherits anew what is stored by then.
  const { children } = await lineage(host, problemSetId);
  if (!children.length) return;
  const passing = gateIds.map(async (gateId): Promise<Passing> => {
    const [offer] = await offeredGates(host, { problemSetId, gateId });
    return [{ kind: "gate", sourceId: gateId }, offer ?? null];
  });
  await passTo(host, problemSetId, children, await Promise.all(passing));
}

async function passTo(
  host: Host,
  problemSetId: string,
  children: readonly string[],
  passing: readonly Passing[],
): Promise<void> {
  if (!children.length) return;
  const pass = async ([source, offer]: Passing): Promise<void> => {
    for (const childId of children) await inherit(host, childId, problemSetId, source, offer);
  };
  await Promise.all(passing.map(pass));
  // A child that got another parent meanwhile has dropped what it inherited, so the new copies go too.
  const still = new Set((await lineage(host, problemSetId)).children);
  for (const childId of children.filter((id) => !still.has(id)))
    for (const [source] of passing) await inherit(host, childId, problemSetId, source, null);
}

/** For another domain: what a set offers from now on, or offers in other words than before; null withdraws it. */
export async function takeOffer(
  host: Host,
  problemSetId: string,
  source: { kind: "intent" | "objective"; sourceId: string },
  offered: Offer | null,
): Promise<void> {
  const offers = host.store(Offered);
  const id = offeredId(source);
  if (offered) {
    const { record, made } = await offers.createOnce(MESH, { id, problemSetId, ...offered });
    const { title, text, status } = offered;
    if (!made && differences({ ...record, withdrawn: false }, offered).length)
      await offers.change(MESH, record.id, () => ({ title, text, status }));
  } else await offers.removeAll(MESH, { _id: id });
  await passDown(host, problemSetId, source, offered);
}
