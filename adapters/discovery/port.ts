/** What finds devices on networks: probes of what is listed, questions to a segment, and what others report. */

declare module "../../core/world.ts" {
  interface World {
    discovery: Discovery;
  }
}

export const TRANSPORTS = ["mdns", "ssdp", "tcp", "http", "client", "collector"] as const;
export type Transport = (typeof TRANSPORTS)[number];
/** Transports that probe an address and port that somebody listed. */
export const PROBES = ["tcp", "http", "collector"] as const;
export type ProbeTransport = (typeof PROBES)[number];
/** Transports that ask a whole network segment, by the multicast group of their protocol. */
export const SWEEPS = ["mdns", "ssdp"] as const;
export type SweepTransport = (typeof SWEEPS)[number];

/** A service that a device offers. */
export interface Offered {
  type: string;
  port?: number;
  banner?: string;
}

/** One observation of one device, in clean and bounded text. None of it is proved. */
export interface Sighting {
  transport: Transport;
  did?: string;
  serial?: string;
  usn?: string;
  /** As `aa:bb:cc:dd:ee:ff`. */
  macs: string[];
  /** mDNS instances, such as `Hall printer._ipp._tcp.local`. */
  instances: string[];
  name?: string;
  addresses: string[];
  services: Offered[];
  manufacturer?: string;
  model?: string;
}

/** The target of a probe: an address, never a name, so that nothing is resolved afterwards. */
export interface Aim {
  address: string;
  port: number;
  /** The name from which the address was resolved: for the `Host` header. */
  host?: string;
  timeoutMs: number;
  path?: string;
}

/** The address of this machine from which a segment is asked, and how long answers are awaited. */
export interface Sweep {
  via: string;
  waitMs: number;
  /** Instead of the port of the protocol. */
  port?: number;
}

/** The result of a probe: a device, or a collector's report, unread. */
export interface ProbeResult {
  sighting: Sighting;
  report?: unknown;
}

export interface Discovery {
  /** Addresses of a name, in text form; none where it has none. */
  resolve(name: string): Promise<string[]>;
  /** One connection to exactly this address and port; null where nothing answers. Network failures never reject. */
  probe(transport: ProbeTransport, aim: Aim, signal: AbortSignal): Promise<ProbeResult | null>;
  /** One question to the protocol's group, out of this interface only, and the devices that answered. */
  sweep(transport: SweepTransport, sweep: Sweep, signal: AbortSignal): Promise<Sighting[]>;
  /** Addresses of this machine's interfaces. */
  interfaces(): Interface[];
}

export interface Interface {
  name: string;
  mac?: string;
  addresses: string[];
  isInternal: boolean;
}
