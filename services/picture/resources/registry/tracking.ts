import { memberOf } from "../../../../core/access/access.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { invalid, isNotFound, nullIf } from "../../../../core/problem.ts";
import { placeUnits, unitOf } from "../../../workspace/command/client.ts";
import type { Place } from "../../place.ts";
import { Personnel } from "../personnel/personnel.ts";
import { Resource } from "./resources.ts";

const MESH = asSystem("resources");

/**
 * Throws 400, naming the field, for a unit that the caller does not see, or one that lies elsewhere than the resource:
 * whoever sees one of the two sees the other. 403 where they may not say where units are.
 */
export async function demandUnit(ctx: Ctx<unknown>, place: Place, unitId: string): Promise<void> {
  const unit = await unitOf(ctx, unitId).catch(nullIf(isNotFound));
  const isHere =
    unit !== null &&
    unit.problemSetId === place.problemSetId &&
    [...unit.compartments].sort().join() === [...place.compartments].sort().join();
  if (!isHere)
    throw invalid([
      {
        path: "tracksUnitId",
        message: "There is no such unit in the problem set and the compartments of the resource.",
      },
    ]);
  memberOf(ctx.meta.actor, unit.problemSetId, "command:edit", { writes: true });
}

type Tracking = Partial<Pick<Resource, "problemSetId" | "tracksUnitId" | "location" | "locatedAt">>;

/** Brings the units that these resources track to where they are; what came to be known later stays. */
export async function bringUnits(host: Host, resources: readonly Tracking[]): Promise<void> {
  const places = resources.flatMap(({ problemSetId, tracksUnitId, location, locatedAt }) =>
    problemSetId !== undefined && tracksUnitId !== undefined && location && locatedAt !== undefined
      ? [{ id: tracksUnitId, problemSetId, location, at: locatedAt }]
      : [],
  );
  if (places.length) await placeUnits(host, places);
}

/** A resource was made or changed: the unit that it tracks is where it is. */
export async function bringUnit(this: Host, { id }: { id: string }): Promise<void> {
  const resource = await this.store(Resource).one(MESH, { _id: id });
  if (resource) await bringUnits(this, [resource]);
}

/** A unit that is no more is tracked by nothing, and nobody is in it. */
export async function leaveUnit(this: Host, { id, problemSetId }: { id: string; problemSetId: string }): Promise<void> {
  const personnel = this.store(Personnel);
  for await (const persons of personnel.slices(MESH, { problemSetId, unitId: id }))
    for (const person of persons)
      await personnel.amend(MESH, person.id, ({ unitId }) => (unitId === id ? { unitId: null } : null));
  const resource = await this.store(Resource).one(MESH, { tracksUnitId: id });
  if (resource)
    await this.store(Resource).amend(MESH, resource.id, ({ tracksUnitId }) =>
      tracksUnitId === id ? { tracksUnitId: null } : null,
    );
}
