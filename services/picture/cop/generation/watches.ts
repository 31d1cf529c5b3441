import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";
import { isNotFound, nullIf } from "../../../../core/problem.ts";
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

/** Nothing changes in an archived problem set, and nobody there could stop the watch over its picture: it ends. */
export async function endWatch(
  this: Host,
  { problemSetId, by }: { problemSetId: string; by: string },
  { time }: Fact,
): Promise<void> {
  await this.store(LayerWatch)
    .amend(asSystem("cop"), watchId(problemSetId), ({ on, since }) =>
      on && since <= time ? { on: false, by, since: time, reason: "The problem set was archived." } : null,
    )
    .catch(nullIf(isNotFound));
}
