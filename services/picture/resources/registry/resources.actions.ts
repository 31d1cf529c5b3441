import { z } from "zod";
import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, nothing } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { isNotFound, nullIf } from "../../../../core/problem.ts";
import { Instant } from "../../../../core/records/entity.ts";
import { placeOfMission } from "../../../workspace/missions/client.ts";
import { mayOutside, placeFor } from "../../place.ts";
import {
  ResourceAdded,
  ResourceChanged,
  ResourceGone,
  ResourceReadinessChanged,
  ResourceRemoved,
  factsInSet,
} from "../events.ts";
import { ResourceTouched } from "../telemetry/telemetry.ts";
import { removeUnused } from "../uses/uses.ts";
import { draftedResource, reassigned, revised, thresholdFacts } from "./drafting.ts";
import { EDIT, editing, READ, reading, REPORT, reporting } from "./permits.ts";
import { READINESS, Resource } from "./resources.ts";

export const resourceActions = {
  get: endpoint({
    rest: "GET /:id",
    summary: "Show a resource",
    permit: READ,
    within: reading,
    on: Resource,
    returns: data(Resource.view),
    tool: "show_resource",
    description: "With its readiness, place and capabilities, as last reported, and the missions that use it.",
    handler: (_ctx, resource) => resource,
  }),

  create: endpoint({
    rest: "POST /",
    summary: "Add a resource",
    permit: "signed-in",
    within: editing,
    body: Resource.create,
    returns: data(Resource.view),
    status: 201,
    example: { name: "Truck 7", kind: "vehicle", capabilities: ["mobility.ground.wheeled"] },
    handler(ctx) {
      return added(this, ctx, ctx.params);
    },
  }),

  /** Of an edge node, as `locate`. */
  createSeen: endpoint({
    summary: "Add a resource that was seen before",
    permit: "signed-in",
    within: editing,
    body: { ...Resource.create, at: Instant },
    returns: data(Resource.view),
    handler(ctx) {
      const { at, ...given } = ctx.params;
      return added(this, ctx, given, at);
    },
  }),

  update: endpoint({
    rest: "PATCH /:id",
    summary: "Edit a resource",
    permit: "signed-in",
    within: editing,
    on: Resource,
    when: mayOutside(EDIT),
    body: Resource.change,
    returns: data(Resource.view),
    handler(ctx, resource) {
      return changed(this, ctx, resource, ctx.params);
    },
  }),

  /** Of an edge node, which tells later what was seen before. */
  locate: endpoint({
    summary: "Note where a resource was, and when",
    permit: "signed-in",
    within: editing,
    on: Resource,
    when: mayOutside(EDIT),
    body: { location: Resource.change.location, at: Instant },
    returns: data(Resource.view),
    handler(ctx, resource) {
      const { location, at } = ctx.params;
      return changed(this, ctx, resource, { location }, at);
    },
  }),

  setStatus: endpoint({
    rest: "PATCH /:id/status",
    summary: "Set the readiness of a resource",
    permit: "signed-in",
    within: reporting,
    on: Resource,
    when: mayOutside(REPORT),
    body: { readiness: z.enum(READINESS), reason: z.string().trim().min(1).max(1_000).nullable().optional() },
    returns: data(Resource.view),
    example: { readiness: "maintenance", reason: "Waits for a gearbox." },
    async handler(ctx, resource) {
      const { readiness, reason } = ctx.params;
      const isNew = readiness !== resource.readiness;
      return this.store(Resource).revise(
        ctx,
        resource,
        {
          readiness,
          readinessReason: reason ?? (isNew ? null : undefined),
          ...(isNew && { readinessAt: iso(this.world.clock.now()) }),
        },
        {
          facts: (made: Resource) => readinessFacts(made, resource, ctx.meta.actor!.userId),
        },
      );
    },
  }),

  remove: endpoint({
    rest: "DELETE /:id",
    summary: "Remove a resource and its readings",
    permit: "signed-in",
    within: editing,
    on: Resource,
    when: mayOutside(EDIT),
    returns: nothing(),
    status: 204,
    errors: { 409: "A group, mission or sensor uses it; `details.usedBy` names them." },
    async handler(ctx, resource) {
      const missions = await Promise.all(
        resource.missionIds.map(async (id) => {
          const mission = await placeOfMission(ctx, id).catch(nullIf(isNotFound));
          return mission ? [{ id, name: mission.name }] : [];
        }),
      );
      await removeUnused(this, ctx, { id: resource.id, missions: missions.flat() }, () =>
        this.store(Resource).remove(ctx, resource, {
          facts: [
            ...factsInSet(ResourceRemoved, resource, ctx.meta.actor!.userId),
            ResourceGone.fact(resource.id, resource),
          ],
        }),
      );
      await ResourceTouched.emit(this, { id: resource.id });
      return null;
    },
  }),
};

/** Adds a resource; `locatedAt`: when it was seen at the place that it has, now unless said otherwise. */
async function added(
  host: Host,
  ctx: Ctx<unknown>,
  given: Parameters<typeof draftedResource>[3] & Parameters<typeof placeFor>[1],
  locatedAt?: string,
): Promise<Resource> {
  const actor = ctx.meta.actor!;
  const drafted = await draftedResource(host, ctx, placeFor(actor, given, EDIT), given, locatedAt);
  return host.store(Resource).create(ctx, drafted, {
    facts: (made: Resource) => [...factsInSet(ResourceAdded, made, actor.userId), ...thresholdFacts(made)],
  });
}

/** Writes a change of a resource; `locatedAt`: when it was seen at a place that it brings, now unless said otherwise. */
async function changed(
  host: Host,
  ctx: Ctx<unknown>,
  resource: Resource,
  change: Record<string, unknown>,
  locatedAt?: string,
): Promise<Resource> {
  const by = ctx.meta.actor!.userId;
  const fields = await revised(host, ctx, resource, change, locatedAt);
  const missions = await reassigned(ctx, resource, change);
  const made = await host.store(Resource).revise(ctx, resource, fields, {
    facts: (after: Resource) => [
      ...factsInSet(ResourceChanged, after, by, missions),
      ...readinessFacts(after, resource, by),
      ...thresholdFacts(after, resource),
    ],
  });
  await ResourceTouched.emit(host, { id: made.id });
  return made;
}

const readinessFacts = (after: Resource, before: Resource, by: string): Fact[] =>
  after.readiness === before.readiness
    ? []
    : factsInSet(ResourceReadinessChanged, after, by, { readiness: after.readiness });
