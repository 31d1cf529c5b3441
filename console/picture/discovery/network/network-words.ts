import type { Data, Input } from "../../../api/client.ts";
import { inTraitWords, traitOf } from "../device-words.ts";

export type Topology = Data<"GET /discovery/topology">;
export type NetworkNode = Topology["nodes"][number];
export type NetworkLink = Topology["edges"][number];
/** How an end of a link is said to the API. */
export type LinkEnd =
  | { deviceId: string }
  | { did: string }
  | { macs: string[] }
  | { name: string }
  | { address: string };
export type ObservationsGiven = NonNullable<Input<"POST /discovery/observations">["body"]>;

const EVIDENCE: Readonly<Record<string, string>> = {
  manual: "entered by hand",
  lldp: "neighbours told (LLDP)",
  cdp: "neighbours told (CDP)",
  bridge: "a switch's table",
  arp: "an address table (ARP)",
  route: "a route",
  probe: "the scanner reached it",
  mdns: "heard by mDNS",
  ssdp: "heard by UPnP",
  other: "something else",
};
export const evidenceWords = (evidence: readonly string[]): string =>
  evidence.map((one) => EVIDENCE[one] ?? one).join(", ");

/** What a node is called: a device by its name, what is not known to be one by what a link says of it. */
export function nodeName({ id, kind, name }: NetworkNode): string {
  if (kind === "platform") return "This platform";
  if (kind === "device") return name ?? "Unnamed device";
  if (id.startsWith("did:")) return `DID ${id}`;
  return id.startsWith("device:") ? "A device that you do not see" : inTraitWords(traitOf(id));
}

/** The end of a link that a node is. */
export function endOf({ id, kind }: NetworkNode): LinkEnd {
  if (kind !== "unidentified") return { deviceId: id };
  if (id.startsWith("did:")) return { did: id };
  const { by, value } = traitOf(id);
  if (by === "mac") return { macs: [value] };
  if (by === "ip") return { address: value };
  return by === "name" ? { name: value } : { deviceId: value };
}

/** What a page needs of the graph, by id. */
export interface NetworkSeen {
  graph: Topology;
  byId: ReadonlyMap<string, NetworkNode>;
  nameOf(id: string): string;
}
export function seenIn(graph: Topology): NetworkSeen {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  return {
    graph,
    byId,
    nameOf(id) {
      const node = byId.get(id);
      return node ? nodeName(node) : "Something that is gone";
    },
  };
}

export const linkKey = ({ from, to }: Pick<NetworkLink, "from" | "to">): string => JSON.stringify([from, to].sort());

/** More are not drawn at once: the table has them all. */
const MOST_DRAWN = 150;
/** The part that is drawn: what is on the way, then the best connected. */
export function drawnPart(
  { nodes, edges }: Topology,
  way: readonly string[],
): { nodes: NetworkNode[]; edges: NetworkLink[]; left: number } {
  const degrees = new Map<string, number>();
  for (const { from, to } of edges) for (const id of [from, to]) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  const rank = ({ id }: NetworkNode): number => (way.includes(id) ? Infinity : (degrees.get(id) ?? 0));
  const drawn = nodes
    .toSorted((one, other) => (rank(other) > rank(one) ? 1 : rank(other) < rank(one) ? -1 : 0))
    .slice(0, MOST_DRAWN);
  const ids = new Set(drawn.map(({ id }) => id));
  return {
    nodes: drawn,
    edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)),
    left: nodes.length - drawn.length,
  };
}
