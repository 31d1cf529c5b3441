import { gathering } from "./gathering.ts";
import type { Aim, Discovery, ProbeResult, Interface, ProbeTransport, SweepTransport } from "./port.ts";
import { sightingOf } from "./sightings.ts";

/** What answers at one port of the fake network. */
export interface FakePort {
  banner?: string;
  http?: { server?: string; title?: string; status?: number };
  /** A collector's report, as JSON. */
  report?: unknown;
}

/**
 * A network in memory. It records what was sent where, and answers a sweep with packets, which are read like real ones.
 */
export class FakeNetwork implements Discovery {
  readonly names = new Map<string, string[]>();
  /** `address:port` */
  readonly ports = new Map<string, FakePort>();
  readonly packets: Record<SweepTransport, { from: string; bytes: Buffer }[]> = { mdns: [], ssdp: [] };
  readonly sent: string[] = [];
  ownInterfaces: Interface[] = [{ name: "lo", addresses: ["127.0.0.1"], isInternal: true }];

  resolve(name: string): Promise<string[]> {
    return Promise.resolve(this.names.get(name) ?? []);
  }

  interfaces(): Interface[] {
    return this.ownInterfaces;
  }

  async probe(transport: ProbeTransport, aim: Aim, signal: AbortSignal): Promise<ProbeResult | null> {
    if (signal.aborted) return null;
    const { address, port, host } = aim;
    this.sent.push(`${transport} ${address}:${port}`);
    const there = this.ports.get(`${address}:${port}`);
    if (!there) return null;
    const said = { addresses: [address], ...(host !== undefined && { name: host }) };
    if (transport === "tcp")
      return { sighting: sightingOf("tcp", { ...said, services: [{ type: "tcp", port, banner: there.banner }] }) };
    if (transport === "collector")
      return there.report === undefined
        ? null
        : {
            sighting: sightingOf("collector", { ...said, services: [{ type: "collector", port }] }),
            report: there.report,
          };
    if (!there.http) return null;
    const { server, title, status = 200 } = there.http;
    const banner = title ?? `status ${status}`;
    return { sighting: sightingOf("http", { ...said, model: server, services: [{ type: "http", port, banner }] }) };
  }

  sweep(transport: SweepTransport, { via, waitMs }: { via: string; waitMs: number }) {
    const answers = gathering(transport, waitMs);
    this.sent.push(`${transport} via ${via}`);
    for (const { bytes, from } of this.packets[transport]) answers.take(bytes, from);
    return Promise.resolve(answers.sightings());
  }
}
