import { z } from "zod";
import { TRANSPORTS, type Sighting } from "../../../../adapters/discovery/port.ts";
import { vendorOf } from "../../../../adapters/discovery/vendors.ts";
import { isGlobal } from "../../../../adapters/discovery/hardware-address.ts";
import { iso } from "../../../../core/clock.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { searchWords } from "../../../../core/records/reading/by-words.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { outsideIndexes } from "../../place.ts";
import { ACCESS_DECISIONS, type AccessDecision, type Matched } from "../access-list/matching.ts";
import { sight, watched } from "../reach.ts";
import { identitiesOf, identityOf, isStrong, strongest, textOfIdentity, type Identity } from "./identities.ts";

export const DEVICE_STATES = ["discovered", "identified", "allowed", "blocked", "disconnected", "lost"] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];

/** Lost after so many looks that did not find it, and no sooner than this. */
const MISSED = 3;
const LOST_MS = 600_000;
/** Most items of each kind that are kept of one device. */
const MOST_KEPT = 32;
export const KEPT_DAYS = 60;

export const PROPOSALS = ["allow", "block", "none"] as const;
export const METHODS = ["llm", "heuristic"] as const;
/** What an assistant makes of a device. It proposes; the access list decides. */
export const Analysis = z
  .object({
    verdict: z.enum(["benign", "suspicious", "malicious", "unknown"]),
    proposes: z.enum(PROPOSALS),
    confidence: z.number().min(0).max(1),
    rationale: z.string(),
    method: z.enum(METHODS),
    at: Instant,
    by: PersonId,
  })
  .meta({ id: "DeviceAnalysis" });

const Service = z.object({ type: z.string(), port: z.int().optional(), banner: z.string().optional() });

