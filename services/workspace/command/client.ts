import { Unit } from "./units.ts";

export { KINDS as RELATIONSHIPS } from "./relationships.ts";

/** What a unit is made from. */
export const newUnit = Unit.create;
