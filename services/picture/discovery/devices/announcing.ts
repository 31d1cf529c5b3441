import { z } from "zod";
import { live, liveType } from "../../../../core/contract/live.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { audienceOf, type Place } from "../../place.ts";
import { INSPECT, placeKey, watchedAt, type Watched } from "../reach.ts";
import { DEVICE_STATES, type Device } from "./devices.ts";

/** Events of one kind and place in a minute; those beyond are told as one number after it. */
const MOST_A_MINUTE = 10;
const MINUTE_MS = 60_000;

export const NEWS = ["found", "changed", "returned", "lost", "disconnected"] as const;
export type News = (typeof NEWS)[number];

const payload = z.object({
  kind: z.enum(NEWS),
  deviceId: z.string().optional().describe("Absent where it speaks of several."),
  state: z.enum(DEVICE_STATES).optional(),
  count: z.int().describe("How many devices: after ten of a kind in a minute the others are told as one number."),
});
export const DeviceChanged = liveType("device.changed", {
  domain: "discovery",
  summary: "Something became of a device, or of several, in a problem set",
  may: INSPECT,
  payload,
});
export const DeviceNoticed = liveType("device.noticed", {
  domain: "discovery",
  summary: "Something became of a device, or of several, that the platform itself sees (topic `discovery`)",
  permit: INSPECT,
  topics: ["discovery"],
  payload,
});

interface Unsaid {
  kind: News;
  place: Watched;
  count: number;
  until: number;
}
/** What a discovery service holds on its node. */
export interface Announcer extends Host {
  unsaid?: Map<string, Unsaid>;
}

const tell = (host: Host, place: Place, data: z.input<typeof payload>): Promise<unknown> =>
  live(host, {
    event: place.problemSetId === undefined ? DeviceNoticed : DeviceChanged,
    to: audienceOf("discovery", place),
    data,
  });

/** Whether one more of a kind may be told of this minute, on whatever node. */
export const mayTell = async (host: Host, kind: string, place: Place): Promise<boolean> =>
  (await taken(host, kind, place)).allowed;

const taken = (host: Host, kind: string, place: Place) =>
  host.world.limiter.take(`${host.world.env.NAMESPACE}:discovery:${kind}:${placeKey(place)}`, MOST_A_MINUTE, MINUTE_MS);

/** Tells whoever looks on of a device, or counts it towards the sum of its minute. */
export async function announce(host: Announcer, kind: News, device: Device): Promise<void> {
  const place = watchedAt(device);
  const { allowed, resetAt } = await taken(host, kind, place);
  if (allowed) {
    await tell(host, place, { kind, deviceId: device.id, state: device.state, count: 1 });
    return;
  }
  host.unsaid ??= new Map();
  const key = `${kind} ${placeKey(place)}`;
  const unsaid = host.unsaid.get(key) ?? { kind, place, count: 0, until: resetAt };
  host.unsaid.set(key, { ...unsaid, count: unsaid.count + 1 });
}

/** Tells the sums whose minute is over; on each node what it counted. */
export async function tellSums(this: Announcer): Promise<void> {
  const now = this.world.clock.now();
  for (const [key, { kind, place, count, until }] of this.unsaid ?? []) {
    if (until > now) continue;
    this.unsaid!.delete(key);
    await tell(this, place, { kind, count });
  }
}
