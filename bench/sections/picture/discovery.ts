import dns from "dns-packet";
import { mdnsSightings, recordsOf } from "../../../adapters/discovery/mdns.ts";
import { ssdpSighting } from "../../../adapters/discovery/ssdp.ts";
import { vendorOf } from "../../../adapters/discovery/vendors.ts";
import { matcher, type Rule } from "../../../services/picture/discovery/access-list/matching.ts";
import { summaries } from "../../../services/picture/discovery/em/bands.ts";
import { topologyOf } from "../../../services/picture/discovery/topology/graph.ts";
import { shortestPath } from "../../../services/picture/discovery/topology/paths.ts";
import { many, median, round } from "../../measure.ts";

const ROUNDS = many(9);
const PACKETS = many(10_000, 100);
const RULES = many(2_000, 20);
const DEVICES = many(5_000, 50);
const LINKS = many(10_000, 100);
const EMISSIONS = many(20_000, 100);

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 16_807) % 2_147_483_647) % below;
}

/** CPU milliseconds of this process, the median of several rounds. */
function spent(work: () => unknown): number {
  const each = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return round(median(each), 2);
}

const mac = (n: number): string =>
  `00:1b:c5:${[16, 8, 0].map((at) => ((n >> at) & 255).toString(16).padStart(2, "0")).join(":")}`;

/** Packets of strangers: half as they should be, half with bytes that are not. */
function packets(): string {
  const next = numbers(7);
  const answers = [
    { name: "_ipp._tcp.local", type: "PTR", ttl: 60, data: "Hall._ipp._tcp.local" },
    { name: "Hall._ipp._tcp.local", type: "SRV", ttl: 60, data: { port: 631, target: "hall.local" } },
    { name: "Hall._ipp._tcp.local", type: "TXT", ttl: 60, data: ["ty=Press 9", "mac=00:1B:C5:00:00:09"] },
    { name: "hall.local", type: "A", ttl: 60, data: "10.0.0.1" },
  ];
  const good = dns.encode({ type: "response", id: 0, answers });
  const all = Array.from({ length: PACKETS }, (_none, at) => {
    const packet = Buffer.from(good);
    const bent = at % 2 ? 8 : 0;
    for (let n = 0; n < bent; n++) packet[next(packet.length)] = next(256);
    return packet;
  });
  const read = spent(() => all.map((packet) => [mdnsSightings(recordsOf(packet)), ssdpSighting(packet, "10.0.0.1")]));
  return `| ${PACKETS} packets of mDNS, half of them bent, read into sightings | ${read} |`;
}

function lists(): string {
  const rules = Array.from({ length: RULES }, (_none, at): Rule => {
    const value = `10.${at & 255}.${at >> 8}.0`;
    return at % 2
      ? { kind: at % 4 === 1 ? "block" : "allow", by: "cidr", value: `${value}/28` }
      : { kind: "allow", by: "mac", value: mac(at) };
  });
  const devices = Array.from({ length: DEVICES }, (_none, at) => ({
    macs: [mac(at)],
    addresses: [`10.${at & 255}.${at >> 8}.${at & 31}`],
    identities: [],
  }));
  let decides = matcher(rules);
  const made = spent(() => (decides = matcher(rules)));
  return `| an access list of ${RULES} entries made ready | ${made} |
| ${DEVICES} devices decided on by it | ${spent(() => devices.map(decides))} |`;
}

function graphs(): string {
  const next = numbers(11);
  const devices = Array.from({ length: DEVICES }, (_none, at) => ({
    id: `device-${at}`,
    state: "identified",
    macs: [mac(at)],
    addresses: [],
  }));
  const links = Array.from({ length: LINKS }, () => ({
    from: { macs: [mac(next(DEVICES))] },
    to: { macs: [mac(next(DEVICES))] },
    evidence: "lldp" as const,
    confidence: 0.9,
    cost: 1 + next(9),
    present: true,
    lastSeenAt: new Date(next(1_000_000)).toISOString(),
  }));
  let graph = topologyOf(devices, links);
  const made = spent(() => (graph = topologyOf(devices, links)));
  const path = spent(() => shortestPath(graph, "device-0", `device-${DEVICES - 1}`));
  return `| a graph of ${DEVICES} devices and ${LINKS} links | ${made} |
| the shortest way in it | ${path} |`;
}

function spectrum(): string {
  const next = numbers(13);
  const measured = Array.from({ length: EMISSIONS }, () => ({
    at: 1 + next(600_000),
    frequencyHz: 3e6 + next(2_000_000_000) * 19,
    bandwidthHz: next(40_000_000),
    powerDbm: -next(120),
  }));
  return `| ${EMISSIONS} emissions summed up by band | ${spent(() => summaries(measured, 600_000))} |`;
}

function vendors(): string {
  const before = process.cpuUsage();
  vendorOf(mac(1));
  const { user, system } = process.cpuUsage(before);
  return `| the table of vendors, at its first use | ${round((user + system) / 1_000, 1)} |`;
}

/** Discovery: what strangers send, what is decided on devices, and what is told of networks. */
export function discovery(): Promise<string> {
  const rows = [packets(), lists(), graphs(), spectrum(), vendors()].join("\n");
  return Promise.resolve(`## Discovery

Milliseconds of CPU of this process, medians.

| What | ms |
|---|---|
${rows}
`);
}
