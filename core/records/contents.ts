import type { Ctx } from "../access/caller.ts";
import type { DomainParts, Host, MeshService } from "../contract/endpoint.ts";
import type { Entity } from "./entity.ts";

/** The action by which a domain is asked what it has in a compartment. */
export const CONTENTS = "compartments:contents";

/** How many records of one kind lie in a compartment, as far as whoever asks sees them. */
export interface Contents {
  kind: string;
  count: number;
}
export interface Place {
  problemSetId: string;
  compartment: string;
}

const dividing = (entities: readonly Entity[] = []): Entity[] =>
  entities.filter(({ barrier }) => barrier?.compartments !== undefined);

/** Names of the services with records that can lie in compartments. */
export function dividedDomains(services: Iterable<MeshService>): string[] {
  return [...services]
    .filter(({ mixins = [] }) =>
      mixins.some((layer) => dividing((layer as { domain?: DomainParts }).domain?.entities).length > 0),
    )
    .map(({ name }) => name)
    .sort();
}

/** What a domain answers: counted behind the barrier of whoever asks, so that nobody is told of what they do not see. */
export function contentsActions(entities: readonly Entity[]): Record<string, object> {
  const kinds = dividing(entities);
  if (!kinds.length) return {};
  return {
    [CONTENTS]: {
      visibility: "public",
      async handler(this: Host, ctx: Ctx<Place>): Promise<Contents[]> {
        const { problemSetId, compartment } = ctx.params;
        const counted = await Promise.all(
          kinds.map(async (entity) => ({
            kind: entity.title,
            count: await this.store(entity).count(ctx, {
              [entity.barrier!.set]: problemSetId,
              [entity.barrier!.compartments!]: compartment,
            }),
          })),
        );
        return counted.filter(({ count }) => count > 0);
      },
    },
  };
}
