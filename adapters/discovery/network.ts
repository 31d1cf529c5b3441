import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { macOf } from "./hardware-address.ts";
import { gathering } from "./gathering.ts";
import { lookOverHttp } from "./http-look.ts";
import { MDNS_GROUP, MDNS_PORT } from "./mdns.ts";
import type {
  Aim,
  Discovery,
  ProbeResult,
  Interface,
  ProbeTransport,
  Sighting,
  Sweep,
  SweepTransport,
} from "./port.ts";
import { sightingOf } from "./sightings.ts";
import { SSDP_GROUP, SSDP_PORT } from "./ssdp.ts";

const MOST_PAGE = 16_384;
const MOST_REPORT = 1_048_576;
/** A server that speaks first does so at once. */
const BANNER_MS = 250;
const MOST_BANNER = 256;

const GROUPS: Readonly<Record<SweepTransport, { group: string; port: number }>> = {
  mdns: { group: MDNS_GROUP, port: MDNS_PORT },
  ssdp: { group: SSDP_GROUP, port: SSDP_PORT },
};

/** A listed name is the device's name; an address is not. */
const named = ({ address, host }: Aim) => ({ addresses: [address], ...(host !== undefined && { name: host }) });

function tcpProbe(aim: Aim, signal: AbortSignal): Promise<ProbeResult | null> {
  return new Promise((resolve) => {
    const { address, port, timeoutMs } = aim;
    let banner = Buffer.alloc(0);
    let isOpen = false;
    const socket = connect({ host: address, port, signal });
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(
        isOpen
          ? {
              sighting: sightingOf("tcp", {
                ...named(aim),
                services: [{ type: "tcp", port, banner: banner.toString("utf8") }],
              }),
            }
          : null,
      );
    };
    let timer = setTimeout(end, timeoutMs);
    socket.on("connect", () => {
      isOpen = true;
      clearTimeout(timer);
      timer = setTimeout(end, Math.min(BANNER_MS, timeoutMs));
    });
    socket.on("data", (part) => {
      banner = Buffer.concat([banner, part]).subarray(0, MOST_BANNER);
      if (banner.includes(10) || banner.length >= MOST_BANNER) end();
    });
    socket.on("error", end);
    socket.on("end", end);
  });
}

/** A page's title: the text between the first tag of that name and the next tag. */
function titleOf(page: string): string | undefined {
  const tag = page.toLowerCase().indexOf("<title");
  const from = tag < 0 ? -1 : page.indexOf(">", tag) + 1;
  return from > 0 ? page.slice(from, from + 400).split("<", 1)[0] : undefined;
}

async function httpProbe(aim: Aim, signal: AbortSignal): Promise<ProbeResult | null> {
  const answer = await lookOverHttp(aim, MOST_PAGE, signal);
  if (!answer) return null;
  const title = titleOf(answer.body);
  return {
    sighting: sightingOf("http", {
      ...named(aim),
      model: answer.server,
      services: [{ type: "http", port: aim.port, banner: title ?? `status ${answer.status}` }],
    }),
  };
}

async function collectorProbe(aim: Aim, signal: AbortSignal): Promise<ProbeResult | null> {
  const answer = await lookOverHttp(aim, MOST_REPORT, signal);
  if (!answer || answer.status !== 200) return null;
  const sighting = sightingOf("collector", { ...named(aim), services: [{ type: "collector", port: aim.port }] });
  try {
    return { sighting, report: JSON.parse(answer.body) };
  } catch {
    return { sighting };
  }
}

const PROBE = { tcp: tcpProbe, http: httpProbe, collector: collectorProbe } as const;

/**
 * Sends a question out of one interface: the sender is bound to its address, so that answers come only to it, and a TTL
 * of 1 keeps the question in the segment.
 */
function sweep(transport: SweepTransport, { via, waitMs, port }: Sweep, signal: AbortSignal): Promise<Sighting[]> {
  return new Promise((resolve, reject) => {
    const { group, port: usual } = GROUPS[transport];
    const answers = gathering(transport, waitMs);
    const socket = createSocket({ type: "udp4", reuseAddr: true });
    const end = (error?: Error): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      socket.close();
      if (error) reject(error);
      else resolve(answers.sightings());
    };
    const stop = (): void => end();
    const timer = setTimeout(stop, waitMs);
    const ask = (question: Buffer): void => socket.send(question, port ?? usual, group, () => {});
    socket.on("error", end);
    socket.on("message", (packet, { address }) => {
      const next = answers.take(packet, address);
      if (next) ask(next);
    });
    signal.addEventListener("abort", stop, { once: true });
    socket.bind({ address: via, port: 0 }, () => {
      socket.setMulticastInterface(via);
      socket.setMulticastTTL(1);
      ask(answers.first);
    });
  });
}

function interfaces(): Interface[] {
  return Object.entries(networkInterfaces()).map(([name, all = []]) => {
    const mac = macOf(all[0]?.mac ?? "");
    return {
      name,
      ...(mac && mac !== "00:00:00:00:00:00" && { mac }),
      addresses: all.map(({ address }) => address.split("%", 1)[0]!),
      isInternal: all.every(({ internal }) => internal),
    };
  });
}

/** Discovery on the networks of this machine. */
export const networkDiscovery = (): Discovery => ({
  interfaces,
  sweep,
  probe: (transport: ProbeTransport, aim, signal) =>
    signal.aborted ? Promise.resolve(null) : PROBE[transport](aim, signal),
  async resolve(name) {
    const found = await lookup(name, { all: true }).catch(() => []);
    return [...new Set(found.map(({ address }) => address))].sort();
  },
});
