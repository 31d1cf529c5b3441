import type { Ctx } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { Unit } from "./units.ts";

export { RELATIONSHIP_KINDS as RELATIONSHIPS } from "./relationships.ts";

/** What a unit is made from. */
export const newUnit = Unit.create;

/** A unit as the caller sees it; 404 where they do not. */
export const unitOf = (ctx: Ctx<unknown>, id: string): Promise<Unit> =>
  ctx.call<Unit, object>("command.units.get", { id });

/** Where a unit is since a moment. */
export interface UnitPlace {
  id: string;
  problemSetId: string;
  location: { latitude: number; longitude: number };
  at: string;
}

/** Brings units to where they are; one whose place came to be known later stays. A thousand at a time at most. */
export const placeUnits = (host: Host, places: readonly UnitPlace[]): Promise<null> =>
  host.ask("command.units.place", { places });
