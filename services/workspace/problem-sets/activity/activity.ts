import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { event, type ActivityTrait, type EventType, type Fact } from "../../../../core/events/event.ts";
import { derivedBeside, derivedId } from "../../../../core/ids.ts";
import { liveType } from "../../../../core/contract/live.ts";
import { personDid, PersonId, textOfPersons } from "../../../../core/access/person-reference.ts";
import { barrier } from "../../../../core/access/place.ts";

/** What an item is about; of a member it is their DID, which stands in the words, too. */
export const Subject = z.object({ type: z.string(), id: personDid(z.string()) });

/** What happened in a problem set, for those who may know of it: it lies in the compartments that it happened in. */
export const Activity = entity("problem-sets.activity", {
  title: "activity item",
  fields: {
    problemSetId: TextId,
    compartments: z.array(TextId),
    kind: z.string().describe("`noun.what-happened`, as `gate.submitted`."),
    summary: textOfPersons(z.string()).describe("In words."),
    by: PersonId.describe("User id of who did it; `system:…` for the platform itself."),
    subject: Subject.optional(),
    at: Instant.describe("When it happened."),
  },
  immutable: ["problemSetId"],
  filter: ["kind", "by"],
  barrier,
  lists: [
    { by: ["problemSetId"], filter: [], sort: ["-at"] },
    { by: ["problemSetId", "kind"], filter: [], sort: ["-at"] },
  ],
  indexes: [
    // Few people act in a set, and in few ways: what the others did is looked for by each of them.
    {
      fields: ["problemSetId", "by", "kind", "compartments", "-at"],
      enumerated: ["by", "kind"],
      hiddenBy: "compartments",
    },
    { fields: ["subject.id"], sparse: true },
  ],
});
export type Activity = Item<typeof Activity>;

export const ActivityView = Activity.view.meta({ id: "ActivityItem" });
export const ActivityItem = liveType("activity.item", {
  domain: "problem-sets",
  summary: "Something happened in a problem set that you subscribed to",
  payload: ActivityView,
  may: "activity:read",
});

/** Up to when somebody has looked at a set's activity. */
export const ActivityRead = entity("problem-sets.activity-read", {
  title: "read mark",
  fields: { problemSetId: TextId, userId: z.string(), until: Instant },
  immutable: ["problemSetId", "userId"],
  barrier: { set: "problemSetId" },
});
export const readMarkId = (problemSetId: string, userId: string): string =>
  derivedId(`read in ${problemSetId} by ${userId}`);

export const EscalationFired = event(
  "workspace.escalation.fired",
  z.object({
    id: z.string(),
    problemSetId: z.string(),
    compartments: z.array(z.string()),
    by: z.string(),
    what: z.string(),
    reason: z.string(),
  }),
  { activity: { subject: ["escalation", "id"], words: ({ what, reason }) => `Escalated: ${what}. ${reason}` } },
);

interface Told {
  problemSetId: string;
  by: string;
  compartments?: string[];
  [field: string]: unknown;
}

/** How events become activity items, by the event's name. */
let kinds: ReadonlyMap<string, ActivityTrait> = new Map();

/** Learns the events of all domains; those with an activity trait become the kinds of activity. */
export function learnKinds(events: readonly EventType<any>[]): void {
  kinds = new Map(events.flatMap(({ name, activity }) => (activity ? [[name, activity] as const] : [])));
  const names = kindNames();
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new TypeError(`Two kinds of activity are called ${twice}.`);
}

/** `gate.submitted` of `workspace.gate.submitted`. */
const kindOf = (type: string): string => type.slice(type.indexOf(".") + 1);
export const kindNames = (): string[] => [...kinds.keys()].map(kindOf).sort();

/** A kind, of those there are once every domain is loaded. */
export const KindName = z.lazy(() => z.enum(kindNames() as [string, ...string[]]));

/**
 * The items that a fact makes; each has an id that follows from the fact, so that a fact told twice makes no second.
 */
export function itemsOf(fact: Fact): Omit<Activity, "rev" | "createdAt" | "updatedAt" | "createdBy">[] {
  const kind = kinds.get(fact.type);
  if (!kind) throw new TypeError(`${fact.type} is no kind of activity.`);
  const told = fact.data as unknown as Told;
  const sets = [told.problemSetId, ...(kind.also ? [String(told[kind.also])] : [])];
  const subject = kind.subject && { type: kind.subject[0], id: String(told[kind.subject[1]]) };
  return sets.map((problemSetId) => ({
    id: derivedBeside(fact.id, `activity of ${fact.id} in ${problemSetId}`),
    problemSetId,
    compartments: told.compartments ?? [],
    kind: kindOf(fact.type),
    summary: kind.words(told),
    by: told.by,
    at: fact.time,
    ...(subject && { subject }),
  }));
}
