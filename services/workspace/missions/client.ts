import type { Ctx } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { Mission } from "./missions.ts";

export { PLACE, placed } from "./missions.ts";

/** What a mission is made from. */
export const newMission = Mission.create;

/** Ends the parts in a set's missions of somebody who is no member of it any more. */
export const leaveMissions = (host: Host, left: { problemSetId: string; userId: string }): Promise<null> =>
  host.ask("missions.leaveSet", left);

export interface MissionPlace {
  problemSetId: string;
  compartments: string[];
  status: Mission["status"];
  area?: Mission["area"];
}
/** Where a mission lies; 404 to a caller who does not see it. */
export const placeOfMission = (ctx: Ctx<unknown>, missionId: string): Promise<MissionPlace> =>
  ctx.call<MissionPlace, object>("missions.place", { missionId });
