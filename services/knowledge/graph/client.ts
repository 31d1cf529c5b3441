import type { Actor } from "../../../core/access/access.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import type { OsintEvent } from "./osint/osint.ts";

/** The graph as other domains ask it. */
const ask = <T>(host: Host, action: string, params: object): Promise<T> => host.ask(`graph.${action}`, params);

/** Tells the graph what an approved product of fusion says, or (`holds: false`) that it says so no longer. */
export const bearOnObjectives = (
  host: Host,
  assertion: {
    id: string;
    problemSetId: string;
    compartments: readonly string[];
    text: string;
    likelihood: number;
    at: string;
    holds: boolean;
  },
): Promise<null> => ask(host, "validities.bear", assertion);

export type { OsintEvent };

/** What an event says when it is recorded: the fields of `POST /api/graph/osint/events`. */
export type NewEvent = Pick<OsintEvent, "problemSetId"> &
  Partial<
    Pick<
      OsintEvent,
      "compartments" | "title" | "description" | "occurredAt" | "place" | "storyId" | "articleIds" | "credibility"
    >
  > & {
    /** What an OSINT source brought: one event an item in one place, as one a story. */
    itemId?: string | undefined;
  };

/**
 * Records an event on somebody's behalf, as `POST /api/graph/osint/events` does: one a story in one place, so that who
 * repeats it makes no second. Throws 404 where they do not see the place, 403 where they may not write there.
 */
export const recordEvent = (host: Host, actor: Actor, event: NewEvent): Promise<OsintEvent & { existed: boolean }> =>
  ask(host, "recordEventFor", { actor, event });

/** The events of a problem set that an actor sees, the newest first; at most 100. */
export const eventsSeenBy = (
  host: Host,
  actor: Actor,
  query: { problemSetId: string; storyIds?: readonly string[]; since?: string; limit?: number },
): Promise<OsintEvent[]> => ask(host, "eventsSeenBy", { actor, query });

export interface EntitySeen {
  id: string;
  name: string;
  aliases: string[];
  type: string;
  mentions: number;
  degree: number;
}
/** Entities of a problem set that an actor sees, found by these names; those that are not there are left out. */
export const entitiesNamed = (
  host: Host,
  actor: Actor,
  query: { problemSetId: string; names: readonly string[] },
): Promise<EntitySeen[]> => ask(host, "entitiesNamed", { actor, query });
