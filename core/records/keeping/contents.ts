import type { Caller, Ctx } from "../../access/caller.ts";
import type { DomainParts, Host, MeshService } from "../../contract/endpoint.ts";
import type { Entity } from "../entity.ts";

/** The action by which a domain is asked what it has in a compartment. */
export const CONTENTS = "compartments:contents";

/** How many records of one kind lie in a compartment, as far as whoever asks sees them. */
export interface Contents {
  kind: string;
  count: number;
}
export interface CompartmentPlace {
  problemSetId: string;
  compartment: string;
}

/** What a domain has in compartments, but its own books and what one person alone sees, which goes with them. */
export const dividing = ({ entities = [], books = [], personal = [] }: DomainParts): Entity[] => {
  const own = personal.flatMap((one) => ("entity" in one && one.erasure === "remove" && !one.shared ? one.entity : []));
  return entities.filter(
    (entity) => entity.barrier?.compartments !== undefined && !books.includes(entity) && !own.includes(entity),
  );
};

/** Names of the services with records that can lie in compartments. */
export function dividedDomains(services: Iterable<MeshService>): string[] {
  const isDivided = (layer: object): boolean => dividing((layer as { domain?: DomainParts }).domain ?? {}).length > 0;
  return [...services]
    .filter(({ mixins = [] }) => mixins.some(isDivided))
    .map(({ name }) => name)
    .sort();
}

/** The same caller, were they not read into the compartment. */
function outOf({ meta }: Caller, compartment: string): Caller {
  const { actor } = meta;
  const memberships = Object.fromEntries(
    Object.entries(actor?.memberships ?? {}).map(([set, membership]) => [
      set,
      { ...membership, compartments: membership.compartments.filter((id) => id !== compartment) },
    ]),
  );
  return { meta: { actor: { ...actor!, memberships } }, locals: {} };
}

/**
 * How many records lie in a compartment: those that the caller sees, less those that they would see without it. Both
 * are counted inside of the barrier's index; to look for the compartment itself would read all of the set.
 */
async function countIn(
  host: Host,
  caller: Caller,
  entity: Entity,
  { problemSetId, compartment }: CompartmentPlace,
): Promise<number> {
  const inSet = { [entity.barrier!.set]: problemSetId };
  const [seen, without] = await Promise.all([
    host.store(entity).count(caller, inSet),
    host.store(entity).count(outOf(caller, compartment), inSet),
  ]);
  return Math.max(0, seen - without);
}

/** What a domain answers: counted behind the barrier of whoever asks, so that nobody is told of what they do not see. */
export function contentsActions(parts: DomainParts): Record<string, object> {
  const kinds = dividing(parts);
  if (!kinds.length) return {};
  return {
    [CONTENTS]: {
      visibility: "public",
      async handler(this: Host, ctx: Ctx<CompartmentPlace>): Promise<Contents[]> {
        const counted = await Promise.all(
          kinds.map(async (entity) => ({ kind: entity.title, count: await countIn(this, ctx, entity, ctx.params) })),
        );
        return counted.filter(({ count }) => count > 0);
      },
    },
  };
}
