import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";
import { outsideIndexes, placed } from "../../place.ts";
import { pictureReach } from "../pictures.ts";

/** Whether a picture is watched: one record a problem set, and one a mode, which survives restarts. */
export const LayerWatch = entity("cop_watches", {
  title: "watch",
  fields: {
    ...placed,
    on: z.boolean(),
    by: PersonId.describe("Who started or stopped it."),
    since: Instant,
    reason: z.string().optional(),
  },
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience", "compartments"],
  barrier: pictureReach,
  indexes: [{ fields: ["on"] }, { fields: ["problemSetId"] }, ...outsideIndexes],
});
export type LayerWatch = Item<typeof LayerWatch>;

export const watchId = (picture: string): string => derivedId(`watch over the picture of ${picture}`);
