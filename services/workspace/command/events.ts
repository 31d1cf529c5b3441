import { z } from "zod";
import { event } from "../../../core/records/event.ts";

const Told = z.object({ id: z.string(), problemSetId: z.string(), compartments: z.array(z.string()), by: z.string() });
export const UnitCreated = event("workspace.unit.created", Told.extend({ name: z.string() }));
export const UnitChanged = event("workspace.unit.changed", Told.extend({ name: z.string() }));
export const UnitRemoved = event("workspace.unit.removed", Told.extend({ name: z.string() }));
export const RelationshipCreated = event("workspace.command-relationship.created", Told.extend({ kind: z.string() }));
export const RelationshipChanged = event("workspace.command-relationship.changed", Told.extend({ kind: z.string() }));
export const RelationshipRemoved = event("workspace.command-relationship.removed", Told.extend({ kind: z.string() }));
