import { z } from "zod";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";
import { sight, watched } from "../reach.ts";
import { EVIDENCE, type End } from "../reports/reports.ts";

/** That something said of two ends that they are linked: as it was said, since who they are may be found out later. */
export const Link = entity("discovery.links", {
  title: "link",
  fields: {
    ...watched,
    from: z.custom<End>((end) => typeof end === "object" && end !== null),
    to: z.custom<End>((end) => typeof end === "object" && end !== null),
    evidence: z.enum(EVIDENCE),
    confidence: z.number().optional(),
    cost: z.number().optional(),
    present: z.boolean(),
    lastSeenAt: Instant,
  },
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience", "mode"],
  barrier: sight,
  indexes: [
    { fields: ["problemSetId", "-lastSeenAt"] },
    { fields: ["audience", "-lastSeenAt"], sparse: true },
    { fields: ["lastSeenAt"] },
  ],
});
export type Link = Item<typeof Link>;
