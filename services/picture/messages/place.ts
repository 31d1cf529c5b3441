import type { Actor } from "../../../core/access/access.ts";
import { modeOf, type Mode } from "../../../core/access/training-mode.ts";
import type { Query } from "../../../core/records/documents.ts";
import { derivedId } from "../../../core/ids.ts";
import { barrier } from "../../../core/access/place.ts";

/** Somebody as one end of a direct message, in one mode. */
export const endOf = (mode: Mode, userId: string): string => `${mode}:${userId}`;

/** Whom an end of a direct message stands for: one person, while they are in its mode. */
export function personAt(end: string): { userId: string; training: boolean } {
  const colon = end.indexOf(":");
  return { userId: end.slice(colon + 1), training: end.slice(0, colon) === "training" };
}

/**
 * What a channel and its messages stand behind. In a problem set: membership, and being read into all of the channel's
 * compartments. Outside of all: everybody of the mode (`audience`), or the two ends of a direct message (`from`, `to`),
 * and nobody else.
 */
export const channelReach = {
  ...barrier,
  outside: (actor: Actor): Record<string, string>[] => {
    const me = endOf(modeOf(actor), actor.userId);
    return [{ audience: modeOf(actor) }, { from: me }, { to: me }];
  },
};

/** The same question of every place where the caller may see messages, one by one. */
export const everywhere = (actor: Actor, query: Query): Query[] => [
  ...Object.keys(actor.memberships ?? {}).map((problemSetId) => ({ ...query, problemSetId })),
  ...channelReach.outside(actor).map((place) => ({ ...query, ...place })),
];

/** Where a channel lies, and so every message in it. */
export interface MessagePlace {
  problemSetId?: string;
  compartments: string[];
  audience?: Mode;
  from?: string;
  to?: string;
}
export const PLACE = ["problemSetId", "compartments", "audience", "from", "to"] as const;

export const channelPlaceOf = ({ problemSetId, compartments, audience, from, to }: MessagePlace): MessagePlace => ({
  compartments,
  ...(problemSetId !== undefined && { problemSetId }),
  ...(audience && { audience }),
  ...(from && { from }),
  ...(to && { to }),
});

/** A channel is its place and its name: its id follows from them, so that nobody is told that a name is taken. */
export const channelId = ({ problemSetId, compartments, audience }: MessagePlace, name: string): string =>
  derivedId(`channel ${JSON.stringify([problemSetId ?? null, audience ?? null, [...compartments].sort(), name])}`);

/** What two people send one another is in order too, whoever of them sends. */
export const directId = ({ from, to }: { from: string; to: string }): string =>
  derivedId(`direct ${[from, to].sort().join(" ")}`);
