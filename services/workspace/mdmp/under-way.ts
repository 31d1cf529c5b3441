import type { Ctx } from "../../../core/access/caller.ts";
import { conflict } from "../../../core/problem.ts";
import { placeOfMission, type MissionPlace } from "../missions/client.ts";

/** Where a mission lies. Throws 409 where it is over: what was planned for it stays as it was. */
export async function placeUnderWay(ctx: Ctx<unknown>, missionId: string): Promise<MissionPlace> {
  const place = await placeOfMission(ctx, missionId);
  if (place.status === "completed" || place.status === "archived")
    throw conflict(`The mission is ${place.status}: nothing is planned for it any more.`);
  return place;
}
