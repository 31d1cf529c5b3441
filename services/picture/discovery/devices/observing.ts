import type { Sighting } from "../../../../adapters/discovery/port.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { isNotFound, nullIf, unprocessable } from "../../../../core/problem.ts";
import { alikeIn } from "../../place.ts";
import { listOf, type Deciding } from "../access-list/entries.ts";
import { DeviceFound } from "../events.ts";
import { placeKey, watchedAt, type Watched } from "../reach.ts";
import { announce, mayTell } from "./announcing.ts";
import { Device, identitiesOfDevice, KnownBy, matchedOf, seenAgain, deviceState, type DeviceState } from "./devices.ts";
import { contradicts, identitiesOf, textOfIdentity, type Identity } from "./identities.ts";

const MESH = asSystem("discovery");
/** Most devices of one place; beyond, only known ones are noted. */
const MOST_DEVICES = 20_000;

export interface ScanContext {
  place: Watched;
  everySeconds: number;
  targetId?: string;
  by: string;
  /** The access list, where it was read for several looks at once. */
  decides?: Deciding;
}

const knownId = (place: Watched, identity: Identity): string =>
  derivedId(`known in ${placeKey(place)} by ${textOfIdentity(identity)}`);

/** The device that a sighting is of: by the strongest identity that leads to one which nothing stronger denies. */
async function deviceOf(host: Host, place: Watched, identities: readonly Identity[]): Promise<Device | null> {
  const known = await host.store(KnownBy).many(
    MESH,
    identities.map((one) => knownId(place, one)),
  );
  const deviceIds = new Map(known.map(({ id, deviceId }) => [id, deviceId]));
  const devices = new Map(
    (await host.store(Device).many(MESH, [...new Set(deviceIds.values())])).map((device) => [device.id, device]),
  );
  for (const identity of identities) {
    const device = devices.get(deviceIds.get(knownId(place, identity)) ?? "");
    if (device && !contradicts(identitiesOfDevice(device), identities, identity.kind)) return device;
  }
  return null;
}

/** Stands for whatever answers at an address of a target while nothing tells what it is: nobody's identity. */
const placeholder = (place: Watched, { addresses, transport }: Sighting, targetId = ""): string =>
  derivedId(`answers in ${placeKey(place)} to ${transport} ${targetId} ${addresses[0] ?? ""}`);

/** Throws 422 where a place has as many devices as it may: whoever makes them up fills it, and nothing beyond. */
async function demandRoom(host: Host, place: Watched): Promise<void> {
  const count = await host.store(Device).collection.count({ query: alikeIn(place), most: MOST_DEVICES });
  if (count >= MOST_DEVICES)
    throw unprocessable("TOO_MANY_DEVICES", `There are ${MOST_DEVICES} devices here already; no more are noted.`);
}

/** Notes what was seen; answers the device as it is then. */
export async function observe(host: Host, sighting: Sighting, look: ScanContext): Promise<Device> {
  const { place, everySeconds, targetId, by } = look;
  const at = iso(host.world.clock.now());
  const decides = look.decides ?? (await listOf(host, place.mode));
  const identities = identitiesOf(sighting);
  const seen = { at, everySeconds, targetId };
  const after = (device: Device | undefined) => {
    const known = seenAgain(device, sighting, seen);
    const decision = decides(place, matchedOf(known));
    return { ...known, decision, state: deviceState(known, decision, host.world.clock.now()) };
  };
  const store = host.store(Device);
  let before: DeviceState | undefined;
  const again = (id: string): Promise<Device | null> =>
    store
      .change(MESH, id, (device) => {
        before = device.state;
        return after(device);
      })
      .catch(nullIf(isNotFound));
  const found = await deviceOf(host, place, identities);
  const id = found?.id ?? (identities[0] ? freshId(place, identities) : placeholder(place, sighting, targetId));
  let device = await again(id);
  if (!device) {
    await demandRoom(host, place);
    const tells = place.problemSetId !== undefined && (await mayTell(host, "found.fact", place));
    const made = await store.createOnce(
      MESH,
      { id, ...watchedAt(place), ...after(undefined) },
      { facts: (one: Device) => (tells ? [DeviceFound.fact(id, deviceEvent(one, by))] : []) },
    );
    device = made.made ? made.record : ((await again(id)) ?? made.record);
    if (made.made) await announce(host, "found", device);
  }
  if (before !== undefined && before !== device.state)
    await announce(host, before === "lost" ? "returned" : "changed", device);
  await knowBy(host, place, device, identities);
  return device;
}

export const deviceEvent = ({ id, problemSetId, compartments, name, identities }: Device, by: string) => ({
  id,
  problemSetId: problemSetId!,
  compartments,
  name: name ?? identities[0] ?? "unknown",
  by,
});

/** Two that see a new device at once make one; one that something stronger denies is another of its own. */
const freshId = (place: Watched, identities: readonly Identity[]): string =>
  derivedId(`device of ${placeKey(place)}: ${textOfIdentity(identities[0]!)}`);

/** What leads to no device yet leads to this one; what leads to another stays with it. */
async function knowBy(host: Host, place: Watched, device: Device, identities: readonly Identity[]): Promise<void> {
  const store = host.store(KnownBy);
  const ids = identities.map((one) => knownId(place, one));
  const known = new Set((await store.many(MESH, ids)).map(({ id }) => id));
  await Promise.all(
    ids.filter((id) => !known.has(id)).map((id) => store.createOnce(MESH, { id, deviceId: device.id })),
  );
}
