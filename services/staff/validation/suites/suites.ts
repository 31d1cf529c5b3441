import { z } from "zod";
import { entity, type Item } from "../../../../core/records/entity.ts";
import { suiteFields, suiteReach } from "../place.ts";
import { Case } from "./cases.ts";

export const MOST_CASES = 50;

export const Suite = entity("validation.suites", {
  title: "suite",
  fields: {
    ...suiteFields,
    name: z.string().trim().min(1).max(120),
    description: z.string().max(2_000).optional(),
    cases: z.array(Case).min(1).max(MOST_CASES),
  },
  readonly: ["scope"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["scope"],
  filter: ["problemSetId"],
  sort: ["name"],
  barrier: suiteReach,
  lists: [{ by: ["problemSetId"] }, { by: ["scope"] }],
  indexes: [{ fields: ["createdBy"] }],
});
export type Suite = Item<typeof Suite>;
