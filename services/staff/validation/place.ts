import { z } from "zod";
import { Compartments } from "../../../core/access/place.ts";
import { TextId } from "../../../core/records/entity.ts";
import { EVERYWHERE } from "../agents/client.ts";

/**
 * What is known of an agent lies where the agent does. Whoever is signed in knows of those that lie in no problem set,
 * and of how well they do.
 */
export const suiteFields = {
  problemSetId: TextId.optional(),
  compartments: Compartments,
  scope: z.literal(EVERYWHERE).optional(),
};
export const suiteReach = {
  set: "problemSetId",
  compartments: "compartments",
  outside: () => [{ scope: EVERYWHERE }],
} as const;

export const suitePlace = ({ problemSetId, compartments }: { problemSetId?: string; compartments: string[] }) => ({
  ...(problemSetId === undefined ? { scope: EVERYWHERE } : { problemSetId }),
  compartments,
});
