import type { z } from "zod";
import type { Ctx } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { MOST_PLACES } from "../../../core/geo/placed.ts";
import { nullIf } from "../../../core/problem.ts";
import { Mission, type Span } from "./missions.ts";

export { PLACE, missionFields } from "./missions.ts";

/** What a mission is made from. */
export const newMission = Mission.create;

/** Ends a person's participation in all missions of a set, for one who is no longer its member. */
export const leaveMissions = (host: Host, left: { problemSetId: string; userId: string }): Promise<null> =>
  host.ask("missions.leaveSet", left);

export interface MissionPlace {
  name: string;
  problemSetId: string;
  compartments: string[];
  status: Mission["status"];
  area?: Mission["area"];
}
/** Where a mission lies; 404 to a caller who does not see it. */
export const placeOfMission = (ctx: Ctx<unknown>, missionId: string): Promise<MissionPlace> =>
  ctx.call<MissionPlace, object>("missions.place", { missionId });

export type MissionSpan = z.output<typeof Span>;
/** From when until when missions are, of those that are not over; none where no mission is known in this mesh. */
export async function spansOfMissions(host: Host, ids: readonly string[]): Promise<MissionSpan[]> {
  const spans: MissionSpan[] = [];
  for (let at = 0; at < ids.length; at += MOST_PLACES) {
    const asked = host.ask<MissionSpan[]>("missions.spans", { ids: ids.slice(at, at + MOST_PLACES) });
    spans.push(...((await asked.catch(nullIf(isNotServed))) ?? []));
  }
  return spans;
}
const isNotServed = (error: unknown): boolean => (error as { type?: string }).type === "SERVICE_NOT_FOUND";
