import { z } from "zod";
import { bare } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { asPlacesQuery, MOST_PLACES, PlacedRecord, placesAskedAnywhere } from "../../../../core/geo/placed.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { notFound } from "../../../../core/problem.ts";
import { spansOfMissions } from "../../../workspace/missions/client.ts";
import { Location } from "../../location.ts";
import { isSeenWith, placed } from "../../place.ts";
import { placedPoint } from "../../placed.ts";
import { hold, release } from "../uses/uses.ts";
import { Resource } from "./resources.ts";

/** What other domains ask of resources. */
export const servingActions = {
  /** What the picture shows of resources: those with a place. */
  placed: endpoint({
    summary: "The resources of a problem set that have a place, or those of them that changed since",
    permit: "internal",
    body: placesAskedAnywhere,
    returns: bare(z.array(PlacedRecord)),
    async handler(ctx) {
      const found = await this.store(Resource).find(ctx, asPlacesQuery(ctx.params));
      // Of what is in one mission, or none, nothing can be said.
      const ids = new Set(found.flatMap(({ missionIds }) => (missionIds.length > 1 ? missionIds : [])));
      const spans = ids.size ? await spansOfMissions(this, [...ids]) : [];
      return found.flatMap((one) => {
        const placed = placedPoint(one);
        const { kind, readiness: status, did, serial } = one;
        const missions = spans
          .filter(({ id }) => one.missionIds.length > 1 && one.missionIds.includes(id))
          // One further in, which an older version let a resource name, is told by nothing that others see.
          .filter(({ compartments = [] }) => compartments.every((id) => one.compartments.includes(id)))
          .map(({ compartments: _compartments, ...span }) => span);
        if (!placed) return [];
        return {
          ...placed,
          kind,
          status,
          ...(did !== undefined && { did }),
          ...(serial !== undefined && { marks: [serial] }),
          ...(missions.length && { missions }),
        };
      });
    },
  }),

  whereabouts: endpoint({
    summary: "Where these resources are, those of which that is known",
    permit: "internal",
    body: { ids: z.array(TextId).max(MOST_PLACES) },
    returns: bare(z.array(z.object({ id: z.string(), location: Location, locatedAt: Instant }))),
    async handler(ctx) {
      const found = await this.store(Resource).many(ctx, ctx.params.ids);
      return found.flatMap(({ id, location, locatedAt }) =>
        location && locatedAt !== undefined ? [{ id, location, locatedAt }] : [],
      );
    },
  }),

  /** Notes that something of another domain uses a resource; 404 unless all see it who see that. */
  hold: endpoint({
    summary: "Note that something uses a resource",
    permit: "signed-in",
    body: {
      resourceId: TextId,
      type: z.enum(["sensor"]),
      by: TextId,
      name: z.string(),
      ...placed,
    },
    returns: bare(z.null()),
    async handler(ctx) {
      const { resourceId, type, by: id, name, ...place } = ctx.params;
      if (!isSeenWith(await this.store(Resource).get(ctx, resourceId), place)) throw notFound("resource", resourceId);
      await hold(this, ctx, resourceId, { type, id, name, compartments: place.compartments });
      return null;
    },
  }),

  release: endpoint({
    summary: "Note that something uses a resource no more",
    permit: "internal",
    body: { resourceId: TextId, by: TextId },
    returns: bare(z.null()),
    async handler(ctx) {
      await release(this, ctx.params.resourceId, ctx.params.by);
      return null;
    },
  }),
};
