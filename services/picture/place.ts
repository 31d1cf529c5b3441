import { z } from "zod";
import { lackFor, lacking, may, type Actor } from "../../core/access/access.ts";
import { MODES, modeOf, type Mode } from "../../core/access/training-mode.ts";
import { barrier, Compartments } from "../../core/access/place.ts";
import { TextId } from "../../core/records/entity.ts";
import type { Fact } from "../../core/events/event.ts";
import { invalid } from "../../core/problem.ts";

/** Where a record of the picture lies: in a problem set and its compartments, or outside of all, for all of one mode. */
export const placed = {
  problemSetId: TextId.optional().describe(
    "The problem set that it lies in. Without one it belongs to the platform, and everybody in your mode sees it.",
  ),
  compartments: Compartments,
  audience: z.enum(MODES).optional(),
};

export const reach = {
  ...barrier,
  outside: (actor: Actor): Record<string, string>[] => [{ audience: modeOf(actor) }],
};

/** The indexes by which records outside of all sets are found. */
export const outsideIndexes = [{ fields: ["audience", "-createdAt"], sparse: true }];

export interface Place {
  problemSetId?: string | undefined;
  compartments: string[];
  audience?: Mode | undefined;
}

/**
 * Where a new record is to lie. In a set the endpoint asked for the permit already; outside of all the caller's roles
 * must hold it. Throws 400 for compartments of no set, 403.
 */
export function placeFor(
  actor: Actor,
  { problemSetId, compartments = [] }: { problemSetId?: string | undefined; compartments?: readonly string[] },
  permit: string,
): Place {
  if (problemSetId !== undefined) return { problemSetId, compartments: [...new Set(compartments)].sort() };
  if (compartments.length)
    throw invalid([{ path: "compartments", message: "Compartments lie in a problem set: send its problemSetId." }]);
  demandOutside(actor, permit);
  return { compartments: [], audience: modeOf(actor) };
}

/** In the query of a list: what lies outside of all problem sets, alone. */
export const outsideAlone = {
  outside: z
    .boolean()
    .default(false)
    .describe("Only what lies outside of all problem sets; not beside `problemSetId`."),
};

/** The part of a list's query for it. Throws 400 where a problem set is asked for too. */
export function askedOutside(
  actor: Actor,
  { outside, problemSetId }: { outside: boolean; problemSetId?: string | undefined },
): { audience?: Mode } {
  if (!outside) return {};
  if (problemSetId !== undefined)
    throw invalid([{ path: "outside", message: "What lies in a problem set is not outside: send one of the two." }]);
  return { audience: modeOf(actor) };
}

/** Throws 403 where the caller's roles do not hold a permit that is needed outside of all problem sets. */
export function demandOutside(actor: Actor, permit: string): void {
  if (!may(actor, permit))
    throw lacking(`Outside of all problem sets this needs the permit ${permit}.`, lackFor(actor, permit));
}

/** For `when`: whether the caller may do this with a record outside of all sets; in one, the endpoint has asked. */
export const mayOutside =
  (permit: string) =>
  (actor: Actor, { problemSetId }: { problemSetId?: string | undefined }): boolean =>
    problemSetId !== undefined || may(actor, permit);

export const placeOf = ({ problemSetId, compartments, audience }: Place): Place => ({
  compartments,
  ...(problemSetId !== undefined && { problemSetId }),
  ...(audience && { audience }),
});

/** What lies where a record does: said so, it is found by one index. */
export const alikeIn = ({ problemSetId, audience }: Place): Record<string, string | undefined> =>
  problemSetId !== undefined ? { problemSetId } : { audience };

/** Whether two records lie in the same problem set, or both outside of all in one mode. */
export const sharePlace = (one: Place, other: Place): boolean =>
  one.problemSetId === other.problemSetId && one.audience === other.audience;

/**
 * Whether whoever sees what lies in a place sees another record too. Only such a one is named there: a name, or an id,
 * would tell that it is.
 */
export const isSeenWith = (other: Place, place: Place): boolean =>
  sharePlace(other, place) && other.compartments.every((id) => place.compartments.includes(id));

/** Whom a live event of a record is for. */
export const audienceOf = (topic: string, { problemSetId, compartments, audience }: Place) =>
  problemSetId !== undefined ? { problemSetId, compartments } : { topic, training: audience === "training" };

/** A record of the picture with what people call it. */
export interface NamedRecord extends Place {
  id: string;
  name: string;
}
/** The fact of something that happened in a problem set; outside of all there is no activity to tell it in. */
export const factsInSet = <T extends object>(
  type: { fact(subject: string, data: never): Fact },
  { id, problemSetId, compartments, name }: NamedRecord,
  by: string,
  more?: T,
): Fact[] =>
  problemSetId === undefined ? [] : [type.fact(id, { id, problemSetId, compartments, name, by, ...more } as never)];

/** What a fact of the picture tells of a named record in a problem set: where it lies, and who did it. */
export const NamedFact = z.object({
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  name: z.string(),
  by: z.string(),
});
