import { z } from "zod";
import { MODES } from "../../../core/access/training-mode.ts";
import { entity, type Item } from "../../../core/records/entity.ts";

/** The mode a person works in, under the person's own id; whoever never chose one is in operations. */
export const Mode = entity("user-mode", {
  title: "user mode",
  collection: "user_modes",
  fields: {
    mode: z
      .enum(MODES)
      .describe("`training`: you see only training problem sets, and acts with an external effect are simulated."),
  },
});
export type Mode = Item<typeof Mode>;

/** The mode in effect, and since when; `since` is absent while none was ever chosen. */
export const ModeView = z
  .object({ mode: Mode.record.shape.mode, since: Mode.record.shape.updatedAt.optional() })
  .meta({ id: "UserMode" });

export const modeView = (kept: Mode | null): z.output<typeof ModeView> =>
  kept ? { mode: kept.mode, since: kept.updatedAt } : { mode: "operational" };
