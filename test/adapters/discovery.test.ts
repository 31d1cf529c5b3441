import { createSocket, type Socket } from "node:dgram";
import { createServer as createHttp } from "node:http";
import { createServer as createTcp, type AddressInfo, type Server } from "node:net";
import dns from "dns-packet";
import fc from "fast-check";
import { FakeNetwork } from "../../adapters/discovery/fake.ts";
import { MDNS_GROUP, mdnsSightings, recordsOf } from "../../adapters/discovery/mdns.ts";
import { networkDiscovery } from "../../adapters/discovery/network.ts";
import type { Discovery, SweepTransport } from "../../adapters/discovery/port.ts";
import { SSDP_GROUP, ssdpSighting } from "../../adapters/discovery/ssdp.ts";

/** How many hostile packets: few in each run, by command 10,000 (HOSTILE_PACKETS). */
const HOSTILE = Number(process.env["HOSTILE_PACKETS"] ?? 300);

const PRINTER = [
  { name: "_services._dns-sd._udp.local", type: "PTR", ttl: 60, data: "_ipp._tcp.local" },
  { name: "_ipp._tcp.local", type: "PTR", ttl: 60, data: "Hall printer._ipp._tcp.local" },
  { name: "Hall printer._ipp._tcp.local", type: "SRV", ttl: 60, data: { port: 631, target: "hall.local" } },
  { name: "Hall printer._ipp._tcp.local", type: "TXT", ttl: 60, data: ["ty=Press 9", "mac=00:1B:C5:00:00:09"] },
  { name: "hall.local", type: "A", ttl: 60, data: "127.0.0.1" },
];
const mdnsAnswer = (answers: object[]): Buffer => dns.encode({ type: "response", id: 0, answers });
const ssdpAnswer = Buffer.from(
  [
    "HTTP/1.1 200 OK",
    "ST: upnp:rootdevice",
    "a line that is none",
    "USN: uuid:ABCD-1234::upnp:rootdevice",
    "SERVER: Linux/5 UPnP/1.1 Box/2",
    "LOCATION: http://169.254.169.254/secret.xml",
    "",
    "",
  ].join("\r\n"),
);

/** What a network must have for the suite, and how one asks it. */
interface Bed {
  discovery: Discovery;
  tcp: number;
  http: number;
  collector: number;
  closed: number;
  ports: Partial<Record<SweepTransport, number>>;
  /** Connections and questions that came, by what they came to. */
  came(): string[];
  close(): Promise<unknown>;
}

function fakeBed(): Bed {
  const network = new FakeNetwork();
  network.ports.set("127.0.0.1:22", { banner: "SSH-2.0-test" });
  network.ports.set("127.0.0.1:80", { banner: "", http: { server: "box/1", title: "Gate camera" } });
  network.ports.set("127.0.0.1:81", { banner: "", http: { status: 200 }, report: { devices: [{ name: "far" }] } });
  network.packets.mdns.push({ from: "127.0.0.1", bytes: mdnsAnswer(PRINTER) });
  network.packets.ssdp.push({ from: "127.0.0.1", bytes: ssdpAnswer });
  const came = (): string[] => network.sent.map((line) => line.split(/[ :]/)[0]!);
  return { discovery: network, tcp: 22, http: 80, collector: 81, closed: 9, ports: {}, came, close: async () => null };
}

