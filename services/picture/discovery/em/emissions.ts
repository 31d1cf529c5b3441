import { z } from "zod";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { outsideIndexes } from "../../place.ts";
import { sight, watched } from "../reach.ts";

/** What was measured of the spectrum at a moment. */
export const Emission = entity("discovery.emissions", {
  title: "emission",
  fields: {
    ...watched,
    at: Instant,
    frequencyHz: z.number(),
    bandwidthHz: z.number(),
    powerDbm: z.number(),
    source: z.string().optional(),
    label: z.string().optional(),
  },
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience", "mode"],
  barrier: sight,
  indexes: [{ fields: ["problemSetId", "-at"] }, { fields: ["audience", "-at"], sparse: true }],
});
export type Emission = Item<typeof Emission>;

const MOST_EMITTERS = 200;
/** Something of our own that emits, as somebody declared it. */
export const Emitter = entity("discovery.emitters", {
  title: "emitter",
  fields: {
    ...watched,
    name: z.string().trim().min(1).max(120),
    frequencyHz: z.number().min(1).max(300e9),
    bandwidthHz: z.number().min(0).max(10e9).default(0),
    powerDbm: z.number().min(-200).max(120),
    dutyCycle: z.number().min(0).max(1).default(1).describe("The fraction of time that it emits."),
    mobile: z.boolean().default(false),
  },
  readonly: ["audience", "mode"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience", "mode"],
  barrier: sight,
  most: {
    count: MOST_EMITTERS,
    per: ["problemSetId"],
    refusal: (count) => unprocessable("TOO_MANY_EMITTERS", `At most ${count} emitters are declared in one place.`),
  },
  lists: [{ by: ["problemSetId"] }],
  indexes: outsideIndexes,
});
export type Emitter = Item<typeof Emitter>;

/** What a node's interfaces are, as it said last. */
export const NodeInterfaces = entity("discovery.nodes", {
  title: "node",
  fields: {
    node: z.string(),
    at: Instant,
    interfaces: z.array(
      z.object({
        name: z.string(),
        mac: z.string().optional(),
        addresses: z.array(z.string()),
        isInternal: z.boolean(),
      }),
    ),
  },
  indexes: [{ fields: ["at"] }],
});
