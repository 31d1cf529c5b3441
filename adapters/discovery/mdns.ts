import dns from "dns-packet";
import type { Sighting } from "./port.ts";
import { mergeSightings, sightingOf, type ClaimedSighting } from "./sightings.ts";

export const MDNS_GROUP = "224.0.0.251";
export const MDNS_PORT = 5353;
/** The question that every device with a service answers (RFC 6763 §9). */
export const ALL_SERVICES = "_services._dns-sd._udp.local";

const HEADER = 12;
const RESPONSE = 0x8000;
const MOST_RECORDS = 512;
const POINTER = 0xc0;

interface Read {
  name: string;
  type: string;
  data: unknown;
}

/** Where a name ends, without following its pointers; undefined where it does not. */
function afterName(bytes: Buffer, from: number): number | undefined {
  for (let at = from; at < bytes.length;) {
    const length = bytes[at]!;
    if (length === 0) return at + 1;
    if ((length & POINTER) === POINTER) return at + 2;
    if (length & POINTER) return undefined;
    at += length + 1;
  }
  return undefined;
}

/**
 * The records of an answer. Each is decoded separately, by its stated length: the library would discard a whole packet
 * for one bad record.
 */
export function recordsOf(bytes: Buffer): Read[] {
  if (bytes.length < HEADER || !(bytes.readUInt16BE(2) & RESPONSE)) return [];
  let at: number | undefined = HEADER;
  for (let left = bytes.readUInt16BE(4); left > 0; left--) {
    const end = afterName(bytes, at);
    if (end === undefined || end + 4 > bytes.length) return [];
    at = end + 4;
  }
  const told = bytes.readUInt16BE(6) + bytes.readUInt16BE(8) + bytes.readUInt16BE(10);
  const read: Read[] = [];
  for (let left = Math.min(told, MOST_RECORDS); left > 0; left--) {
    const end = afterName(bytes, at);
    if (end === undefined || end + 10 > bytes.length) break;
    const next: number = end + 10 + bytes.readUInt16BE(end + 8);
    if (next > bytes.length) break;
    read.push(...recordAt(bytes.subarray(0, next), at));
    at = next;
  }
  return read;
}

/** One record, or none: a fault affects only its own record, and a goodbye (TTL 0) counts as absent. */
function recordAt(bytes: Buffer, at: number): Read[] {
  try {
    const { name, type, ttl, data } = dns.answer.decode(bytes, at);
    return ttl === 0 ? [] : [{ name: name.toLowerCase(), type, data }];
  } catch {
    return [];
  }
}

/** Keys of TXT records in which devices describe themselves, as used by AirPlay, IPP, HAP, Cast and ourselves. */
const TOLD: Readonly<Record<string, keyof ClaimedSighting>> = {
  did: "did",
  sn: "serial",
  serial: "serial",
  serialnumber: "serial",
  mac: "mac",
  deviceid: "mac",
  md: "model",
  model: "model",
  ty: "model",
  usb_mdl: "model",
  mfg: "manufacturer",
  usb_mfg: "manufacturer",
  manufacturer: "manufacturer",
  fn: "name",
};

function textsOf(data: unknown): ClaimedSighting {
  const said: Record<string, unknown> = {};
  for (const part of Array.isArray(data) ? data.slice(0, 64) : [data]) {
    const text = Buffer.isBuffer(part) ? part.toString("utf8") : String(part ?? "");
    const [key, ...rest] = text.split("=");
    const field = TOLD[key!.toLowerCase()];
    if (field && rest.length) said[field] ??= rest.join("=");
  }
  return said;
}

const isAddress = ({ type }: Read): boolean => type === "A" || type === "AAAA";
const lower = (data: unknown): string => String(data).toLowerCase();
const withoutLocal = (host: string): string => host.replace(/\.local\.?$/, "");
/** `hall printer._ipp._tcp.local` → `_ipp._tcp` */
const serviceOf = (instance: string): string | undefined =>
  /(?:^|\.)(_[^.]+\._(?:tcp|udp))\.local$/.exec(instance)?.[1];

/** Kinds of services that devices offer, to be asked for next. */
export const offeredKinds = (records: readonly Read[]): string[] => [
  ...new Set(
    records.filter(({ name, type }) => type === "PTR" && name === ALL_SERVICES).map(({ data }) => lower(data)),
  ),
];

/**
 * The devices in these records: records of one host are one device, an instance without a known host is one by itself.
 */
export function mdnsSightings(records: readonly Read[], address?: string): Sighting[] {
  const hosts = new Map<string, Sighting[]>();
  const add = (host: string, said: ClaimedSighting): void => {
    hosts.set(host, [...(hosts.get(host) ?? []), sightingOf("mdns", said)]);
  };
  const hostOf = new Map<string, string>();
  for (const { name, type, data } of records) {
    if (type !== "SRV" || !serviceOf(name)) continue;
    const { target, port } = data as { target: string; port: number };
    hostOf.set(name, lower(target));
    add(lower(target), { instances: [name], services: [{ type: serviceOf(name), port }] });
  }
  for (const record of records) {
    const { name, type, data } = record;
    if (isAddress(record)) add(name, { addresses: [data] });
    else if (type === "TXT" && serviceOf(name)) add(hostOf.get(name) ?? name, { instances: [name], ...textsOf(data) });
    else if (type === "PTR" && serviceOf(lower(data)) && name !== ALL_SERVICES && serviceOf(name))
      add(hostOf.get(lower(data)) ?? lower(data), {
        instances: [lower(data)],
        services: [{ type: serviceOf(lower(data)) }],
      });
  }
  return [...hosts].slice(0, 256).map(([host, looks]) => {
    const own = serviceOf(host) ? {} : { name: withoutLocal(host) };
    const from = address !== undefined && hosts.size === 1 ? { addresses: [address] } : {};
    const [first, ...rest] = looks as [Sighting, ...Sighting[]];
    return mergeSightings([first, ...rest, sightingOf("mdns", { ...own, ...from })]);
  });
}

/**
 * A question for these kinds. It is sent from another port than mDNS's, so that answers come to the sender alone (RFC
 * 6762 §6.7).
 */
export const mdnsQuestion = (kinds: readonly string[]): Buffer =>
  dns.encode({
    type: "query",
    questions: kinds.map((name) => ({ name, type: "PTR", class: "IN" })),
  });
