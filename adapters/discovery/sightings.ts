import { isIP } from "node:net";
import { plain } from "../../core/text/plain.ts";
import { macOf } from "./hardware-address.ts";
import type { Offered, Sighting, Transport } from "./port.ts";

/** How many characters of a foreign text are read. */
const MOST_TEXT = 200;
/** The most items of each kind (services, addresses, …) in one sighting. */
const MOST_EACH = 32;

/** A foreign text as one clean line; undefined where nothing remains of it. */
export function words(text: unknown, most = MOST_TEXT): string | undefined {
  if (typeof text !== "string") return undefined;
  return (
    plain(text.slice(0, 4 * most))
      .slice(0, most)
      .toWellFormed() || undefined
  );
}

/** A device's description as received, before validation. */
export type ClaimedSighting = { [K in Exclude<keyof Sighting, "transport" | "services">]?: unknown } & {
  mac?: unknown;
  services?: readonly Partial<Record<keyof Offered, unknown>>[];
};

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)].slice(0, MOST_EACH);
const DID = /^did:[a-z0-9]+:[\w.:%-]+$/;

const isPort = (port: unknown): port is number =>
  Number.isInteger(port) && (port as number) > 0 && (port as number) < 65_536;

function offered({ type, port, banner }: Partial<Record<keyof Offered, unknown>>): Offered[] {
  const [kind, told] = [words(type, 80), words(banner, 100)];
  return kind ? [{ type: kind, ...(isPort(port) && { port }), ...(told && { banner: told }) }] : [];
}

/** A description as a sighting: unreadable fields are omitted, the others stay. */
export function sightingOf(transport: Transport, said: ClaimedSighting): Sighting {
  const text = <K extends string>(name: K, value: unknown): { [N in K]?: string } => {
    const clean = words(value);
    return (clean ? { [name]: clean } : {}) as { [N in K]?: string };
  };
  const did = words(said.did, 500);
  return {
    transport,
    ...(did && DID.test(did) && { did }),
    ...text("serial", said.serial),
    ...text("usn", said.usn),
    macs: distinct([...listed(said.macs), ...listed(said.mac)].flatMap((mac) => macOf(String(mac)) ?? [])),
    instances: distinct(listed(said.instances).flatMap((one) => words(one, 255) ?? [])),
    ...text("name", said.name),
    addresses: distinct(
      listed(said.addresses)
        .map((one) => String(one).toLowerCase())
        .filter((one) => isIP(one)),
    ),
    services: (said.services ?? []).slice(0, MOST_EACH).flatMap(offered),
    ...text("manufacturer", said.manufacturer),
    ...text("model", said.model),
  };
}

/** Several sightings of one device as one; where they differ the first wins. */
export function mergeSightings(sightings: readonly [Sighting, ...Sighting[]]): Sighting {
  const all = <K extends "macs" | "instances" | "addresses">(name: K): string[] =>
    distinct(sightings.flatMap((one) => one[name]));
  const services = new Map(
    sightings.flatMap((one) => one.services).map((one) => [`${one.type} ${one.port ?? ""}`, one] as const),
  );
  return {
    ...Object.assign({}, ...sightings.toReversed()),
    macs: all("macs"),
    instances: all("instances"),
    addresses: all("addresses"),
    services: [...services.values()].slice(0, MOST_EACH),
  };
}
