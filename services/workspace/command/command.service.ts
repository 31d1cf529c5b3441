import { z } from "zod";
import { unionOfCompartments } from "../../../core/access/barrier.ts";
import { bare, data, list, nothing } from "../../../core/contract/answer.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { Instant, TextId } from "../../../core/records/entity.ts";
import { asPlacesQuery, MOST_PLACES, PlacedRecord, placesAsked } from "../../../core/geo/placed.ts";
import { eventsIn } from "../../../core/events/event.ts";
import { invalid } from "../../../core/problem.ts";
import { crud } from "../../../mixins/crud.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { Relationship, RelationshipView, withNames } from "./relationships.ts";
import { placedUnit, Unit } from "./units.ts";
import * as events from "./events.ts";
import {
  RelationshipChanged,
  RelationshipCreated,
  RelationshipRemoved,
  UnitChanged,
  UnitCreated,
  UnitMoved,
  UnitRemoved,
} from "./events.ts";
import { placeOfMission, type MissionPlace } from "../missions/client.ts";
import { hierarchyActions } from "./hierarchy.actions.ts";

const set = "problemSetId";
const within = { set, read: "command:read", write: "command:edit" };
const editing = { set, may: within.write };

const told = (
  { id, problemSetId, compartments }: { id: string; problemSetId: string; compartments: string[] },
  ctx: Ctx<unknown>,
) => ({ id, problemSetId, compartments, by: ctx.meta.actor!.userId });
const ofUnit =
  (type: typeof UnitCreated | typeof UnitChanged | typeof UnitRemoved) => (unit: Unit, ctx: Ctx<unknown>) =>
    type.fact(unit.id, { ...told(unit, ctx), name: unit.name });
const ofRelationship =
  (type: typeof RelationshipCreated | typeof RelationshipChanged | typeof RelationshipRemoved) =>
  (one: Relationship, ctx: Ctx<unknown>, units: readonly Unit[] = []) => {
    const { superiorName: superior, subordinateName: subordinate } = withNames([one], units)[0]!;
    const names = { ...(superior && { superior }), ...(subordinate && { subordinate }) };
    return type.fact(one.id, { ...told(one, ctx), kind: one.kind, ...names });
  };