export const Device = entity("discovery.devices", {
  title: "device",
  fields: {
    ...watched,
    name: z.string().optional(),
    state: z.enum(DEVICE_STATES),
    decision: z.enum(ACCESS_DECISIONS).describe("What the access list says of it, also while it is lost."),
    identities: z
      .array(z.string())
      .describe(
        "Identifiers by which it is recognised, such as `mac:00:11:22:33:44:55`, strongest first; never a " +
          "network address. None of them is proved.",
      ),
    did: z.string().optional(),
    transports: z.array(z.enum(TRANSPORTS)).describe("Which saw it."),
    addresses: z.array(z.object({ address: z.string(), at: Instant })),
    macs: z.array(z.string()),
    services: z.array(Service),
    manufacturer: z.string().optional(),
    model: z.string().optional(),
    vendor: z.string().optional().describe("Who made its interface, by the global hardware address."),
    firstSeenAt: Instant,
    lastSeenAt: Instant,
    sightings: z.int(),
    targetId: TextId.optional().describe("The scan target under which it was seen last."),
    analysis: Analysis.optional(),
    disconnected: z
      .object({
        at: Instant,
        by: PersonId,
        reason: z.string(),
        pending: z.boolean().optional().describe("Its consequences are still being carried out."),
      })
      .optional()
      .describe("While the access list keeps it cut off."),
    everySeconds: z.int(),
    dueAt: Instant.optional(),
    /** The words that it is found by. */
    words: z.array(z.string()).optional(),
  },
  readonly: ["audience", "mode"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience", "mode", "everySeconds", "dueAt", "words"],
  filter: ["problemSetId", "state"],
  sort: ["lastSeenAt"],
  barrier: sight,
  lists: [{ by: ["problemSetId"] }],
  indexes: [
    ...outsideIndexes,
    { fields: ["audience", "state", "-createdAt"], sparse: true },
    { fields: ["audience", "-lastSeenAt"], sparse: true },
    { fields: ["dueAt"], sparse: true },
    { fields: ["lastSeenAt"] },
    { fields: ["mode"] },
    { fields: ["words"] },
  ],
});
export type Device = Item<typeof Device>;

/** Which device an identity stands for in a place: made once, so that two nodes that see it make one. */
export const KnownBy = entity("discovery.identities", {
  title: "identity",
  fields: { deviceId: TextId },
  indexes: [{ fields: ["deviceId"] }],
});

const lostAfterMs = (everySeconds: number): number => Math.max(MISSED * everySeconds * 1_000, LOST_MS);

export const identitiesOfDevice = ({ identities }: Pick<Device, "identities">): Identity[] =>
  identities.map(identityOf);

/** What of it is held against the access list. */
export const matchedOf = ({
  macs,
  addresses,
  did,
  name,
  identities,
}: Pick<Device, "macs" | "addresses" | "did" | "name" | "identities">): Matched => ({
  macs,
  identities,
  did,
  name,
  addresses: addresses.map(({ address }) => address),
});

/** Its state: what was decided, or how well it is known; lost where it was not seen for long. */
export function deviceState(
  device: Pick<Device, "identities" | "lastSeenAt" | "everySeconds">,
  decision: AccessDecision,
  now: number,
): DeviceState {
  if (Date.parse(device.lastSeenAt) + lostAfterMs(device.everySeconds) <= now) return "lost";
  if (decision !== "undecided") return decision;
  return identitiesOfDevice(device).some(isStrong) ? "identified" : "discovered";
}

type Seen = Pick<
  Device,
  | "identities"
  | "transports"
  | "addresses"
  | "macs"
  | "services"
  | "firstSeenAt"
  | "lastSeenAt"
  | "sightings"
  | "everySeconds"
> &
  Partial<Pick<Device, "name" | "did" | "manufacturer" | "model" | "vendor" | "dueAt" | "targetId" | "words">>;

const union = <T>(...lists: (readonly T[])[]): T[] => [...new Set(lists.flat())].slice(0, MOST_KEPT);
const KNOWN_NOTHING: Seen = {
  identities: [],
  transports: [],
  addresses: [],
  macs: [],
  services: [],
  firstSeenAt: "",
  lastSeenAt: "",
  sightings: 0,
  everySeconds: 0,
};

/** What is known of a device after one more look at it. Addresses that it had longer ago than it is lost after go. */
export function seenAgain(
  device: Seen | undefined,
  sighting: Sighting,
  { at, everySeconds, targetId }: { at: string; everySeconds: number; targetId?: string | undefined },
): Seen {
  const before = device ?? { ...KNOWN_NOTHING, firstSeenAt: at };
  const identities = [...identitiesOf(sighting), ...identitiesOfDevice(before)];
  const since = Date.parse(at) - lostAfterMs(everySeconds);
  const addresses = new Map(before.addresses.map((one) => [one.address, one.at]));
  for (const address of sighting.addresses) addresses.set(address, at);
  const services = new Map(
    [...before.services, ...sighting.services].map((one) => [`${one.type} ${one.port ?? ""}`, one] as const),
  );
  const macs = union(sighting.macs, before.macs);
  const made = macs
    .filter(isGlobal)
    .map(vendorOf)
    .find((vendor) => vendor !== undefined);
  const { name, did, manufacturer, model } = sighting;
  const called = {
    ...(name !== undefined && { name }),
    ...(manufacturer !== undefined && { manufacturer }),
    ...(model !== undefined && { model }),
    ...(made !== undefined && { vendor: made }),
  };
  return {
    identities: union(sorted(identities).map(textOfIdentity)),
    transports: union(before.transports, [sighting.transport]).sort(),
    addresses: [...addresses]
      .map(([address, when]) => ({ address, at: when }))
      .filter((one) => Date.parse(one.at) >= since)
      .sort((one, other) => other.at.localeCompare(one.at) || one.address.localeCompare(other.address))
      .slice(0, MOST_KEPT),
    macs,
    services: [...services.values()].slice(-2 * MOST_KEPT),
    firstSeenAt: before.firstSeenAt,
    lastSeenAt: at > before.lastSeenAt ? at : before.lastSeenAt,
    sightings: before.sightings + 1,
    everySeconds,
    dueAt: iso(Date.parse(at) + lostAfterMs(everySeconds)),
    ...called,
    words: wordsOf({ ...before, ...called }),
    ...(targetId !== undefined && { targetId }),
    ...(did !== undefined && { did }),
  };
}

const wordsOf = ({ name, manufacturer, model, vendor }: Partial<Device>): string[] =>
  searchWords(name, manufacturer, model, vendor);

/** The strongest first, those of one kind as they came. */
function sorted(identities: readonly Identity[]): Identity[] {
  const left = [...identities];
  const out: Identity[] = [];
  for (let next = strongest(left); next; next = strongest(left)) out.push(...left.splice(left.indexOf(next), 1));
  return out;
}
