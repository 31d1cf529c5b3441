import type { Ctx } from "../../../core/access/caller.ts";
import { Unit } from "./units.ts";

export { KINDS as RELATIONSHIPS } from "./relationships.ts";

/** What a unit is made from. */
export const newUnit = Unit.create;

/** A unit as the caller sees it; 404 where they do not. */
export const unitOf = (ctx: Ctx<unknown>, id: string): Promise<Unit> =>
  ctx.call<Unit, object>("command.units.get", { id });
