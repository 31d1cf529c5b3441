import { macOf } from "../../../../adapters/discovery/hardware-address.ts";
import type { End } from "../reports/reports.ts";
import type { Link } from "./links.ts";

/** The platform itself, as an end of links. */
export const PLATFORM_NODE = "platform";

/** What of a device the ends of links are resolved by. */
export interface KnownDevice {
  id: string;
  did?: string | undefined;
  name?: string | undefined;
  model?: string | undefined;
  compartments?: readonly string[];
  state: string;
  macs: readonly string[];
  addresses: readonly { address: string; at: string }[];
}
export interface GraphNode {
  id: string;
  kind: "device" | "platform" | "unidentified";
  name?: string;
  state?: string;
  compartments?: readonly string[];
}
export interface TopologyEdge {
  from: string;
  to: string;
  evidence: string[];
  /** 0 to 1. */
  confidence: number;
  cost: number;
  lastSeenAt: string;
  isOneSided: boolean;
  isManual: boolean;
}
export interface Graph {
  nodes: GraphNode[];
  edges: TopologyEdge[];
}

/** Finds the device that an end is: any interface's hardware address before a name, and an address last. */
function resolver(devices: readonly KnownDevice[]): (end: End) => string | undefined {
  const ids = new Set(devices.map(({ id }) => id));
  const byId = [...devices].sort((one, other) => one.id.localeCompare(other.id));
  const index = (keys: (device: KnownDevice) => readonly string[]): Map<string, string | null> => {
    const found = new Map<string, string | null>();
    for (const device of byId)
      for (const key of new Set(keys(device))) found.set(key, found.has(key) ? null : device.id);
    return found;
  };
  const byMac = index(({ macs }) => macs);
  const byDid = index(({ did }) => (did === undefined ? [] : [did]));
  const byName = index(({ name }) => (name === undefined ? [] : [name.toLowerCase()]));
  const latest = byId
    .flatMap(({ id, addresses }) => addresses.map((one) => ({ ...one, id })))
    .sort((one, other) => one.at.localeCompare(other.at));
  const byAddress = new Map(latest.map(({ address, id }) => [address, id]));
  return ({ deviceId, did, macs = [], name, address }) => {
    if (deviceId === PLATFORM_NODE || (deviceId !== undefined && ids.has(deviceId))) return deviceId;
    const mac = macs.map((one) => byMac.get(macOf(one) ?? "")).find((id) => typeof id === "string");
    return (
      (did !== undefined && byDid.get(did)) ||
      mac ||
      (name !== undefined && byName.get(name.toLowerCase())) ||
      (address !== undefined && byAddress.get(address)) ||
      undefined
    );
  };
}

/** What an end is called that is no known device. */
export function nameOfEnd({ deviceId, did, macs = [], name, address }: End): string {
  const mac = macs.map(macOf).find((one) => one !== undefined);
  if (did !== undefined) return did;
  if (mac !== undefined) return `mac:${mac}`;
  if (name !== undefined) return `name:${name.toLowerCase()}`;
  return address !== undefined ? `ip:${address}` : `device:${deviceId}`;
}

const CONFIDENCE: Readonly<Record<Link["evidence"], number>> = {
  manual: 1,
  lldp: 0.95,
  cdp: 0.95,
  bridge: 0.8,
  route: 0.8,
  arp: 0.6,
  probe: 0.6,
  mdns: 0.5,
  ssdp: 0.5,
  other: 0.3,
};

type Resolved = Pick<Link, "evidence" | "confidence" | "cost" | "present" | "lastSeenAt"> & {
  from: string;
  to: string;
};

/** One edge of all that is told of a pair; null where somebody said by hand that there is none. */
function edgeOf(told: readonly Resolved[]): TopologyEdge | null {
  const inTime = [...told].sort((one, other) => one.lastSeenAt.localeCompare(other.lastSeenAt));
  const manual = inTime.findLast(({ evidence }) => evidence === "manual");
  if (manual && !manual.present) return null;
  const seen = inTime.filter(({ evidence }) => evidence !== "manual");
  const doubt = seen.reduce((rest, { evidence, confidence }) => rest * (1 - (confidence ?? CONFIDENCE[evidence])), 1);
  const [from, to] = [told[0]!.from, told[0]!.to].sort() as [string, string];
  const costs = inTime.filter(({ cost }) => cost !== undefined);
  return {
    from,
    to,
    evidence: [...new Set(inTime.map(({ evidence }) => evidence))].sort(),
    confidence: manual ? (manual.confidence ?? 1) : 1 - doubt,
    cost: manual?.cost ?? costs.at(-1)?.cost ?? 1,
    lastSeenAt: inTime.at(-1)!.lastSeenAt,
    isOneSided: !manual && new Set(seen.map((one) => one.from)).size < 2,
    isManual: manual !== undefined,
  };
}

/** What a device is called on the graph: by itself, or by the best that is known of it. */
const calledOf = ({ name, model, addresses, macs }: KnownDevice): string | undefined =>
  name ?? model ?? addresses[0]?.address ?? macs[0];

function nodeOf(device: KnownDevice): GraphNode {
  const { id, state, compartments = [] } = device;
  const name = calledOf(device);
  return {
    id,
    kind: "device",
    state,
    ...(name !== undefined && { name }),
    ...(compartments.length && { compartments }),
  };
}

/** The graph of what is told of links between devices. The same for whatever order it is told in. */
export function topologyOf(
  devices: readonly KnownDevice[],
  links: readonly Pick<Link, "from" | "to" | "evidence" | "confidence" | "cost" | "present" | "lastSeenAt">[],
): Graph {
  const resolve = resolver(devices);
  const nodes = new Map<string, GraphNode>(devices.map((device) => [device.id, nodeOf(device)]));
  const idOf = (end: End): string => {
    const id = resolve(end) ?? nameOfEnd(end);
    if (!nodes.has(id)) nodes.set(id, { id, kind: id === PLATFORM_NODE ? "platform" : "unidentified" });
    return id;
  };
  const told = links
    .map(({ from, to, ...rest }) => ({ ...rest, from: idOf(from), to: idOf(to) }))
    .filter(({ from, to }) => from !== to);
  const pairs = Map.groupBy(told, ({ from, to }) => JSON.stringify([from, to].sort()));
  const edges = [...pairs.values()].flatMap((pair) => edgeOf(pair) ?? []);
  const inOrder = (one: TopologyEdge, other: TopologyEdge): number =>
    one.from.localeCompare(other.from) || one.to.localeCompare(other.to);
  return {
    nodes: [...nodes.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
    edges: edges.sort(inOrder),
  };
}
