import { z } from "zod";
import { Compartments } from "../../../core/access/place.ts";
import { TextId } from "../../../core/records/entity.ts";
import { EVERYWHERE } from "../agents/client.ts";

/** Records about an agent lie where the agent does. Those of shared agents are visible to every signed-in user. */
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
