import { holds, type Actor } from "../../../core/access/access.ts";
import { modeOf, type MODES } from "../../../core/access/training-mode.ts";
import { barrier } from "../../../core/access/place.ts";
import { type Place } from "../place.ts";

const OUTSIDE = "outside ";

/**
 * What a picture is called within the mesh: by the id of its problem set; outside of all there is one for each mode.
 * No problem set is called so: an id has no spaces.
 */
export const pictureOf = ({ problemSetId, audience }: Pick<Place, "problemSetId" | "audience">): string =>
  problemSetId ?? `${OUTSIDE}${audience}`;

/** What lies in a picture: its problem set, or the mode of those whom it is for. */
export const inPicture = (picture: string): { problemSetId?: string; audience?: (typeof MODES)[number] } =>
  picture.startsWith(OUTSIDE)
    ? { audience: picture.slice(OUTSIDE.length) as (typeof MODES)[number] }
    : { problemSetId: picture };

/** The picture that somebody asks for: of a problem set, or without one that of everybody of their mode. */
export const askedPicture = (actor: Actor, problemSetId: string | undefined): ReturnType<typeof inPicture> =>
  problemSetId !== undefined ? { problemSetId } : { audience: modeOf(actor) };

/** Outside of all problem sets a picture is for everybody of its mode whose roles let them look at pictures. */
export const pictureReach = {
  ...barrier,
  outside: (actor: Actor): Record<string, string>[] =>
    holds(actor.permits, "cop:read") ? [{ audience: modeOf(actor) }] : [],
};
