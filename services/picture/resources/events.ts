import { z } from "zod";
import { MODES } from "../../../core/access/training-mode.ts";
import { event } from "../../../core/events/event.ts";
import { READINESS } from "./registry/resources.ts";
import { NamedFact, factsInSet } from "../place.ts";

export { factsInSet };

type Words = (told: { name: string }) => string;
const about = (noun: string, words: Words) => ({ activity: { subject: [noun, "id"] as const, words } });

export const ResourceAdded = event(
  "picture.resource.added",
  NamedFact,
  about("resource", ({ name }) => `The resource "${name}" was added.`) as never,
);
const Names = z.array(z.string()).optional();
const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
export const ResourceChanged = event(
  "picture.resource.changed",
  NamedFact.extend({
    assigned: Names.describe("The missions that it was assigned to."),
    taken: Names.describe("Those that it was taken off."),
  }),
  {
    activity: {
      subject: ["resource", "id"],
      words: ({ name, assigned, taken }) => {
        const acts = [
          ...(assigned ? [`was assigned to ${quoted(assigned)}`] : []),
          ...(taken ? [`was taken off ${quoted(taken)}`] : []),
        ];
        return `The resource "${name}" ${acts.join(", and ") || "was changed"}.`;
      },
    },
  },
);
export const ResourceReadinessChanged = event(
  "picture.resource.readiness-changed",
  NamedFact.extend({ readiness: z.enum(READINESS) }),
  {
    activity: {
      subject: ["resource", "id"],
      words: ({ name, readiness }) =>
        `The resource "${name}" is ${readiness === "maintenance" ? "in maintenance" : readiness}.`,
    },
  },
);
export const ResourceRemoved = event(
  "picture.resource.removed",
  NamedFact,
  about("resource", ({ name }) => `The resource "${name}" was removed.`) as never,
);
/** NamedFact of resources outside of all sets too: their readings go. */
export const ResourceGone = event(
  "picture.resource.gone",
  z.object({ id: z.string(), audience: z.enum(MODES).optional() }),
);

/** Somebody set its thresholds: what they ask for no more ends, and their silence is waited for. Outside of all sets too. */
export const ThresholdsSet = event("picture.thresholds.set", z.object({ id: z.string() }));

/** A hint: resources of a problem set, or of all of a mode, are where their readings say. */
export const ResourceMoved = event(
  "picture.resource.moved",
  z.object({ problemSetId: z.string().optional(), audience: z.enum(MODES).optional(), ids: z.array(z.string()) }),
);
/** NamedFact of consumables outside of all sets too: who follows them lets them go. */
export const ConsumableGone = event("picture.consumable.gone", z.object({ id: z.string() }));

export const GroupAdded = event(
  "picture.resource-group.added",
  NamedFact,
  about("resource group", ({ name }) => `The resource group "${name}" was added.`) as never,
);
export const GroupRemoved = event(
  "picture.resource-group.removed",
  NamedFact,
  about("resource group", ({ name }) => `The resource group "${name}" was removed.`) as never,
);
export const PersonAdded = event(
  "picture.person.added",
  NamedFact,
  about("person", ({ name }) => `${name} was added to the personnel.`) as never,
);
export const PersonMoved = event(
  "picture.person.moved",
  NamedFact.extend({ unitId: z.string().nullable().optional().describe("The unit; null for none.") }),
  {
    activity: {
      subject: ["person", "id"],
      words: ({ name, unitId }) =>
        unitId === null ? `${name} is in no unit any more.` : `${name} was moved to another unit.`,
    },
  },
);
export const PersonRemoved = event(
  "picture.person.removed",
  NamedFact,
  about("person", ({ name }) => `${name} was taken off the personnel.`) as never,
);
export const ConsumableLow = event(
  "picture.consumable.low",
  NamedFact.extend({ reason: z.enum(["minimum", "forecast"]), level: z.number(), unit: z.string() }),
  {
    activity: {
      subject: ["consumable", "id"],
      words: ({ name, level, unit, reason }) =>
        reason === "minimum"
          ? `"${name}" runs short: ${level} ${unit} are left.`
          : `"${name}" will run out before more can come: ${level} ${unit} are left.`,
    },
  },
);
export const ConsumableRestocked = event(
  "picture.consumable.restocked",
  NamedFact,
  about("consumable", ({ name }) => `"${name}" is in sufficient stock again.`) as never,
);
const Alarm = NamedFact.extend({
  ...{ threshold: z.string(), key: z.string(), severity: z.string(), at: z.string() },
  isLate: z.literal(true).optional().describe("Its reading came long after it was taken."),
});
/** How it is, or how it was when a reading was taken that came late. */
const thenOrNow = ({ at, isLate }: { at: string; isLate?: true | undefined }, said: (is: string) => string): string =>
  isLate ? `${said("was")} at ${at.slice(0, 16).replace("T", " ")} UTC` : said("is");
const Cleared = Alarm.extend({
  isUnasked: z.literal(true).optional().describe("It ended since its threshold was taken away or changed."),
});
const Raised = Alarm.extend({
  why: z.enum(["value", "silence"]),
  measured: z.string().optional().describe("The reading that raised it, with its unit."),
});
export const ThresholdRaised = event("picture.threshold.raised", Raised, {
  activity: {
    subject: ["resource", "id"],
    words: ({ name, key, severity, why, measured, ...when }) =>
      why === "silence"
        ? `"${name}" sends no ${key} any more (${severity}).`
        : thenOrNow(when, (is) => `${key} of "${name}" ${is} beyond its bound`) +
          `${measured === undefined ? "" : `: ${measured}`} (${severity}).`,
  },
});
export const ThresholdAcknowledged = event("picture.threshold.acknowledged", Alarm, {
  activity: {
    subject: ["resource", "id"],
    words: ({ name, key, severity }) => `The alarm on ${key} of "${name}" (${severity}) was acknowledged.`,
  },
});
export const ThresholdCleared = event("picture.threshold.cleared", Cleared, {
  activity: {
    subject: ["resource", "id"],
    words: ({ name, key, isUnasked, ...when }) =>
      isUnasked
        ? `The alarm on ${key} of "${name}" was taken away.`
        : `${thenOrNow(when, (is) => `${key} of "${name}" ${is} within its bound again`)}.`,
  },
});
