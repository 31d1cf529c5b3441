import { isDeepStrictEqual } from "node:util";
import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { invalid, isNotFound, nullIf } from "../../../../core/problem.ts";
import { placeOfMission, type MissionPlace } from "../../../workspace/missions/client.ts";
import { isSeenWith, type Place } from "../../place.ts";
import { ThresholdsSet } from "../events.ts";
import { derived, refusals, type Resource } from "./resources.ts";
import { demandUnit } from "./tracking.ts";

type Given = Record<string, unknown> & Parameters<typeof derived>[0] & Parameters<typeof refusals>[0];

const missionsSeen = (ctx: Ctx<unknown>, ids: readonly string[]): Promise<(MissionPlace | null)[]> =>
  Promise.all(ids.map((id) => placeOfMission(ctx, id).catch(nullIf(isNotFound))));

/** Throws 400, naming the field, for missions that the caller does not see, of another problem set, or over by now. */
async function demandMissions(
  ctx: Ctx<unknown>,
  place: Place,
  missionIds: readonly string[],
  had: readonly string[] = [],
): Promise<void> {
  const seen = await missionsSeen(ctx, missionIds);
  const bad = seen.flatMap((mission, at) => {
    const message = refusalOf(mission, place, had.includes(missionIds[at]!));
    return message === undefined ? [] : { path: `missionIds.${at}`, message };
  });
  if (bad.length) throw invalid(bad);
}

function refusalOf(mission: MissionPlace | null, place: Place, isHad: boolean): string | undefined {
  if (!mission || mission.problemSetId !== place.problemSetId)
    return "There is no such mission in the problem set of the resource.";
  if (!mission.compartments.every((id) => place.compartments.includes(id)))
    return "It lies in a compartment that the resource does not lie in.";
  const isOver = mission.status === "completed" || mission.status === "archived";
  return isOver && !isHad ? `The mission is ${mission.status}: nothing is assigned to it any more.` : undefined;
}

/** What missions a change assigns a resource to, and which it takes it off: names that all see who see the resource. */
export async function reassigned(
  ctx: Ctx<unknown>,
  resource: Resource,
  { missionIds: after }: { missionIds?: string[] },
) {
  const { missionIds: before } = resource;
  if (!after) return {};
  const namesOf = async (ids: readonly string[]): Promise<string[]> =>
    (await missionsSeen(ctx, ids)).flatMap((one) => (one && isSeenWith(one, resource) ? one.name : []));
  const [assigned, taken] = await Promise.all([
    namesOf(after.filter((id) => !before.includes(id))),
    namesOf(before.filter((id) => !after.includes(id))),
  ]);
  return { ...(assigned.length && { assigned }), ...(taken.length && { taken }) };
}

/** The fields of a new resource, with what follows from them. */
export async function draftedResource(
  host: Host,
  ctx: Ctx<unknown>,
  place: Place,
  given: Given,
  locatedAt?: string,
): Promise<Given> {
  const wrong = refusals(given);
  if (wrong.length) throw invalid(wrong);
  await demandMissions(ctx, place, (given["missionIds"] as string[] | undefined) ?? []);
  if (typeof given["tracksUnitId"] === "string") await demandUnit(ctx, place, given["tracksUnitId"]);
  const at = iso(host.world.clock.now());
  const { cell, external, ...known } = derived(given, place);
  return {
    ...given,
    ...place,
    ...known,
    ...(cell && { cell }),
    ...(external && { external }),
    readinessAt: at,
    ...(given.location && { locatedAt: locatedAt ?? at }),
  };
}

/** What a change comes to, with what follows from it. */
export async function revised(
  host: Host,
  ctx: Ctx<unknown>,
  before: Resource,
  change: Record<string, unknown>,
  locatedAt?: string,
): Promise<Record<string, unknown>> {
  const after = { ...before, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) };
  // What was stored before a rule of these two came about is in nobody's way who changes something else.
  const wrong = change["series"] || change["thresholds"] ? refusals(after) : [];
  if (wrong.length) throw invalid(wrong);
  if (change["missionIds"]) await demandMissions(ctx, before, after.missionIds, before.missionIds);
  const { tracksUnitId } = change;
  if (typeof tracksUnitId === "string" && tracksUnitId !== before.tracksUnitId)
    await demandUnit(ctx, before, tracksUnitId);
  const moved = change["location"] !== undefined;
  const isReady = change["readiness"] !== undefined && change["readiness"] !== before.readiness;
  const at = iso(host.world.clock.now());
  const { cell, ...known } = derived(after, before);
  return {
    ...change,
    ...known,
    // Where it is not said where it is, it stays where it is by now.
    ...(moved && { cell, locatedAt: change["location"] === null ? null : (locatedAt ?? at) }),
    ...(isReady && { readinessAt: at, readinessReason: null }),
  };
}

/** That its thresholds were set, where they were. */
export const thresholdFacts = ({ id, thresholds }: Resource, before?: Resource): Fact[] =>
  isDeepStrictEqual(thresholds, before?.thresholds ?? []) ? [] : [ThresholdsSet.fact(id, { id })];
