import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { outsideIndexes, placed, reach } from "../../place.ts";
import { daysLeft, perDay } from "./stock.ts";

/** As much as there can be of anything. */
export const MOST = 1e15;
export const Quantity = z.number().min(0).max(MOST);
export const Delta = z.number().min(-MOST).max(MOST);

export const Consumable = entity("resources.consumables", {
  title: "consumable",
  fields: {
    ...placed,
    name: z.string().trim().min(1).max(200),
    description: z.string().max(4_000).optional(),
    unit: z.string().min(1).max(40).describe("What it is counted in: `l`, `kg`, `packs`."),
    level: Quantity.default(0).describe("How much there is."),
    minimum: Quantity.default(0).describe("Short at this level and below, exactly."),
    capacity: Quantity.optional().describe("How much there can be; a higher level is refused."),
    leadTimeDays: z
      .number()
      .min(0)
      .max(3_650)
      .optional()
      .describe("Days until resupply: it is short if recent use would exhaust it before then."),
    resourceId: TextId.optional().describe("The resource that holds it."),
    leveledAt: Instant,
    /** Of `stock.ts`. */
    used: z.number(),
    days: z.number(),
    short: z.enum(["minimum", "forecast"]).optional(),
    shortSince: Instant.optional(),
    isTold: z.boolean(),
  },
  readonly: ["audience", "leveledAt", "used", "days", "short", "shortSince", "isTold"],
  immutable: ["problemSetId", "compartments", "unit"],
  hidden: ["audience", "used", "days", "isTold", "short"],
  filter: ["problemSetId"],
  sort: ["name"],
  barrier: reach,
  traced: true,
  lists: [
    { by: ["problemSetId"] },
    { by: ["audience"], having: "audience" },
    { by: ["problemSetId"], having: "shortSince", sort: ["shortSince"] },
    { by: ["audience"], having: "shortSince", sort: ["shortSince"] },
  ],
  indexes: [...outsideIndexes, { fields: ["resourceId"], sparse: true }],
});
export type Consumable = Item<typeof Consumable>;

export const ConsumableView = Consumable.view
  .extend({
    perDay: z.number().describe("How much is used a day, of late: what came in is left out. 0 in the first hour."),
    daysLeft: z.number().nullable().describe("For how long it lasts at that; null where nothing is known to be used."),
    low: z
      .object({
        reason: z
          .enum(["minimum", "forecast"])
          .describe("`minimum`: at it or below. `forecast`: used up before more can come."),
        since: Instant,
      })
      .nullable(),
  })
  .omit({ shortSince: true })
  .meta({ id: "Consumable" });

export const consumableView = ({ shortSince, short, ...one }: Consumable): z.output<typeof ConsumableView> => ({
  ...one,
  perDay: perDay(one),
  daysLeft: daysLeft(one) ?? null,
  low: short && shortSince !== undefined ? { reason: short, since: shortSince } : null,
});
