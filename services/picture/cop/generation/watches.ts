import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

/** Whether a problem set's picture is watched: one record a set, which survives restarts. */
export const Watch = entity("cop_watches", {
  title: "watch",
  fields: {
    problemSetId: TextId,
    on: z.boolean(),
    by: PersonId.describe("Who turned it on or off."),
    since: Instant,
    reason: z.string().optional(),
  },
  immutable: ["problemSetId"],
  barrier: { set: "problemSetId" },
  indexes: [{ fields: ["on"] }, { fields: ["problemSetId"], unique: true }],
});
export type Watch = Item<typeof Watch>;

export const watchId = (problemSetId: string): string => derivedId(`watch over the picture of ${problemSetId}`);
