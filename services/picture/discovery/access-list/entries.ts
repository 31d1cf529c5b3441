import { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import type { Mode } from "../../../../core/access/training-mode.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { invalid, unprocessable } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { outsideIndexes } from "../../place.ts";
import { placeKey, sight, watched, type Watched } from "../reach.ts";
import { BY, ENTRY_KINDS, matcher, valueFor, type By, type AccessDecision, type Matched } from "./matching.ts";

const MESH = asSystem("discovery");
/** Entries of one problem set: all of a mode are read for each decision. */
const MOST_ENTRIES = 500;
const SLICE = 1_000;

/** A line of the list by which devices are let in or kept out. */
export const AccessListEntry = entity("discovery.access-list", {
  title: "entry of the access list",
  fields: {
    ...watched,
    kind: z.enum(ENTRY_KINDS),
    by: z.enum(BY).describe("The property of a device to compare."),
    value: z
      .string()
      .min(1)
      .max(500)
      .describe(
        "A hardware address; 6, 7 or 9 digits of one; an address; a network such as 10.1.0.0/16; a range such as " +
          "10.0.0.5-10.0.0.9; a DID; a name, whatever its case.",
      ),
    reason: z.string().max(500).optional(),
    expiresAt: Instant.optional().describe("When it expires."),
    deviceId: TextId.optional().describe("The device whose emergency disconnect put it there."),
    emergency: z.boolean().optional(),
    /** Its DID is refused everywhere, not in this place alone. */
    wide: z.boolean().optional(),
  },
  readonly: ["audience", "mode", "deviceId", "emergency", "wide"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience", "mode", "wide"],
  filter: ["problemSetId", "kind"],
  barrier: sight,
  most: {
    count: MOST_ENTRIES,
    per: ["problemSetId"],
    refusal: (count) =>
      unprocessable(
        "TOO_MANY_ENTRIES",
        `The access list of a problem set has at most ${count} entries in the same compartments.`,
      ),
  },
  lists: [{ by: ["problemSetId"] }],
  indexes: [
    ...outsideIndexes,
    { fields: ["audience", "kind", "-createdAt"], sparse: true },
    { fields: ["mode"] },
    { fields: ["by", "value"] },
    { fields: ["deviceId"], sparse: true },
    { fields: ["expiresAt"], sparse: true },
  ],
});
export type AccessListEntry = Item<typeof AccessListEntry>;

/** An entry is its place and what it says: the same twice is one. */
export const entryId = (place: Watched, { kind, by, value }: Pick<AccessListEntry, "kind" | "by" | "value">): string =>
  derivedId(`access list ${placeKey(place)} ${kind} ${by} ${value}`);

/** How values are written that have a form. */
const FORMS: Partial<Record<By, string>> = {
  mac: "00:1b:c5:00:00:01",
  oui: "00:1b:c5 (6, 7 or 9 digits)",
  ip: "10.0.0.5",
  cidr: "10.1.0.0/16",
  range: "10.0.0.5-10.0.0.9",
  did: "did:key:z6Mk…",
};

/** A value in its canonical form. Throws 400, naming the field, for one that does not fit its kind. */
export function canonicalValue(
  { by, value, expiresAt }: Pick<AccessListEntry, "by" | "value" | "expiresAt">,
  now: string,
): string {
  const text = valueFor(by, value);
  const as = FORMS[by] ? `, as ${FORMS[by]}` : "";
  const faults = [
    ...(text === undefined ? [{ path: "value", message: `This cannot be read as ${by}${as}.` }] : []),
    ...(expiresAt !== undefined && expiresAt <= now ? [{ path: "expiresAt", message: "It lies in the past." }] : []),
  ];
  if (text === undefined || faults.length) throw invalid(faults);
  return text;
}

/** Decides on devices of a place: by its own entries, and by the platform's. */
export type Deciding = (place: Watched, device: Matched) => AccessDecision;

/** The list of a mode as it stands in the store now: a decision is never made from what a node remembers. */
export async function listOf(host: Host, mode: Mode): Promise<Deciding> {
  const now = iso(host.world.clock.now());
  const entries: AccessListEntry[] = [];
  for await (const slice of host.store(AccessListEntry).slices(MESH, { mode }, { size: SLICE }))
    entries.push(...slice.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now));
  const made = new Map<string, (device: Matched) => AccessDecision>();
  return (place, device) => {
    const key = place.problemSetId === undefined ? "" : placeKey(place);
    const known = made.get(key) ?? matcher(entries.filter((entry) => reaches(entry, place)));
    made.set(key, known);
    return known(device);
  };
}

/** Whether an entry speaks of what lies in a place: the platform's of all, another one of its own set and nothing wider. */
const reaches = (entry: AccessListEntry, place: Watched): boolean =>
  entry.problemSetId === undefined ||
  (entry.problemSetId === place.problemSetId && entry.compartments.every((id) => place.compartments.includes(id)));

/** Where a DID was cut off by an emergency disconnect. */
export async function cutOffOf(host: Host, did: string): Promise<{ everywhere: boolean; problemSetIds: string[] }> {
  const entries = await host.store(AccessListEntry).find(MESH, { by: "did", value: did }, { limit: MOST_ENTRIES });
  const found = entries.filter(({ emergency, mode }) => emergency && mode === "operational");
  return {
    everywhere: found.some(({ wide }) => wide),
    problemSetIds: [...new Set(found.flatMap(({ problemSetId }) => problemSetId ?? []))],
  };
}

/** Whether a DID was cut off by an emergency disconnect: everywhere, or in this problem set. */
export async function isCutOff(host: Host, did: string, problemSetId?: string): Promise<boolean> {
  const { everywhere, problemSetIds } = await cutOffOf(host, did);
  return everywhere || (problemSetId !== undefined && problemSetIds.includes(problemSetId));
}