const units = crud(Unit, {
  at: "/units",
  list: "signed-in",
  get: "signed-in",
  create: "signed-in",
  update: "signed-in",
  remove: "signed-in",
  via: "PATCH",
  clears: true,
  within,
  derives: ({ location }, { world }) => ({
    ...(location !== undefined && { locatedAt: location === null ? null : iso(world.clock.now()) }),
  }),
  tells: { created: ofUnit(UnitCreated), updated: ofUnit(UnitChanged), removed: ofUnit(UnitRemoved) },
  example: {
    problemSetId: "the problem set's id",
    name: "2nd Engineer Company",
    designation: "2/EN",
    echelon: "company",
  },
  says: { remove: "Its relationships are kept, so that a mistake loses nothing: validating the hierarchy names them." },
});
export default {
  name: "command",
  metadata: { description: "Units and positions, who commands whom, and delegated authority." },
  settings: { rest: "/command" },
  mixins: [
    domain({
      entities: [Unit, Relationship],
      tells: () => eventsIn(events).filter(({ name }) => name !== UnitMoved.name),
    }),
  ],

  actions: {
    ...units,

    /** What the picture shows of units: those with a place. */
    placed: endpoint({
      summary: "The units of a problem set that have a place, or those of them that changed since",
      permit: "internal",
      body: placesAsked,
      returns: bare(z.array(PlacedRecord)),
      async handler(ctx) {
        return (await this.store(Unit).find(ctx, asPlacesQuery(ctx.params))).flatMap(placedUnit);
      },
    }),

    /** A resource says where a unit is: no revision of its own, so that nobody's edit is refused for it. */
    "units.place": endpoint({
      summary: "Bring units to where they are",
      permit: "internal",
      body: {
        places: z
          .array(
            z.object({
              id: TextId,
              problemSetId: TextId,
              location: z.object({ latitude: z.number(), longitude: z.number() }),
              at: Instant,
            }),
          )
          .max(MOST_PLACES),
      },
      returns: bare(z.null()),
      async handler(ctx) {
        const { places } = ctx.params;
        const updatedAt = iso(this.world.clock.now());
        const { counts } = await this.store(Unit).bulk(
          places.map(({ id, problemSetId, location, at }) => ({
            update: { _id: id, problemSetId, $or: [{ locatedAt: { $exists: false } }, { locatedAt: { $lt: at } }] },
            with: { $set: { location, locatedAt: at, updatedAt } },
          })),
        );
        const moved = places.filter((_place, at) => counts[at]);
        for (const [problemSetId, all] of Map.groupBy(moved, (one) => one.problemSetId))
          await UnitMoved.emit(this, { problemSetId, ids: all.map(({ id }) => id) });
        return null;
      },
    }),

    "relationships.list": endpoint({
      rest: "GET /relationships",
      summary: "List each command relationship you may see, with the names of its units",
      permit: "signed-in",
      within: { set, may: within.read },
      query: Relationship.query,
      returns: list(RelationshipView),
      async handler(ctx) {
        const { data: rows, meta } = await this.store(Relationship).page(ctx, ctx.params);
        const ids = new Set(rows.flatMap(({ superiorId, subordinateId }) => [superiorId, subordinateId]));
        return { data: withNames(rows, await this.store(Unit).many(ctx, [...ids])), meta };
      },
    }),

    "relationships.create": endpoint({
      rest: "POST /relationships",
      summary: "Add a command relationship",
      permit: "signed-in",
      within: editing,
      body: Relationship.create,
      returns: data(RelationshipView),
      status: 201,
      description:
        "It lies in the compartments of both units as well as its own. Contradictions, such as two " +
        "superiors with operational control, can be entered, and are found by validation.",
      example: {
        problemSetId: "the problem set's id",
        superiorId: "the commanding unit's id",
        subordinateId: "the other unit's id",
        kind: "opcon",
      },
      async handler(ctx) {
        const { superiorId, subordinateId, missionId, problemSetId } = ctx.params;
        if (superiorId === subordinateId)
          throw invalid([{ path: "subordinateId", message: "No unit commands itself." }]);
        refusePeriod(ctx.params);
        const units = await unitsIn(this, ctx, problemSetId, { superiorId, subordinateId });
        const mission = missionId ? [await missionIn(ctx, problemSetId, missionId)] : [];
        const compartments = unionOfCompartments([ctx.params, ...units, ...mission]);
        const made = await this.store(Relationship).create(
          ctx,
          { ...ctx.params, compartments },
          { facts: (one: Relationship) => [ofRelationship(RelationshipCreated)(one, ctx, units)] },
        );
        return withNames([made], units)[0]!;
      },
    }),

    "relationships.update": endpoint({
      rest: "PATCH /relationships/:id",
      summary: "Edit a command relationship: kind, period, mission, note",
      permit: "signed-in",
      within: editing,
      on: Relationship,
      body: Relationship.change,
      returns: data(RelationshipView),
      async handler(ctx, relationship) {
        refusePeriod({ ...relationship, ...ctx.params });
        const mission = ctx.params.missionId && (await missionIn(ctx, relationship.problemSetId, ctx.params.missionId));
        const compartments = mission ? { compartments: unionOfCompartments([relationship, mission]) } : {};
        const units = await unitsOf(this, ctx, relationship);
        const changed = await this.store(Relationship).revise(
          ctx,
          relationship,
          { ...ctx.params, ...compartments },
          { facts: (one: Relationship) => [ofRelationship(RelationshipChanged)(one, ctx, units)] },
        );
        return withNames([changed], units)[0]!;
      },
    }),

    "relationships.remove": endpoint({
      rest: "DELETE /relationships/:id",
      summary: "Remove a command relationship",
      permit: "signed-in",
      within: editing,
      on: Relationship,
      returns: nothing(),
      status: 204,
      async handler(ctx, relationship) {
        const units = await unitsOf(this, ctx, relationship);
        await this.store(Relationship).remove(ctx, relationship, {
          facts: [ofRelationship(RelationshipRemoved)(relationship, ctx, units)],
        });
        return null;
      },
    }),

    ...hierarchyActions,
  },
} satisfies MeshService;

async function missionIn(ctx: Ctx<unknown>, problemSetId: string, missionId: string): Promise<MissionPlace> {
  const place = await placeOfMission(ctx, missionId);
  if (place.problemSetId !== problemSetId)
    throw invalid([{ path: "missionId", message: "This mission lies in another problem set." }]);
  return place;
}

/** The units of a relationship that are still there. */
const unitsOf = (
  host: Host,
  ctx: Ctx<unknown>,
  { superiorId, subordinateId }: Pick<Relationship, "superiorId" | "subordinateId">,
): Promise<Unit[]> => host.store(Unit).many(ctx, [superiorId, subordinateId]);

/** Units by the fields that name them; whatever is none of the set's is named. */
async function unitsIn(
  host: Host,
  ctx: Ctx<unknown>,
  problemSetId: string,
  asked: Readonly<Record<string, string>>,
): Promise<Unit[]> {
  const found = await host.store(Unit).many(ctx, Object.values(asked));
  const units = found.filter((unit) => unit.problemSetId === problemSetId);
  const missing = Object.entries(asked).filter(([, id]) => !units.some((unit) => unit.id === id));
  if (missing.length > 0)
    throw invalid(missing.map(([path]) => ({ path, message: "There is no such unit in this problem set." })));
  return units;
}

function refusePeriod({ from, until }: { from?: string | null | undefined; until?: string | null | undefined }): void {
  if (from && until && until <= from)
    throw invalid([{ path: "until", message: "A relationship ends after it begins." }]);
}
