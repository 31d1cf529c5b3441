import { isDeepStrictEqual } from "node:util";
import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { invalid, isNotFound, nullIf } from "../../../../core/problem.ts";
import { placeOfMission } from "../../../workspace/missions/client.ts";
import type { Place } from "../../place.ts";
import { ThresholdsSet } from "../events.ts";
import { derived, refusals, type Resource } from "./resources.ts";
import { demandUnit } from "./tracking.ts";

type Given = Record<string, unknown> & Parameters<typeof derived>[0] & Parameters<typeof refusals>[0];

/** Throws 400, naming the field, for missions that the caller does not see, or of another problem set. */
async function demandMissions(ctx: Ctx<unknown>, place: Place, missionIds: readonly string[]): Promise<void> {
  const seen = await Promise.all(missionIds.map((id) => placeOfMission(ctx, id).catch(nullIf(isNotFound))));
  const bad = seen.flatMap((mission, at) =>
    !mission || mission.problemSetId !== place.problemSetId
      ? [{ path: `missionIds.${at}`, message: "There is no such mission in the problem set of the resource." }]
      : mission.compartments.every((id) => place.compartments.includes(id))
        ? []
        : [{ path: `missionIds.${at}`, message: "It lies in a compartment that the resource does not lie in." }],
  );
  if (bad.length) throw invalid(bad);
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
  if (change["missionIds"]) await demandMissions(ctx, before, after.missionIds);
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
