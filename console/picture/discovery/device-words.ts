import type { ListRow } from "../../api/client.ts";

export type DeviceShown = ListRow<"GET /discovery/devices">;
export type DeviceState = DeviceShown["state"];
export type DeviceTransport = DeviceShown["transports"][number];
export type EntryBy = ListRow<"GET /discovery/access-list">["by"];

export const STATES: readonly DeviceState[] = [
  ...(["discovered", "identified", "allowed", "blocked", "disconnected", "lost"] as const),
];
export const TONES = {
  discovered: "warn",
  identified: "info",
  allowed: "good",
  blocked: "bad",
  disconnected: "bad",
  lost: "plain",
} as const;

/** What an entry of the access list compares, in words; the last three are what an emergency puts there. */
export const BY_WORDS: Readonly<Record<EntryBy, string>> = {
  mac: "hardware address",
  oui: "beginning of the hardware address",
  ip: "network address",
  cidr: "network",
  range: "range of addresses",
  did: "DID",
  name: "name",
  serial: "serial number",
  usn: "UPnP name",
  instance: "mDNS name",
};

export const TRANSPORT_WORDS: Readonly<Record<DeviceTransport, string>> = {
  mdns: "mDNS",
  ssdp: "UPnP (SSDP)",
  tcp: "open ports",
  http: "web pages",
  client: "people's browsers",
  collector: "collectors",
};
export const inTransportWords = (transports: readonly DeviceTransport[]): string =>
  transports.map((one) => TRANSPORT_WORDS[one]).join(", ");

interface Trait {
  by: EntryBy;
  value: string;
}
/** `mac:00:1b:…` is known by its hardware address, 00:1b:…. */
export function traitOf(identity: string): Trait {
  const colon = identity.indexOf(":");
  return { by: identity.slice(0, colon) as EntryBy, value: identity.slice(colon + 1) };
}
export const inTraitWords = ({ by, value }: Trait): string => `${BY_WORDS[by]} ${value}`;

type Named = Pick<DeviceShown, "name" | "model" | "identities" | "addresses" | "macs">;
/** What a device is called: by itself, or by the best that is known of it. */
export const nameOfDevice = ({ name, model, identities, addresses, macs }: Named): string =>
  name ??
  model ??
  (identities[0] && traitOf(identities[0]).value) ??
  addresses[0]?.address ??
  macs[0] ??
  "Unknown device";

/** What of a device the access list can compare, the surest first. */
export const traitsOf = ({ identities, macs, addresses }: DeviceShown): Trait[] => {
  const known = identities.map(traitOf);
  const named = new Set(known.map(({ value }) => value));
  return [
    ...known,
    // Addresses drawn at random identify nothing, and are compared all the same.
    ...macs.filter((mac) => !named.has(mac)).map((value): Trait => ({ by: "mac", value })),
    ...addresses.map(({ address }): Trait => ({ by: "ip", value: address })),
  ];
};