async function realBed(): Promise<Bed> {
  const came: string[] = [];
  const listen = (server: Server): Promise<number> =>
    new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));
  const tcp = createTcp((socket) => {
    came.push("tcp");
    socket.on("error", () => {});
    socket.end("SSH-2.0-test\r\n");
  });
  const http = createHttp((_req, res) => {
    came.push("http");
    res.writeHead(302, { server: "box/1", location: "http://169.254.169.254/" });
    res.end("<html><head><title>Gate camera</title></head></html>");
  });
  const collector = createHttp((_req, res) => {
    came.push("collector");
    res.end(JSON.stringify({ devices: [{ name: "far" }] }));
  });
  const closing = createTcp();
  const closed = await listen(closing);
  await new Promise((resolve) => closing.close(resolve));
  const responder = (transport: SweepTransport, group: string, packet: Buffer): Promise<[Socket, number]> =>
    new Promise((resolve) => {
      const socket = createSocket({ type: "udp4", reuseAddr: true });
      socket.on("message", (_question, { address, port }) => {
        came.push(transport);
        socket.send(packet, port, address);
      });
      socket.bind(0, () => {
        socket.addMembership(group, "127.0.0.1");
        resolve([socket, socket.address().port]);
      });
    });
  const [mdns, mdnsPort] = await responder("mdns", MDNS_GROUP, mdnsAnswer(PRINTER));
  const [ssdp, ssdpPort] = await responder("ssdp", SSDP_GROUP, ssdpAnswer);
  return {
    discovery: networkDiscovery(),
    ...{ tcp: await listen(tcp), http: await listen(http), collector: await listen(collector), closed },
    ports: { mdns: mdnsPort, ssdp: ssdpPort },
    came: () => came,
    close() {
      mdns.close();
      ssdp.close();
      return Promise.all([tcp, http, collector].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

describe.each([
  ["the network", realBed],
  ["a network in memory", () => Promise.resolve(fakeBed())],
] as const)("discovery on %s", (_name, open) => {
  let bed: Bed;
  const never = new AbortController().signal;
  beforeAll(async () => {
    bed = await open();
  });
  afterAll(() => bed.close());
  const aim = (port: number, more: object = {}) => ({ address: "127.0.0.1", port, timeoutMs: 2_000, ...more });

  it("connects to exactly one address and port, and tells what speaks there", async () => {
    const found = await bed.discovery.probe("tcp", aim(bed.tcp, { host: "gate.example" }), never);
    expect(found?.sighting).toMatchObject({
      transport: "tcp",
      name: "gate.example",
      addresses: ["127.0.0.1"],
      macs: [],
      services: [{ type: "tcp", port: bed.tcp, banner: "SSH-2.0-test" }],
    });
    expect(await bed.discovery.probe("tcp", aim(bed.closed), never)).toBeNull();
  });

  it("reads what a page calls itself, and follows no redirect", async () => {
    const found = await bed.discovery.probe("http", aim(bed.http), never);
    expect(found?.sighting).toMatchObject({
      model: "box/1",
      services: [{ type: "http", port: bed.http, banner: "Gate camera" }],
    });
    expect(await bed.discovery.probe("http", aim(bed.closed), never)).toBeNull();
  });

  it("brings a collector's report as it is", async () => {
    const found = await bed.discovery.probe("collector", aim(bed.collector), never);
    expect(found?.report).toEqual({ devices: [{ name: "far" }] });
  });

  it("sends nothing once it is told to end", async () => {
    const before = bed.came().length;
    expect(await bed.discovery.probe("tcp", aim(bed.tcp), AbortSignal.abort())).toBeNull();
    expect(bed.came().length).toBe(before);
  });

  it.each(["mdns", "ssdp"] as const)("asks a segment by %s out of one interface", async (transport) => {
    const sweep = { via: "127.0.0.1", waitMs: 1_500, ...(bed.ports[transport] && { port: bed.ports[transport] }) };
    const [found, ...more] = await bed.discovery.sweep(transport, sweep, never);
    expect(more).toEqual([]);
    expect(found).toMatchObject(
      transport === "mdns"
        ? {
            name: "hall",
            macs: ["00:1b:c5:00:00:09"],
            model: "Press 9",
            instances: ["hall printer._ipp._tcp.local"],
            addresses: ["127.0.0.1"],
          }
        : { usn: "abcd-1234", addresses: ["127.0.0.1"], model: "Linux/5 UPnP/1.1 Box/2" },
    );
  });
});

describe("a hostile packet", () => {
  it("costs a bad record itself, and the others nothing", () => {
    const good = mdnsAnswer(PRINTER);
    // A PTR whose name points ahead of itself: the library throws the whole packet away for it.
    const record = Buffer.from([0, 0, 12, 0, 1, 0, 0, 0, 60, 0, 2, 0xff, 0xff]);
    const bad = Buffer.concat([good.subarray(0, 12), record, good.subarray(12)]);
    bad.writeUInt16BE(6, 6);
    expect(() => dns.decode(bad)).toThrow(/name/);
    expect(recordsOf(bad)).toEqual(recordsOf(good));
    expect(mdnsSightings(recordsOf(bad))[0]).toMatchObject({ name: "hall", macs: ["00:1b:c5:00:00:09"] });
  });

  it("never makes a parser throw, nor say more than it is allowed to", () => {
    const good = mdnsAnswer(PRINTER);
    const bytes = fc.uint8Array({ maxLength: 600 }).map((array) => Buffer.from(array));
    const bent = fc
      .array(fc.tuple(fc.nat({ max: good.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 12 })
      .map((changes) => {
        const packet = Buffer.from(good);
        for (const [at, value] of changes) packet[at] = value;
        return packet;
      });
    const headed = bytes.map((body) => Buffer.concat([Buffer.from([0, 0, 0x84, 0, 0, 1, 0, 9, 0, 9, 0, 9]), body]));
    const lines = fc
      .array(
        fc.oneof(fc.string(), fc.constantFrom("USN: uuid:x", "ST:", "NTS: ssdp:alive", `USN: ${"x".repeat(9_000)}`)),
      )
      .map((all) => Buffer.from(`HTTP/1.1 200 OK\r\n${all.join("\r\n")}`));
    fc.assert(
      fc.property(fc.oneof(bytes, bent, headed, lines), (packet) => {
        const sightings = [...mdnsSightings(recordsOf(packet), "10.0.0.1"), ssdpSighting(packet, "10.0.0.1")];
        for (const one of sightings) {
          if (!one) continue;
          expect(JSON.stringify(one).length).toBeLessThan(60_000);
          expect([one.name, one.model, one.usn].every((text) => text === undefined || text.length <= 200)).toBe(true);
          expect(Math.max(one.macs.length, one.addresses.length, one.instances.length)).toBeLessThanOrEqual(32);
        }
      }),
      { numRuns: HOSTILE },
    );
  });
});
