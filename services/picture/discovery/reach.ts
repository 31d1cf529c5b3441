import { z } from "zod";
import { holds, lackFor, lacking, memberOf, type Actor } from "../../../core/access/access.ts";
import { MODES, modeOf, type Mode } from "../../../core/access/training-mode.ts";
import { Compartments } from "../../../core/access/place.ts";
import { TextId } from "../../../core/records/entity.ts";
import type { Query } from "../../../core/records/documents.ts";
import { mayOutside, placed, placeFor, reach, type Place } from "../place.ts";

/** Everybody may read; what is found on networks is for those whose work it is. */
export const INSPECT = "discovery:inspect";
export const REPORT = "discovery:report";
export const OPERATE = "discovery:operate";
export const DECIDE = "discovery:decide";
export const DISCONNECT = "discovery:disconnect";
export const ADMINISTER = "discovery:administer";

const set = "problemSetId";
export const inspecting = { set, may: INSPECT };
export const reporting = { set, may: REPORT };
export const deciding = { set, may: DECIDE };

/** Where a record of discovery lies, and of which mode it is: a problem set is of one, and so are its records. */
export const watched = { ...placed, mode: z.enum(MODES) };
export type Watched = Place & { mode: Mode };

/** As that of the picture, and outside of all sets for those alone who inspect. */
export const sight = {
  ...reach,
  outside: (actor: Actor): Record<string, string>[] => (holds(actor.permits, INSPECT) ? reach.outside(actor) : []),
};

/** What the platform finds by itself lies outside of all sets, in operations. */
export const PLATFORM: Watched = { compartments: [], audience: "operational", mode: "operational" };

export const placeFields = { problemSetId: placed.problemSetId, compartments: Compartments };
export const placeQuery = {
  problemSetId: TextId.optional().describe("Of this problem set; without one, the platform's own."),
};

/** Where a new record lies. Throws 400, 403. */
export const watchedFor = (
  actor: Actor,
  given: { problemSetId?: string | undefined; compartments?: readonly string[] },
  permit: string,
): Watched => ({ ...placeFor(actor, given, permit), mode: modeOf(actor) });

/** Where another record lies. */
export const watchedAt = ({ problemSetId, compartments, audience, mode }: Watched): Watched => ({
  compartments,
  mode,
  ...(problemSetId !== undefined && { problemSetId }),
  ...(audience && { audience }),
});

/** The records of one problem set, or the platform's own. Throws 403 where the caller may not see those. */
export function askedPlace(actor: Actor, { problemSetId }: { problemSetId?: string | undefined }): Query {
  if (problemSetId !== undefined) return { problemSetId };
  if (!holds(actor.permits, INSPECT))
    throw lacking(`Outside of all problem sets this needs the permit ${INSPECT}.`, lackFor(actor, INSPECT));
  return { audience: modeOf(actor) };
}

/** Throws 403 where the caller may see a record, but not do this with it. */
export function demandAt(actor: Actor, record: Place, permit: string): void {
  if (record.problemSetId !== undefined) memberOf(actor, record.problemSetId, permit, { writes: true });
  else if (!mayOutside(permit)(actor, record))
    throw lacking(`This needs the permit ${permit}.`, lackFor(actor, permit));
}

/** Names a place: records of two places are two, whatever they tell of. */
export const placeKey = ({ problemSetId, audience, compartments }: Place): string =>
  JSON.stringify([problemSetId ?? null, audience ?? null, [...compartments].sort()]);
