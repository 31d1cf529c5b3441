import { z } from "zod";
import { liveType } from "../../../../core/contract/live.ts";
import { showing } from "../../../../core/events/showing.ts";
import { Member } from "../members/members.ts";
import { Compartment } from "./compartments.ts";

export const CompartmentAltered = liveType("compartment.changed", {
  domain: "problem-sets",
  summary: "A compartment that you manage, or who is read into one, changed; you need not be read into it",
  may: "compartments:manage",
  payload: z.object({ problemSetId: z.string() }),
});

/** Whoever manages compartments sees all of them and who is read in; what lies in them is told to others. */
const tell = ({ problemSetId }: { problemSetId: string }) => [
  { event: CompartmentAltered, to: { problemSetId }, data: { problemSetId } },
];
export const COMPARTMENTS_SHOWN = [showing(Compartment, tell), showing(Member, tell)];
